package schedule

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"rein"
	"rein/store"
)

const jobColumns = `id, household, user_name, session, run, label, kind, at, every, expression, zone, language, target, payload, text, flow, budget,
	catch_up, overlap, spend, failures, disabled, why, version, created, until, next`

func micros(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMicro()
}

func timeOf(n int64) time.Time {
	if n == 0 {
		return time.Time{}
	}
	return time.UnixMicro(n).UTC()
}

// values are the columns of a job, in the order of jobColumns.
func (j Job) values() ([]any, error) {
	budget := ""
	if j.Payload.Budget != nil {
		data, err := json.Marshal(j.Payload.Budget)
		if err != nil {
			return nil, err
		}
		budget = string(data)
	}
	return []any{
		j.ID, j.Household, j.User, j.Session, string(j.Run), j.Label, string(j.Kind), micros(j.At), int64(j.Every / time.Second), j.Expression, j.Zone, j.Language,
		string(j.Target), string(j.Payload.Kind), j.Payload.Text, j.Payload.Flow, budget, string(j.CatchUp), string(j.Overlap), j.Spend, j.Failures,
		micros(j.Disabled), j.Why, j.Version, micros(j.Created), micros(j.Until), micros(j.Next),
	}, nil
}

func scanJob(rows *sql.Rows) (j Job, err error) {
	var at, every, disabled, created, until, next int64
	var budget string
	if err := rows.Scan(&j.ID, &j.Household, &j.User, &j.Session, &j.Run, &j.Label, &j.Kind, &at, &every, &j.Expression, &j.Zone, &j.Language,
		&j.Target, &j.Payload.Kind, &j.Payload.Text, &j.Payload.Flow, &budget, &j.CatchUp, &j.Overlap, &j.Spend, &j.Failures,
		&disabled, &j.Why, &j.Version, &created, &until, &next); err != nil {
		return j, err
	}
	j.At, j.Every, j.Disabled, j.Created, j.Until, j.Next = timeOf(at), time.Duration(every)*time.Second, timeOf(disabled), timeOf(created), timeOf(until), timeOf(next)
	if budget != "" {
		if err := json.Unmarshal([]byte(budget), &j.Payload.Budget); err != nil {
			return j, rein.Errorf(rein.CodeDamaged, "the budget of job %s cannot be read: %w", j.ID, err)
		}
	}
	return j, nil
}

const slotColumns = `s.job, s.instant, s.state, s.run, s.fired, s.ended, s.error, s.missed, s.micros`

func scanSlot(rows *sql.Rows) (s Slot, err error) {
	var instant, fired, ended int64
	err = rows.Scan(&s.Job, &instant, &s.State, &s.Run, &fired, &ended, &s.Error, &s.Missed, &s.Micros)
	s.Instant, s.Fired, s.Ended = timeOf(instant), timeOf(fired), timeOf(ended)
	return s, err
}

func jobs(ctx context.Context, q store.Query, where string, args ...any) ([]Job, error) {
	return list(ctx, q, scanJob, `SELECT `+jobColumns+` FROM schedule_jobs WHERE `+where, args...)
}

func slots(ctx context.Context, q store.Query, where string, args ...any) ([]Slot, error) {
	return list(ctx, q, scanSlot, `SELECT `+slotColumns+` FROM schedule_slots s WHERE `+where, args...)
}

func list[T any](ctx context.Context, q store.Query, scan func(*sql.Rows) (T, error), query string, args ...any) (all []T, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		one, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}

// number reads one number; none is 0.
func number(ctx context.Context, q store.Query, query string, args ...any) (int64, error) {
	found, err := list(ctx, q, func(rows *sql.Rows) (n int64, err error) { return n, rows.Scan(&n) }, query, args...)
	if err != nil || len(found) == 0 {
		return 0, err
	}
	return found[0], nil
}

// exec writes, and returns how many rows changed.
func exec(ctx context.Context, tx rein.Tx, query string, args ...any) (int64, error) {
	done, err := tx.ExecContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}
