package schedule

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// RunOf is the ID of the run that a slot starts: whoever starts it again gets the same run.
func RunOf(job string, instant time.Time) rein.RunID {
	return rein.RunID("j-" + digest.Joined(12, job, fmt.Sprint(instant.UnixMicro())))
}

// A mark is what the metadata of a job's run say, so that it is known where its words come from when the job is gone.
type mark struct {
	Job    string     `json:"job"`
	MadeBy rein.RunID `json:"job_made_by,omitempty"`
}

// Marked returns the task of a job's run with a mark of the job.
func (j Job) Marked(task rein.Task) (rein.Task, error) {
	data, err := json.Marshal(mark{j.ID, j.Run})
	task.Metadata = data
	return task, err
}

// MakerOf returns the run that made the job whose run has this task; empty: none did.
func MakerOf(task rein.Task) rein.RunID {
	var m mark
	if json.Unmarshal(task.Metadata, &m) != nil || m.Job == "" {
		return ""
	}
	return m.MadeBy
}

// NoticeOf is the ID of the run that tells the session what came of a slot.
func NoticeOf(s Slot) rein.RunID { return "jn-" + s.Run[len("j-"):] }

// NextDue returns when the first job has a slot; zero: none has one.
func NextDue(ctx context.Context, q store.Query) (time.Time, error) {
	next, err := number(ctx, q, `SELECT min(next) FROM schedule_jobs WHERE next <> 0 AND disabled = 0`)
	return timeOf(next), err
}

// CountActive counts the jobs that have slots to come.
func CountActive(ctx context.Context, q store.Query) (int, error) {
	n, err := number(ctx, q, `SELECT count(*) FROM schedule_jobs WHERE next <> 0 AND disabled = 0`)
	return int(n), err
}

// Work says what there is to do.
type Work struct {
	Claim   bool // Claim has something to do
	Start   bool // slots wait for their run to be started, some perhaps for their turn
	Running bool // runs of slots were started, and their end was not noted
	Tell    bool // sessions do not know what came of slots
}

// Any reports whether there is anything that time alone did not bring.
func (w Work) Any() bool { return w.Claim || w.Start || w.Tell }

// WorkAt returns what there is to do.
func WorkAt(ctx context.Context, q store.Query, now time.Time) (Work, error) {
	found, err := list(ctx, q, func(rows *sql.Rows) (w Work, err error) {
		return w, rows.Scan(&w.Claim, &w.Start, &w.Running, &w.Tell)
	}, `SELECT EXISTS (SELECT 1 FROM schedule_jobs WHERE next <> 0 AND next <= ? AND disabled = 0) OR EXISTS (SELECT 1 FROM schedule_jobs WHERE until > ?),
		EXISTS (SELECT 1 FROM schedule_slots WHERE ended = 0 AND state = 'due'), EXISTS (SELECT 1 FROM schedule_slots WHERE ended = 0 AND state = 'started'),
		EXISTS (SELECT 1 FROM schedule_slots WHERE told = 0 AND state IN ('done', 'failed'))`, micros(now), micros(now.Add(late)))
	if err != nil || len(found) == 0 {
		return Work{}, err
	}
	return found[0], nil
}

// claimAtOnce is how many jobs one transaction looks at.
const claimAtOnce = 50

// Claim writes the slots of jobs that are due now, at most of some jobs at a time, and reports whether there may be more.
// A slot that somebody else wrote before stays as it is.
func Claim(ctx context.Context, tx rein.Tx, now time.Time) (more bool, err error) {
	early, err := jobs(ctx, tx, `until > ? LIMIT ?`, micros(now.Add(late)), claimAtOnce)
	if err != nil {
		return false, err
	}
	for _, j := range early {
		if err := rewind(ctx, tx, j, now); err != nil {
			return false, err
		}
	}
	due, err := jobs(ctx, tx, `next <> 0 AND next <= ? AND disabled = 0 ORDER BY next, id LIMIT ?`, micros(now), claimAtOnce)
	if err != nil {
		return false, err
	}
	for _, j := range due {
		if err := claim(ctx, tx, j, now); err != nil {
			return false, err
		}
	}
	return len(early) == claimAtOnce || len(due) == claimAtOnce, nil
}

// rewind takes a job back to now, because the clock was ahead when it was looked at last. What fired then stays, and does
// not fire again; what was only skipped fires when its time comes.
func rewind(ctx context.Context, tx rein.Tx, j Job, now time.Time) error {
	if _, err := exec(ctx, tx, `DELETE FROM schedule_slots WHERE job = ? AND instant > ? AND state = 'skipped'`, j.ID, micros(now)); err != nil {
		return err
	}
	return decided(ctx, tx, j, now)
}

// decided notes that all slots of a job up to now are decided.
func decided(ctx context.Context, tx rein.Tx, j Job, now time.Time) error {
	_, err := exec(ctx, tx, `UPDATE schedule_jobs SET until = ?, next = ? WHERE id = ?`, micros(now), micros(j.NextAfter(now)), j.ID)
	return err
}

// claim decides about the slots of one job.
func claim(ctx context.Context, tx rein.Tx, j Job, now time.Time) error {
	found, more := j.Between(j.Until, now, maxCatch)
	found, err := unwritten(ctx, tx, j, found, now)
	if err != nil {
		return err
	}
	missed, onTime := found, []time.Time(nil)
	for i, at := range found {
		if now.Sub(at) < late {
			missed, onTime = found[:i], found[i:]
			break
		}
	}
	fire, standsFor := onTime, 0
	switch {
	case len(missed) == 0:
	case j.CatchUp == CatchAll:
		fire = found
	case j.CatchUp == CatchOnce:
		fire, standsFor = found[len(found)-1:], len(found)-1
	default:
		s := Slot{Job: j.ID, Instant: missed[len(missed)-1], State: Skipped, Missed: len(missed) - 1, Error: "it was missed: rein did not run then"}
		if _, err := put(ctx, tx, s, now); err != nil {
			return err
		}
	}
	if more && j.CatchUp != CatchSkip {
		standsFor++ // at least; nobody counts what is beyond the limit
	}
	for i, at := range fire {
		s := Slot{Job: j.ID, Instant: at, State: Due, Run: RunOf(j.ID, at)}
		if i == 0 {
			s.Missed = standsFor
		}
		if err := putDue(ctx, tx, j, s, now); err != nil {
			return err
		}
	}
	return decided(ctx, tx, j, now)
}

// unwritten leaves out the slots that are there already: the clock was ahead once, and they fired then.
func unwritten(ctx context.Context, q store.Query, j Job, found []time.Time, now time.Time) ([]time.Time, error) {
	there, err := list(ctx, q, func(rows *sql.Rows) (n int64, err error) { return n, rows.Scan(&n) },
		`SELECT instant FROM schedule_slots WHERE job = ? AND instant > ? AND instant <= ?`, j.ID, micros(j.Until), micros(now))
	if len(there) == 0 {
		return found, err
	}
	return slices.DeleteFunc(found, func(at time.Time) bool { return slices.Contains(there, micros(at)) }), err
}

// putDue writes a slot that is to fire, as far as the runs of earlier ones let it.
func putDue(ctx context.Context, tx rein.Tx, j Job, s Slot, now time.Time) error {
	open, err := number(ctx, tx, `SELECT count(*) FROM schedule_slots WHERE job = ? AND ended = 0`, j.ID)
	if err != nil {
		return err
	}
	isCaughtUp := j.CatchUp == CatchAll && now.Sub(s.Instant) >= late // what all catches up waits for its turn
	switch {
	case open >= maxCatch:
		s.State, s.Error = Skipped, fmt.Sprintf("%d slots wait for their turn already", open)
	case open > 0 && j.Overlap == OverlapSkip && !isCaughtUp:
		s.State, s.Error = Skipped, "the run of an earlier slot had not ended"
	}
	_, err = put(ctx, tx, s, now)
	return err
}

// put writes a slot, and reports whether it was not there.
func put(ctx context.Context, tx rein.Tx, s Slot, now time.Time) (bool, error) {
	ended, told := int64(0), 0
	if s.State == Skipped {
		ended, told = micros(now), 1
	}
	n, err := exec(ctx, tx, `INSERT INTO schedule_slots (job, instant, state, run, fired, ended, error, missed, micros, told)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?) ON CONFLICT DO NOTHING`,
		s.Job, micros(s.Instant), string(s.State), string(s.Run), micros(now), ended, s.Error, s.Missed, told)
	return n > 0, err
}

// FireNow claims a slot of a job at this instant, whatever its schedule says, and returns it.
func FireNow(ctx context.Context, tx rein.Tx, j Job, now time.Time) (Slot, error) {
	now = now.UTC().Truncate(time.Microsecond)
	s := Slot{Job: j.ID, Instant: now, State: Due, Run: RunOf(j.ID, now), Fired: now}
	_, err := put(ctx, tx, s, now)
	return s, err
}

// A Pending is a slot with its job.
type Pending struct {
	Job  Job
	Slot Slot
}

// Ready returns slots whose run can be started now, the oldest first and those after another slot: those of jobs that allow
// several at once, and of the others the oldest if no run of theirs is going on.
func Ready(ctx context.Context, q store.Query, after Slot, limit int) ([]Pending, error) {
	return pending(ctx, q, `s.ended = 0 AND s.state = 'due' AND (s.instant, s.job) > (?, ?) AND EXISTS (SELECT 1 FROM schedule_jobs j WHERE j.id = s.job AND (j.overlap = 'allow'
		OR NOT EXISTS (SELECT 1 FROM schedule_slots o WHERE o.ended = 0 AND o.job = s.job AND (o.state = 'started' OR o.instant < s.instant))))
		ORDER BY s.instant, s.job LIMIT ?`, micros(after.Instant), after.Job, limit)
}

// Running returns slots whose run was started and whose end nobody noted.
func Running(ctx context.Context, q store.Query) ([]Pending, error) {
	return pending(ctx, q, `s.ended = 0 AND s.state = 'started' ORDER BY s.instant, s.job`)
}

// Untold returns slots of which the session does not know what came.
func Untold(ctx context.Context, q store.Query, limit int) ([]Pending, error) {
	return pending(ctx, q, `s.told = 0 AND s.state IN ('done', 'failed') ORDER BY s.instant, s.job LIMIT ?`, limit)
}

func pending(ctx context.Context, q store.Query, where string, args ...any) ([]Pending, error) {
	found, err := slots(ctx, q, where, args...)
	if err != nil {
		return nil, err
	}
	known := map[string]Job{}
	var all []Pending
	for _, s := range found {
		j, ok := known[s.Job]
		if !ok {
			of, err := jobs(ctx, q, `id = ?`, s.Job)
			if err != nil {
				return nil, err
			}
			if len(of) == 0 {
				continue
			}
			j, known[s.Job] = of[0], of[0]
		}
		all = append(all, Pending{Job: j, Slot: s})
	}
	return all, nil
}
