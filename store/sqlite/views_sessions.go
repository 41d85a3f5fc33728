package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"iter"
	"math"
	"slices"

	"rein"
	"rein/store"
)

// Sessions implements store.Views.
func (s *Store) Sessions(ctx context.Context, f store.SessionFilter) iter.Seq2[rein.SessionInfo, error] {
	return func(yield func(rein.SessionInfo, error) bool) {
		q := newSessionsQuery(f)
		for left := f.Limit; ; {
			want := page
			if f.Limit > 0 {
				want = min(left, page)
			}
			var sessions []rein.SessionInfo
			err := s.view(ctx, func(v *snapshot) (err error) {
				sessions, err = q.page(v, want)
				return err
			})
			if err != nil {
				yield(rein.SessionInfo{}, err)
				return
			}
			for _, session := range sessions {
				if !yield(session, nil) {
					return
				}
			}
			left -= len(sessions)
			if len(sessions) < want || f.Limit > 0 && left == 0 {
				return
			}
		}
	}
}

// A sessionsQuery reads the sessions that a filter selects, page by page. Those of one user are in a list.
type sessionsQuery struct {
	store.SessionFilter
	after int64
	began bool
}

func newSessionsQuery(f store.SessionFilter) *sessionsQuery {
	q := &sessionsQuery{SessionFilter: f}
	q.Text = foldCase(f.Text)
	if f.Recent {
		q.after = math.MaxInt64
	}
	return q
}

func (q *sessionsQuery) page(v *snapshot, want int) (sessions []rein.SessionInfo, err error) {
	if err := q.begin(v); err != nil {
		return nil, err
	}
	m, err := v.mark()
	if err != nil {
		return nil, err
	}
	args, err := q.args(v)
	if err != nil {
		return nil, err
	}
	for _, part := range q.parts() {
		upto := m.session
		if q.Recent {
			upto = m.run
		}
		some, last, err := v.sessionsPage(part, append(args, q.after, want-len(sessions), upto)...)
		if err != nil {
			return nil, err
		}
		sessions = append(sessions, some...)
		if len(some) > 0 {
			q.after = last
		}
		if len(sessions) == want {
			break
		}
	}
	return sessions, v.countWaiting(sessions, q.For, q.Adult)
}

// begin finds the session that the page comes after.
func (q *sessionsQuery) begin(v *snapshot) error {
	if q.began || q.After == "" {
		return nil
	}
	q.began = true
	query := `SELECT s.n FROM sessions s WHERE s.id = +?`
	if q.Recent {
		query = `SELECT r.n FROM sessions s CROSS JOIN runs r ON r.n = ` + lastRoot + ` WHERE s.id = +?`
	}
	err := v.tx.QueryRowContext(v.ctx, query, q.After).Scan(&q.after)
	if errors.Is(err, sql.ErrNoRows) {
		return rein.Errorf(rein.CodeNotFound, "there is no session %q", q.After)
	}
	return err
}

// args are the first parameters of the statements: household, user, sessions to look at, text, sessions that were found.
func (q *sessionsQuery) args(v *snapshot) ([]any, error) {
	ids, found, newer := `[]`, []byte(`[]`), []byte(`[]`)
	if q.IDs != nil {
		list, err := json.Marshal(slices.Compact(slices.Sorted(slices.Values(q.IDs))))
		if err != nil {
			return nil, err
		}
		ids = string(list)
	}
	if q.Text != "" {
		runs, err := v.typedSince(q.Text)
		if err != nil {
			return nil, err
		}
		sessions := make([]int64, len(runs))
		for i, run := range runs {
			sessions[i] = run.session
		}
		var errs [2]error
		found, errs[0] = json.Marshal(append([]string{}, q.Found...))
		newer, errs[1] = json.Marshal(sessions)
		if err := errors.Join(errs[:]...); err != nil {
			return nil, err
		}
	}
	return []any{q.Household, q.User, ids, q.Text, string(found), string(newer)}, nil
}

// lastRoot is the newest root run of a session.
const lastRoot = `(SELECT x.n FROM runs x WHERE x.session_n = s.n AND x.depth = 0 ORDER BY x.n DESC LIMIT 1)`

// parts are the statements that have the sessions in order: the list up to its mark, then what is newer. Recent sessions
// are found by their newest root.
func (q *sessionsQuery) parts() []string {
	const (
		listed = ` WHERE v.household_n = (SELECT n FROM households WHERE name = ?1) AND v.user = +?2`
		roots  = ` FROM runs r CROSS JOIN sessions s ON s.n = r.session_n WHERE r.depth = 0 AND r.n = ` + lastRoot
	)
	switch {
	case q.IDs != nil && q.Recent:
		return []string{q.sql(` FROM json_each(?3) j CROSS JOIN sessions s ON s.id = j.value CROSS JOIN runs r ON r.n = `+lastRoot+` WHERE 1`, `+r.n`)}
	case q.IDs != nil:
		return []string{q.sql(` FROM json_each(?3) j CROSS JOIN sessions s ON s.id = j.value WHERE 1`, `+s.n`)}
	case q.Household == "" && q.Recent:
		return []string{q.sql(roots, `r.n`)}
	case q.Household == "":
		return []string{q.sql(` FROM sessions s WHERE 1`, `s.n`)}
	case q.Recent:
		return []string{
			q.sql(roots+` AND r.n > ?9`, `r.n`),
			q.sql(` FROM view_runs v CROSS JOIN runs r ON r.n = v.run_n CROSS JOIN sessions s ON s.n = r.session_n`+listed+`
				AND v.run_n <= ?9 AND r.depth = 0 AND r.n = `+lastRoot, `v.run_n`),
		}
	}
	return []string{
		q.sql(` FROM view_sessions v CROSS JOIN sessions s ON s.n = v.session_n`+listed+` AND v.session_n <= ?9`, `v.session_n`),
		q.sql(` FROM sessions s WHERE s.n > ?9`, `s.n`),
	}
}

// sql selects the numbers of a page of sessions, and then what is shown of them.
func (q *sessionsQuery) sql(from, number string) string {
	order := ``
	if q.Recent {
		from, order = from+` AND `+number+` < ?7`, ` DESC`
	} else {
		from += ` AND ` + number + ` > ?7`
	}
	for _, part := range []struct {
		given bool
		sql   string
	}{
		{q.Household != "", `s.household_n = (SELECT n FROM households WHERE name = ?1)`},
		{q.User != "", `s.user = +?2`},
		{q.Text != "", `(EXISTS (SELECT 1 FROM view_typed t WHERE t.session_n = s.n AND instr(t.text, ?4) > 0)
			OR s.id IN (SELECT value FROM json_each(?5)) OR s.n IN (SELECT value FROM json_each(?6)))`},
	} {
		if part.given {
			from += ` AND ` + part.sql
		}
	}
	return `SELECT p.n, s.id, h.name, s.user, s.started, s.changed, s.runs,
			coalesce((SELECT r.id FROM runs r WHERE r.session_n = s.n AND r.done = 0 AND r.depth = 0 ORDER BY r.n DESC LIMIT 1), ''),
			coalesce((SELECT r.title FROM runs r WHERE r.session_n = s.n AND r.depth = 0 ORDER BY r.n LIMIT 1), ''),
			coalesce(l.status, ''), coalesce(l.flow, ''), coalesce(l.workspace, '')
		FROM (SELECT ` + number + ` AS n, s.n AS session` + from + ` ORDER BY ` + number + order + ` LIMIT ?8) p
			CROSS JOIN sessions s ON s.n = p.session CROSS JOIN households h ON h.n = s.household_n LEFT JOIN runs l ON l.n = ` + lastRoot + `
		ORDER BY p.n` + order
}

// sessionsPage reads a page of sessions, and returns the number of the last one.
func (v *snapshot) sessionsPage(query string, args ...any) (sessions []rein.SessionInfo, last int64, err error) {
	err = v.each(func(r *sql.Rows) error {
		var info rein.SessionInfo
		var started, changed int64
		err := r.Scan(&last, &info.ID, &info.Household, &info.User, &started, &changed, &info.Runs, &info.Active,
			&info.Title, &info.Status, &info.Flow, &info.Workspace)
		info.Started, info.Changed = micros(started), micros(changed)
		sessions = append(sessions, info)
		return err
	}, query, args...)
	return sessions, last, err
}

// countWaiting counts what the user may answer. Only the runs of a session that is active can have open asks.
func (v *snapshot) countWaiting(sessions []rein.SessionInfo, user string, adult bool) error {
	if user == "" {
		return nil
	}
	for i := range sessions {
		if sessions[i].Active == "" {
			continue
		}
		asks, err := v.asks(` FROM sessions s CROSS JOIN runs r ON r.session_n = s.n AND r.done = 0
			CROSS JOIN asks a INDEXED BY asks_pending ON a.run_n = r.n AND a.state = 'pending' WHERE s.id = +?`, sessions[i].ID)
		if err != nil {
			return err
		}
		for _, ask := range asks {
			if ask.For == user || ask.For == "" && ask.user == user || adult && ask.For == rein.ForAdults {
				sessions[i].Waiting++
			}
		}
	}
	return nil
}
