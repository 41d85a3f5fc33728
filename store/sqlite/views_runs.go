package sqlite

import (
	"math"
	"slices"

	"rein"
	"rein/store"
)

// A runsQuery reads the runs that a filter selects, page by page, in the order of their numbers. What a page
// costs depends on the page, not on how many runs there are: it begins with whatever selects fewest runs.
type runsQuery struct {
	store.Filter
	after int64
	began bool
	lists bool // it begins with the lists of a household, which end at the mark; what is newer follows
}

func newRunsQuery(f store.Filter) *runsQuery {
	q := &runsQuery{Filter: f}
	if f.Newest {
		q.after = math.MaxInt64
	}
	q.lists = f.Household != "" && f.Tree == "" && f.Session == "" && !q.isUnfinished()
	return q
}

// isUnfinished reports whether the filter selects unfinished runs only.
func (q *runsQuery) isUnfinished() bool {
	return q.Unfinished || q.Paused || q.Status != "" && !q.Status.Ended()
}

// page reads up to so many runs.
func (q *runsQuery) page(v *snapshot, want int) (runs []rein.RunInfo, err error) {
	if q.After != "" && !q.began {
		row, err := v.run(q.After)
		if err != nil {
			return nil, err
		}
		q.after = row.n
	}
	q.began = true
	var m mark
	parts := []string{q.sql(q.from(), "")}
	if q.lists {
		if m, err = v.mark(); err != nil {
			return nil, err
		}
		parts = []string{q.sql(q.listed(), ` AND r.n <= ?7`), q.sql(fromRuns, ` AND r.n > ?7`)}
		if q.Newest {
			slices.Reverse(parts)
		}
	}
	for _, part := range parts {
		some, last, err := v.runsPage(part, string(q.Tree), q.after, q.Session, want-len(runs), q.Household, q.User, m.run, string(q.Status))
		if err != nil {
			return nil, err
		}
		runs = append(runs, some...)
		if len(some) > 0 {
			q.after = last
		}
		if len(runs) == want {
			break
		}
	}
	return runs, nil
}

const (
	ofRuns   = ` CROSS JOIN sessions s ON s.n = r.session_n CROSS JOIN households h ON h.n = s.household_n WHERE 1`
	fromRuns = ` FROM runs r` + ofRuns
)

// from is where the query begins, if not with the lists. CROSS JOIN makes SQLite take that order.
func (q *runsQuery) from() string {
	switch {
	case q.Tree != "":
		return ` FROM runs r` + ofRuns + ` AND ` + below
	case q.Session != "":
		return ` FROM sessions s CROSS JOIN runs r ON r.session_n = s.n CROSS JOIN households h ON h.n = s.household_n WHERE s.id = +?3`
	case q.isUnfinished():
		return ` FROM (` + unfinishedRuns + `) u CROSS JOIN runs r ON r.n = u.n` + ofRuns
	}
	return fromRuns
}

// listed begins with a list of the household.
func (q *runsQuery) listed() string {
	list, where := `view_runs`, ` AND v.household_n = (SELECT n FROM households WHERE name = ?5) AND v.user = +?6`
	if q.Status != "" && q.Status != rein.Status(rein.EndDone) {
		list, where = `view_ends`, where+` AND v.status = +?8`
	}
	return ` FROM ` + list + ` v CROSS JOIN runs r ON r.n = v.run_n` + ofRuns + where
}

// number is what runs are ordered by: the column that the query goes through in order.
func (q *runsQuery) number(from string) string {
	switch {
	case q.Tree != "" || q.isUnfinished():
		return `+r.n` // they are few, and sorted
	case from == q.listed() && q.lists:
		return `v.run_n`
	}
	return `r.n`
}

// sql selects a page of runs.
func (q *runsQuery) sql(from, where string) string {
	number, order := q.number(from), ``
	if q.Newest {
		where, order = where+` AND `+number+` < ?2`, ` DESC`
	} else {
		where += ` AND ` + number + ` > ?2`
	}
	for _, part := range []struct {
		given bool
		sql   string
	}{
		{q.Household != "", `h.name = +?5`},
		{q.User != "", `s.user = +?6`},
		{q.Session != "", `s.id = +?3`},
		{q.Unfinished || q.Paused, `r.done = 0`},
		{q.Paused, `r.paused = 1`},
		{q.Status != "", `r.status = +?8`},
		{q.Roots, `r.depth = 0`},
	} {
		if part.given {
			where += ` AND ` + part.sql
		}
	}
	return runColumns + from + where + ` ORDER BY ` + number + order + ` LIMIT ?4`
}
