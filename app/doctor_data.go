package app

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"time"

	"rein"
	"rein/household/changes"
	"rein/internal/units"
	"rein/internal/visible"
	"rein/store"
)

// checkPages looks below the store: at the pages of the file.
func (d *doctor) checkPages(ctx context.Context, file string) {
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: file}).EscapedPath(), RawQuery: url.Values{
		"mode": {"ro"}, "_pragma": {"busy_timeout(10000)", "query_only(1)"},
	}.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		d.find(Wrong, "pages", restore, "%v", err)
		return
	}
	defer db.Close()
	var version int64
	if err := db.QueryRowContext(ctx, `SELECT max(version_id) FROM goose_db_version`).Scan(&version); err != nil {
		d.find(Wrong, "schema", restore, "its version cannot be read: %v", err)
		return
	}
	d.find(Fine, "schema", "", "version %d, supported by this rein", version)
	var found string
	if err := db.QueryRowContext(ctx, `PRAGMA integrity_check(1)`).Scan(&found); err != nil {
		found = err.Error()
	}
	if found != "ok" {
		d.find(Wrong, "pages", restore, "%s is damaged: %s", d.Path, found)
		return
	}
	d.find(Fine, "pages", "", "the file is intact")
}

// checkLogs verifies every log, and that what people see is what the logs make of it.
func (d *doctor) checkLogs(ctx context.Context, s *Data) error {
	var sum Tally
	err := Audit(ctx, s, func(v store.Verdict) error {
		if sum.Add(v); len(v.Wrong) > 0 {
			d.tellWrong(v)
		}
		return nil
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		d.find(Wrong, "logs", restore, "%v", err)
		return nil
	}
	if sum.Wrong == 0 {
		d.find(Fine, "logs", "", "%s", sum)
	}
	return nil
}

func (d *doctor) tellWrong(v store.Verdict) {
	what, lists, more := "", "audit verify", ""
	if v.Run != "" {
		what, lists = "run "+string(v.Run)+": ", "audit verify "+string(v.Run)
	}
	if len(v.Wrong) > 1 {
		more = fmt.Sprintf(" (and %d more)", len(v.Wrong)-1)
	}
	d.find(Wrong, "logs", d.tip(lists)+" lists all; "+restore, "%s%s%s", what, v.Wrong[0], more)
}

// ownersTime is how long a run may be due before its owner counts as not driving it: one that was
// started for another run leaves the rest alone.
const ownersTime = 10 * time.Second

// checkRuns looks for what waits for a person, and for what nobody takes care of.
func (d *doctor) checkRuns(ctx context.Context, s store.Reader) error {
	var blocked, idle []rein.RunInfo
	now := time.Now()
	for info, err := range s.Runs(ctx, store.Filter{Unfinished: true}) {
		if err != nil {
			d.find(Wrong, "runs", restore, "%v", err)
			return ctx.Err()
		}
		due := !info.WakeAt.IsZero() && !info.WakeAt.After(now)
		overdue := due && now.Sub(info.WakeAt) > ownersTime
		switch {
		case info.Status == rein.StatusBlocked && !due:
			blocked = append(blocked, info)
		case overdue, !d.owned && (due || info.Status == rein.StatusRunning || info.Status == rein.StatusReady):
			idle = append(idle, info)
		}
	}
	d.tellBlocked(ctx, s, blocked)
	d.tellIdle(idle)
	return d.checkAsks(ctx, s)
}

func (d *doctor) tellBlocked(ctx context.Context, s store.Reader, blocked []rein.RunInfo) {
	for _, info := range blocked {
		d.find(Warn, "blocked", d.tip("resume "+string(info.ID))+" tries again, ideally with the version of rein that wrote its log; "+d.tip("stop "+string(info.ID))+" ends it",
			"run %s cannot continue: %s", info.ID, blockedBecause(ctx, s, info.ID))
	}
	if len(blocked) == 0 {
		d.find(Fine, "blocked", "", "no run is blocked")
	}
}

// blockedBecause returns the newest reason in the log.
func blockedBecause(ctx context.Context, s store.Reader, run rein.RunID) string {
	reason := "see `rein show " + string(run) + "`"
	for e, err := range s.Events(ctx, run, 0) {
		if err != nil {
			return err.Error()
		}
		if e.Kind == rein.RunBlocked {
			if blocked, err := rein.Payload[rein.Blocked](e); err == nil {
				reason = visible.Short(blocked.Reason, 200)
			}
		}
	}
	return reason
}

func (d *doctor) tellIdle(idle []rein.RunInfo) {
	for _, info := range idle {
		what := "is due, but no process drives it"
		if info.Status == rein.StatusRunning {
			what = "was being driven by a process that is gone"
		}
		d.find(Warn, "drivers", d.tip("resume "+string(info.ID))+" continues it", "run %s %s", info.ID, what)
	}
	if len(idle) == 0 {
		d.find(Fine, "drivers", "", "no run has lost its driver")
	}
}

func (d *doctor) checkAsks(ctx context.Context, s store.Reader) error {
	asks, err := s.Asks(ctx, store.AskFilter{Pending: true})
	if err != nil {
		d.find(Wrong, "asks", restore, "%v", err)
		return ctx.Err()
	}
	for _, ask := range asks {
		who := "someone"
		if whom := ask.Whom(); whom != "" {
			who = whom
		}
		d.find(Warn, "asks", d.tip("answer "+string(ask.ID)), "%s has waited for %s since %s (%s)", ask.ID, who, units.When(ask.Opened), visible.Short(ask.Text, 80))
	}
	if len(asks) == 0 {
		d.find(Fine, "asks", "", "nothing waits for a person")
	}
	return nil
}

// checkHead says when the last checkpoint was made.
func (d *doctor) checkHead(ctx context.Context, s store.Checkpoints) error {
	last, err := s.LastCheckpoint(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.find(Wrong, "checkpoint", restore, "%v", err)
	case last.N == 0:
		d.find(Fine, "checkpoint", "", "there is none yet; %s makes one, and rein serve makes one every day", d.tip("audit head"))
	default:
		d.find(Fine, "checkpoint", "", "the last one was made %s", units.When(last.Made))
	}
	return nil
}

// checkUndo says how much is kept to undo changes of files. Whether it is intact, the logs' check says.
func (d *doctor) checkUndo(ctx context.Context, s *Data) error {
	kept, err := changes.SizeOf(ctx, s)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.find(Wrong, "undo", restore, "%v", err)
	case kept.Changes == 0:
		d.find(Fine, "undo", "", "no file changes are kept")
	default:
		d.find(Fine, "undo", "", "%s can be undone; what their files held before takes %s", units.Count(kept.Changes, "file change"), units.Size(kept.Bytes))
	}
	return nil
}
