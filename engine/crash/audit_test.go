package crash

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"rein"
	"rein/engine/enginetest"
	"rein/store"
	"rein/store/sqlite"
)

// audit looks at everything that a process left behind: each log, what people see of it, and all that
// the checkpoints cover that this process and those before it made.
func (r *result) audit(ctx context.Context, dir, when string) {
	wrong := func(what any) { r.broken = append(r.broken, fmt.Sprintf("audit %s: %v", when, what)) }
	s, err := sqlite.OpenReader(ctx, dbPath(dir))
	if err != nil {
		wrong(err)
		return
	}
	defer s.Close()
	err = s.Audit(ctx, func(v store.Verdict) error {
		for _, what := range v.Wrong {
			wrong(fmt.Sprintf("run %q: %s", v.Run, what))
		}
		return nil
	})
	last, lastErr := s.LastCheckpoint(ctx)
	if err := errors.Join(err, lastErr); err != nil {
		wrong(err)
		return
	}
	if last.N > 0 {
		r.heads = append(r.heads, last.Head)
	}
	for _, head := range r.heads {
		_, found, err := s.VerifyHead(ctx, head)
		if len(found) > 0 || err != nil {
			wrong(fmt.Sprintf("head %s: %q %v", head, found, err))
		}
	}
}

// read takes in what the store in the folder holds, and checks it.
func (r *result) read(ctx context.Context, dir string) {
	s, err := sqlite.OpenReader(ctx, dbPath(dir))
	if err != nil {
		r.broken = append(r.broken, err.Error())
		return
	}
	defer s.Close()
	for info, err := range s.Runs(ctx, store.Filter{}) {
		if err != nil {
			r.broken = append(r.broken, err.Error())
			return
		}
		r.readRun(ctx, s, info)
	}
	for _, s := range r.trial.scenario.starts {
		if r.ends[string(s.id)] == "" {
			r.lost = append(r.lost, "run "+string(s.id))
		}
	}
	if err := errors.Join(r.readKept(ctx, dir), r.readDone(dir)); err != nil {
		r.broken = append(r.broken, err.Error())
	}
	if r.trial.scenario.undoes {
		if err := r.readFiles(dir); err != nil {
			r.broken = append(r.broken, err.Error())
		}
	}
	if r.doubted {
		r.findUnasked(ctx, s)
	}
	if r.trial.scenario.commands {
		r.findUnheard()
	}
	r.findDoubled()
}

// readRun checks one run.
func (r *result) readRun(ctx context.Context, s store.Store, info rein.RunInfo) {
	wrong := func(format string, args ...any) {
		r.broken = append(r.broken, "run "+string(info.ID)+": "+fmt.Sprintf(format, args...))
	}
	if info.Outcome != nil {
		r.ends[string(info.ID)] = r.endText(*info.Outcome)
	} else if info.ID.Depth() > 0 {
		r.lost = append(r.lost, "run "+string(info.ID)) // read looks for the roots
	}
	var log []rein.Event
	for e, err := range s.Events(ctx, info.ID, 0) {
		if err != nil {
			wrong("%v", err)
			return
		}
		log = append(log, e)
	}
	r.readLog(log, wrong)
	if info.ID.Depth() == 0 {
		ledger, err := s.Ledger(ctx, info.ID)
		if over := ledger.Used.Over(ledger.Cap.Amount, ledger.Used); err != nil || over != "" || ledger.Overrun != (rein.Amount{}) {
			wrong("ledger %+v is over its cap: %q %v", ledger, over, err)
		}
	}
}

// readLog checks the order of a log: nothing of a step follows its end, nothing of a driver follows
// the run's end and no run ends before its children, so nothing in a tree is spent after its end.
func (r *result) readLog(log []rein.Event, wrong func(string, ...any)) {
	done := map[rein.StepKey]bool{}
	children := map[rein.RunID]bool{} // that have not ended
	ended := false
	for _, e := range log {
		r.logs += fmt.Sprintf("%s:%d %s %s %s\n", e.Run, e.Seq, e.Kind, e.Step, e.Data)
		if ended && (e.Kind.Command() == "" || e.Spend != rein.Amount{}) {
			wrong("event %d %s comes after its end", e.Seq, e.Kind)
		}
		if e.Kind.Command() == "" && done[stepOf(e.Step)] {
			wrong("event %d %s comes after the end of step %s", e.Seq, e.Kind, e.Step)
		}
		switch e.Kind {
		case rein.StepDone:
			done[e.Step] = true
			if child := payload[rein.StepEnd](e).Child; child != "" {
				children[child] = true
			}
		case rein.CommandChild.EventKind():
			delete(children, payload[rein.Command](e).Child)
		case rein.AskOpened:
			if payload[rein.Ask](e).Kind == rein.AskUnknown {
				r.unknown++
			}
		}
		ended = ended || e.Kind.Ends()
		if e.Kind.Ends() && len(children) > 0 {
			wrong("it ended before its children %v", children)
		}
	}
	if err := enginetest.ValidTranscripts(log); err != nil {
		wrong("transcript: %v", err)
	}
}

// stepOf takes the name of a sub-event off its key.
func stepOf(key rein.StepKey) rein.StepKey {
	if i := strings.LastIndexByte(string(key), '.'); i >= 0 && key[i+1] > '9' {
		return key[:i]
	}
	return key
}

// payload reads an event's data. What cannot be read shows in the audit.
func payload[T any](e rein.Event) (p T) {
	_ = json.Unmarshal(e.Data, &p)
	return p
}

// readKept counts the effects on our own table.
func (r *result) readKept(ctx context.Context, dir string) error {
	db, err := sql.Open("sqlite", "file:"+dbPath(dir)+"?mode=ro")
	if err != nil {
		return err
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, `SELECT key, count(*) FROM kept GROUP BY key`)
	if err != nil {
		if strings.Contains(err.Error(), "no such table") { // nothing was kept; the driver has no code for it
			return nil
		}
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var key string
		var n int
		if err := rows.Scan(&key, &n); err != nil {
			return err
		}
		r.effects["keep "+key] = n
	}
	return rows.Err()
}
