package schedule

import (
	"context"
	"time"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// IDOf is the ID of the job that a step of a run makes: however often the step is committed, it makes one.
func IDOf(run rein.RunID, step rein.StepKey) string {
	return digest.Joined(5, string(run), string(step))
}

// IDOfKey is the ID of the job that a request of a user with a key makes.
func IDOfKey(o Owner, key string) string { return digest.Listed(5, o.Household, o.User, key) }

// Add writes a job. One that is there already stays as it is.
func Add(ctx context.Context, tx rein.Tx, j Job) error {
	if j.ID == "" || j.Household == "" || j.User == "" {
		return rein.Errorf(rein.CodeInvalid, "a job needs an ID, a household and a user")
	}
	if known, err := number(ctx, tx, `SELECT 1 FROM schedule_jobs WHERE id = ?`, j.ID); known != 0 || err != nil {
		return err
	}
	if err := hasRoom(ctx, tx, j.Owner, j.Created); err != nil {
		return err
	}
	values, err := j.values()
	if err != nil {
		return err
	}
	if _, err := exec(ctx, tx, `INSERT INTO schedule_jobs (`+jobColumns+`) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, values...); err != nil {
		return err
	}
	_, err = exec(ctx, tx, `INSERT INTO schedule_days (household, user_name, day, made) VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET made = made + 1`,
		j.Household, j.User, store.Day(j.Created))
	return err
}

// hasRoom refuses one job too many.
func hasRoom(ctx context.Context, q store.Query, o Owner, now time.Time) error {
	made, err := number(ctx, q, `SELECT made FROM schedule_days WHERE household = ? AND user_name = ? AND day = ?`, o.Household, o.User, store.Day(now))
	if err != nil {
		return err
	}
	if made >= MaxNew {
		tomorrow := time.Unix((store.Day(now)+1)*86400, 0).UTC()
		err := &rein.Error{Code: rein.CodeLimit, RetryAfter: tomorrow.Sub(now)}
		err.Msg = rein.Errorf(rein.CodeLimit, "%d jobs were made for %s today, and that is the most for one day: make more after %s", made, o.User, tomorrow.Format("2006-01-02 15:04 MST")).Error()
		return err
	}
	kept, err := number(ctx, q, `SELECT count(*) FROM schedule_jobs WHERE household = ? AND user_name = ? AND (next <> 0 OR disabled <> 0)`, o.Household, o.User)
	if err == nil && kept >= MaxJobs {
		err = rein.Errorf(rein.CodeLimit, "%s has %d jobs, and that is the most: remove some with cron.remove or rein schedule remove", o.User, kept)
	}
	return err
}

// CheckRoom says whether a user can have one more job now, before anybody is asked to agree to it.
func CheckRoom(ctx context.Context, tables store.Snapshots, o Owner, now time.Time) error {
	return tables.Read(ctx, func(ctx context.Context, q store.Query) error { return hasRoom(ctx, q, o, now) })
}

// Find returns a job of a user. Another's is not found.
func Find(ctx context.Context, q store.Query, o Owner, id string) (Job, error) {
	found, err := jobs(ctx, q, `household = ? AND user_name = ? AND id = ?`, o.Household, o.User, id)
	if err == nil && len(found) == 0 {
		err = rein.Errorf(rein.CodeNotFound, "there is no job %.60q: cron.list or rein schedule shows the IDs", id)
	}
	if err != nil {
		return Job{}, err
	}
	return found[0], nil
}

// List returns the jobs of a user: those with slots to come in the order of these, then the others. One whose last slot
// has passed is listed if all is set.
func List(ctx context.Context, q store.Query, o Owner, all bool) ([]Job, error) {
	where := `household = ? AND user_name = ?`
	if !all {
		where += ` AND (next <> 0 OR disabled <> 0 OR EXISTS (SELECT 1 FROM schedule_slots s WHERE s.job = id AND s.ended = 0))`
	}
	return jobs(ctx, q, where+` ORDER BY disabled <> 0, next = 0, next, created, id`, o.Household, o.User)
}

// SlotsOf returns the newest slots of a job, the newest first.
func SlotsOf(ctx context.Context, q store.Query, job string, limit int) ([]Slot, error) {
	return slots(ctx, q, `s.job = ? ORDER BY s.instant DESC LIMIT ?`, job, limit)
}

// Change replaces a job by what it is to become, if it is still at that version. What was claimed of it stays.
func Change(ctx context.Context, tx rein.Tx, j Job, version int64) error {
	j.Version = version + 1
	values, err := j.values()
	if err != nil {
		return err
	}
	set := `session = ?, run = ?, label = ?, kind = ?, at = ?, every = ?, expression = ?, zone = ?, language = ?, target = ?, payload = ?, text = ?, flow = ?, budget = ?,
		catch_up = ?, overlap = ?, spend = ?, failures = ?, disabled = ?, why = ?, version = ?, created = ?, until = ?, next = ?`
	n, err := exec(ctx, tx, `UPDATE schedule_jobs SET `+set+` WHERE id = ? AND household = ? AND user_name = ? AND version = ?`,
		append(values[3:], j.ID, j.Household, j.User, version)...)
	if err == nil && n == 0 {
		err = moved(j.ID)
	}
	if err != nil || j.Disabled.IsZero() {
		return err
	}
	return dropDue(ctx, tx, j.ID, "the job was disabled", j.Disabled)
}

func moved(id string) error {
	return rein.Errorf(rein.CodeConflict, "job %s has changed or was removed meanwhile: look at it again with cron.list or rein schedule", id)
}

// dropDue skips the slots of a job that wait for their turn.
func dropDue(ctx context.Context, tx rein.Tx, job, why string, now time.Time) error {
	_, err := exec(ctx, tx, `UPDATE schedule_slots SET state = 'skipped', error = ?, ended = ?, told = 1 WHERE job = ? AND ended = 0 AND state = 'due'`, why, micros(now), job)
	return err
}

// Remove removes a job of a user with its slots, if it is still at that version; 0: whatever its version.
func Remove(ctx context.Context, tx rein.Tx, o Owner, id string, version int64) error {
	n, err := exec(ctx, tx, `DELETE FROM schedule_jobs WHERE id = ? AND household = ? AND user_name = ? AND (version = ? OR ? = 0)`, id, o.Household, o.User, version, version)
	if err == nil && n == 0 {
		err = moved(id)
	}
	if err != nil {
		return err
	}
	_, err = exec(ctx, tx, `DELETE FROM schedule_slots WHERE job = ?`, id)
	return err
}

// Edit returns a job as it becomes when parts of it are changed. An empty part stays as it is.
func Edit(j Job, part Want, now time.Time, rules Rules) (Job, error) {
	w := j.Wanted()
	timed := part.At != "" || part.Every != "" || part.Cron != ""
	if timed {
		w.At, w.Every, w.Cron, w.Kind = part.At, part.Every, part.Cron, part.Kind
	}
	if part.Target != "" || part.Payload != "" {
		w.Target, w.Payload = part.Target, part.Payload
	}
	for _, f := range []struct {
		to   *string
		from string
	}{{&w.Label, part.Label}, {&w.Zone, part.Zone}, {&w.Text, part.Text}, {&w.Flow, part.Flow}, {&w.CatchUp, part.CatchUp}, {&w.Overlap, part.Overlap}} {
		if f.from != "" {
			*f.to = f.from
		}
	}
	if part.Label == "" && part.Text != "" && j.Label == labelOf(j.Payload.Text) {
		w.Label = "" // it follows the text
	}
	if part.Budget != nil {
		w.Budget = part.Budget
	}
	if part.Spend != 0 {
		w.Spend = max(part.Spend, 0)
	}
	over := j.Kind == At && !j.At.After(now)
	if over && !timed {
		return j, rein.Errorf(rein.CodeInvalid, "job %s was for %s, which has passed: give a new time with it", j.ID, j.At.In(j.Location()).Format("2006-01-02T15:04"))
	}
	changed, err := Make(w, j.Zone, now, rules)
	if err != nil {
		return j, err
	}
	changed.ID, changed.Owner, changed.Session, changed.Run, changed.Language = j.ID, j.Owner, j.Session, j.Run, j.Language
	changed.Created, changed.Version, changed.Disabled, changed.Why = j.Created, j.Version, j.Disabled, j.Why
	if changed.Kind == Every && !timed {
		changed.At = j.At // it keeps its rhythm
		changed.Next = changed.NextAfter(changed.Until)
	}
	return changed, nil
}

// Enabled returns a job as it becomes when a person enables or disables it.
func Enabled(j Job, on bool, now time.Time) Job {
	if !on {
		if j.Disabled.IsZero() {
			j.Disabled, j.Why = now, "disabled by hand"
		}
		return j
	}
	if !j.Disabled.IsZero() {
		j.Disabled, j.Why, j.Failures, j.Until = time.Time{}, "", 0, now
		j.Next = j.NextAfter(now)
	}
	return j
}
