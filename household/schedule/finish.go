package schedule

import (
	"context"
	"database/sql"
	"time"

	"rein"
	"rein/household/post"
	"rein/internal/speech"
	"rein/store"
)

// MarkStarted notes that the run of a slot was started.
func MarkStarted(ctx context.Context, tx rein.Tx, s Slot) error {
	_, err := exec(ctx, tx, `UPDATE schedule_slots SET state = 'started' WHERE job = ? AND instant = ? AND state = 'due'`, s.Job, micros(s.Instant))
	return err
}

// Skip notes that a slot does not fire after all.
func Skip(ctx context.Context, tx rein.Tx, s Slot, why string, now time.Time) error {
	_, err := exec(ctx, tx, `UPDATE schedule_slots SET state = 'skipped', error = ?, ended = ?, told = 1 WHERE job = ? AND instant = ? AND state = 'due'`,
		why, micros(now), s.Job, micros(s.Instant))
	return err
}

// MarkTold notes that the session knows what came of a slot.
func MarkTold(ctx context.Context, tx rein.Tx, s Slot) error {
	_, err := exec(ctx, tx, `UPDATE schedule_slots SET told = 1 WHERE job = ? AND instant = ?`, s.Job, micros(s.Instant))
	return err
}

// An End is what came of a slot.
type End struct {
	Failed bool   // counts as a failure of the job
	Error  string // why there is no result, in words for people; empty: there is one
	Text   string // the result
	Micros int64  // what it cost
}

// Finish notes what came of a slot, with the message that the user gets, once; further calls change nothing. It disables
// the job if it failed too often or spent too much.
func Finish(ctx context.Context, tx rein.Tx, p Pending, e End, now time.Time, rules Rules) error {
	state, told := Done, 0
	if e.Error != "" && p.Job.Payload.Kind == AgentTurn {
		state = Failed
	}
	if p.Job.Payload.Kind == SystemEvent {
		told = 1 // its run was the message
	}
	n, err := exec(ctx, tx, `UPDATE schedule_slots SET state = ?, ended = ?, error = ?, micros = ?, told = ? WHERE job = ? AND instant = ? AND ended = 0`,
		string(state), micros(now), clip(e.Error, 500), e.Micros, told, p.Slot.Job, micros(p.Slot.Instant))
	if err != nil || n == 0 {
		return err
	}
	if err := post.Put(ctx, tx, message(p, e, now)); err != nil {
		return err
	}
	found, err := jobs(ctx, tx, `id = ?`, p.Job.ID) // as it is now
	if err != nil || len(found) == 0 {
		return err
	}
	return judge(ctx, tx, found[0], e, now, rules)
}

// message is what the user gets of a slot.
func message(p Pending, e End, now time.Time) post.Message {
	m := post.Message{
		ID: "job-" + string(p.Slot.Run), Household: p.Job.Household, User: p.Job.User, Session: p.Job.Session, Run: p.Slot.Run,
		Kind: post.Reminder, Text: Reminding(p.Job, p.Slot), At: now,
	}
	if p.Job.Payload.Kind == AgentTurn {
		m.Kind, m.Text = post.Result, Reporting(p.Job, e)
	}
	return m
}

// Reminding is what a reminder says.
func Reminding(j Job, s Slot) string {
	text := words.Say(j.Language, "reminder", j.Payload.Text)
	if s.Fired.Sub(s.Instant) >= tellsLate {
		text += " " + words.Say(j.Language, "late", speech.When(j.Language, s.Instant.In(j.Location()), s.Fired))
	}
	return text
}

// tellsLate is how late a reminder is that says when it was for.
const tellsLate = 5 * time.Minute

// maxResult is how much of a result a message has. The rest is in the run.
const maxResult = 8000

// Reporting is what a message says about the result of a run.
func Reporting(j Job, e End) string {
	if e.Error != "" {
		return words.Say(j.Language, "failed", j.Label, clip(e.Error, 500))
	}
	if e.Text == "" {
		return words.Say(j.Language, "silent", j.Label)
	}
	return words.Say(j.Language, "result", j.Label, clip(e.Text, maxResult))
}

func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return rein.Clip(text, most-len("…"))
}

// judge counts a failure, and disables a job that failed too often or whose runs cost too much.
func judge(ctx context.Context, tx rein.Tx, j Job, e End, now time.Time, rules Rules) error {
	failures := 0
	if e.Failed {
		failures = j.Failures + 1
	} else if e.Error != "" {
		failures = j.Failures // a person stopped it, which says nothing about the job
	}
	if failures != j.Failures {
		if _, err := exec(ctx, tx, `UPDATE schedule_jobs SET failures = ? WHERE id = ?`, failures, j.ID); err != nil {
			return err
		}
	}
	if !j.Disabled.IsZero() {
		return nil
	}
	if rules.Failures > 0 && failures >= rules.Failures {
		return disable(ctx, tx, j, words.Say(j.Language, "often", failures), now)
	}
	if e.Micros == 0 {
		return nil
	}
	left, whose, err := moneyLeft(ctx, tx, j, now, rules)
	if err == nil && whose != "" && left <= 0 {
		err = disable(ctx, tx, j, words.Say(j.Language, whose), now)
	}
	return err
}

// disable disables a job that can fire again, with a message.
func disable(ctx context.Context, tx rein.Tx, j Job, why string, now time.Time) error {
	n, err := exec(ctx, tx, `UPDATE schedule_jobs SET disabled = ?, why = ?, version = version + 1 WHERE id = ? AND disabled = 0 AND next <> 0`, micros(now), why, j.ID)
	if err != nil || n == 0 {
		return err
	}
	if err := dropDue(ctx, tx, j.ID, "the job was disabled", now); err != nil {
		return err
	}
	return post.Put(ctx, tx, post.Message{
		ID: "job-off-" + j.ID + "-" + timeOf(micros(now)).Format("20060102150405.000000"), Household: j.Household, User: j.User, Session: j.Session,
		Kind: post.Notice, Text: words.Say(j.Language, "disabled", j.Label, why, j.ID), At: now,
	})
}

// MoneyLeft returns what the runs of a job may still cost. limited is false if nothing limits them.
func MoneyLeft(ctx context.Context, q store.Query, j Job, now time.Time, rules Rules) (left int64, limited bool, err error) {
	left, whose, err := moneyLeft(ctx, q, j, now, rules)
	return left, whose != "", err
}

// moneyLeft returns also the key of the words for the limit that leaves so little; empty: there is none.
func moneyLeft(ctx context.Context, q store.Query, j Job, now time.Time, rules Rules) (left int64, whose string, err error) {
	since := micros(now.Add(-spendWindow))
	if j.Spend > 0 {
		spent, err := number(ctx, q, `SELECT coalesce(sum(micros), 0) FROM schedule_slots WHERE job = ? AND fired > ?`, j.ID, since)
		if err != nil {
			return 0, "", err
		}
		left, whose = j.Spend-spent, "spent"
	}
	if rules.Money > 0 {
		spent, err := number(ctx, q, `SELECT coalesce(sum(s.micros), 0) FROM schedule_slots s JOIN schedule_jobs j ON j.id = s.job
			WHERE j.household = ? AND j.user_name = ? AND s.fired > ?`, j.Household, j.User, since)
		if err != nil {
			return 0, "", err
		}
		if whose == "" || rules.Money-spent < left {
			left, whose = rules.Money-spent, "spentall"
		}
	}
	return left, whose, nil
}

// prune removes the oldest ended slots of a job. That they fired is still known: their runs are there.
func prune(ctx context.Context, tx rein.Tx, job string) error {
	oldest, err := number(ctx, tx, `SELECT instant FROM schedule_slots WHERE job = ? ORDER BY instant DESC LIMIT 1 OFFSET ?`, job, maxKept)
	if err != nil || oldest == 0 {
		return err
	}
	_, err = exec(ctx, tx, `DELETE FROM schedule_slots WHERE job = ? AND instant <= ? AND told = 1 AND state IN ('done', 'failed', 'skipped')`, job, oldest)
	return err
}

// Tidy removes jobs whose last slot passed long ago, the oldest slots of others, and counts of earlier days.
func Tidy(ctx context.Context, tx rein.Tx, now time.Time) error {
	const over = `next = 0 AND disabled = 0 AND until < ? AND NOT EXISTS (SELECT 1 FROM schedule_slots s WHERE s.job = id AND (s.ended = 0 OR s.told = 0))`
	before := micros(now.Add(-keptFinished))
	if _, err := exec(ctx, tx, `DELETE FROM schedule_slots WHERE job IN (SELECT id FROM schedule_jobs WHERE `+over+`)`, before); err != nil {
		return err
	}
	if _, err := exec(ctx, tx, `DELETE FROM schedule_jobs WHERE `+over, before); err != nil {
		return err
	}
	if _, err := exec(ctx, tx, `DELETE FROM schedule_days WHERE day < ?`, store.Day(now)-1); err != nil {
		return err
	}
	many, err := list(ctx, tx, func(rows *sql.Rows) (id string, err error) { return id, rows.Scan(&id) }, `SELECT job FROM schedule_slots GROUP BY job HAVING count(*) > ?`, maxKept)
	for _, job := range many {
		if err == nil {
			err = prune(ctx, tx, job)
		}
	}
	return err
}
