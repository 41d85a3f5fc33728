package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
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

	since, low int64  // when runs began at least, and the number that they have at least
	typed      string // the newest runs in which the text was typed, as JSON
	stretch    int    // how many runs of a list are looked at at once
}

func newRunsQuery(f store.Filter) *runsQuery {
	q := &runsQuery{Filter: f, stretch: oneStretch}
	q.Text = foldCase(f.Text)
	if f.Newest {
		q.after = math.MaxInt64
	}
	if !f.Since.IsZero() {
		q.since = f.Since.UnixMicro()
	}
	q.lists = f.Household != "" && f.Tree == "" && f.Session == "" && !q.isUnfinished()
	return q
}

// isUnfinished reports whether the filter selects unfinished runs only.
func (q *runsQuery) isUnfinished() bool {
	return q.Unfinished || q.Paused || q.Status != "" && !q.Status.Ended()
}

// A runsPage is what one look at the runs has found.
type runsPage struct {
	runs   []rein.RunInfo
	looked int  // at so many runs, about
	over   bool // there are no more
}

// page reads up to so many runs. A query that sifts a list may find fewer in a stretch of it.
func (q *runsQuery) page(v *snapshot, want int) (p runsPage, err error) {
	if err := q.begin(v); err != nil {
		return p, err
	}
	var m mark
	parts := []runsPart{{q.from(), "", false}}
	if q.lists {
		if m, err = v.mark(); err != nil {
			return p, err
		}
		parts = []runsPart{{q.listed(), ` AND r.n <= ?7`, q.sifts()}, {fromRuns, ` AND r.n > ?7`, false}}
		if q.Newest {
			slices.Reverse(parts)
		}
	}
	for _, part := range parts {
		args := []any{
			string(q.Tree), q.after, q.Session, q.rows(want - len(p.runs)), q.Household, q.User, m.run, string(q.Status),
			q.far(), q.low, q.Text, q.typed, q.Flow, q.Workspace, q.since,
		}
		more := false
		if part.long {
			if more, err = q.stretchEnd(v, args); err != nil {
				return p, err
			}
		}
		full, err := q.read(v, part, args, want, &p)
		switch {
		case err != nil:
			return p, err
		case full:
			return p, nil
		case more:
			q.after = args[farAt].(int64)
			p.looked += q.stretch
			return p, nil
		}
	}
	p.over = true
	return p, nil
}

// A runsPart is a part of the runs, in order.
type runsPart struct {
	from, where string
	long        bool // it is a list that is read in stretches
}

// farAt is where a statement's arguments have the end of the stretch, which is a part of it.
const farAt = 8

// stretchEnd finds where the next stretch of the list ends. It reports whether the list has more after it.
func (q *runsQuery) stretchEnd(v *snapshot, args []any) (more bool, err error) {
	list, where := q.list()
	order := ` AND v.run_n > ?2 ORDER BY v.run_n`
	if q.Newest {
		order = ` AND v.run_n < ?2 AND v.run_n >= ?10 ORDER BY v.run_n DESC`
	}
	var far int64
	err = v.tx.QueryRowContext(v.ctx, `SELECT v.run_n FROM `+list+` v WHERE 1`+where+order+fmt.Sprintf(` LIMIT 1 OFFSET %d`, q.stretch-1), args...).Scan(&far)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	args[farAt] = far
	return true, err
}

// read adds the runs of a statement to a page. It reports whether the page is full, or the statement's rows were.
func (q *runsQuery) read(v *snapshot, part runsPart, args []any, want int, p *runsPage) (full bool, err error) {
	rows, err := v.runRows(q.sql(part.from, part.where), args...)
	if err != nil {
		return false, err
	}
	for _, row := range rows {
		q.after = row.n
		p.looked++
		if row.Used.Micros < q.MinMicros {
			continue
		}
		info, err := row.finish(v.texts(row.household))
		if err != nil {
			return false, err
		}
		if p.runs = append(p.runs, info); len(p.runs) == want {
			return true, nil
		}
	}
	return len(rows) == args[3].(int), nil
}

// rows is how many rows a statement reads so that there may be so many runs.
func (q *runsQuery) rows(want int) int {
	if q.MinMicros > 0 {
		return max(want, page)
	}
	return want
}

// far is where a query ends that is not read in stretches.
func (q *runsQuery) far() int64 {
	if q.Newest {
		return 0
	}
	return math.MaxInt64
}

// sifts reports whether the query looks at runs of a list that it does not select.
func (q *runsQuery) sifts() bool {
	return q.Text != "" || q.Flow != "" || q.Workspace != "" || q.MinMicros > 0 || !q.Since.IsZero()
}

// begin finds the run that the first page comes after, the first run that is new enough, and the runs in which a text was
// typed that nobody has indexed yet.
func (q *runsQuery) begin(v *snapshot) error {
	if q.began {
		return nil
	}
	if q.After != "" {
		row, err := v.run(q.After)
		if err != nil {
			return err
		}
		q.after = row.n
	}
	q.began = true
	if q.since != 0 {
		err := v.tx.QueryRowContext(v.ctx, selectSince, q.since, int64(math.MaxInt64)).Scan(&q.low)
		if err != nil {
			return err
		}
		if !q.Newest {
			q.after = max(q.after, q.low-1)
		}
	}
	if q.Text == "" {
		return nil
	}
	runs, err := v.typedSince(q.Text)
	if err != nil {
		return err
	}
	list := make([]int64, len(runs))
	for i, run := range runs {
		list[i] = run.n
	}
	data, err := json.Marshal(list)
	q.typed = string(data)
	return err
}

// oneStretch is how many runs of a list a query looks at at once, and mostLooked how many one search looks at.
const (
	oneStretch = 2000
	mostLooked = 20_000
)

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
	list, where := q.list()
	return ` FROM ` + list + ` v CROSS JOIN runs r ON r.n = v.run_n` + ofRuns + where
}

// list is the list that the query begins with, and what it selects of that.
func (q *runsQuery) list() (list, where string) {
	list, where = `view_runs`, ` AND v.household_n = (SELECT n FROM households WHERE name = ?5) AND v.user = +?6`
	if q.Status != "" && q.Status != rein.Status(rein.EndDone) {
		list, where = `view_ends`, where+` AND v.status = +?8`
	}
	return list, where
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

// selectSince finds the first run that began at a time or later.
const selectSince = `SELECT coalesce(min(+n), ?2) FROM runs WHERE started >= ?1`

// textOfRun looks for a text in the title of a run and in what people typed.
const textOfRun = `(instr(lower(r.title), ?11) > 0 OR EXISTS (SELECT 1 FROM view_typed t WHERE t.session_n = r.session_n AND t.run_n = r.n AND instr(t.text, ?11) > 0)
	OR r.n IN (SELECT value FROM json_each(?12)))`

// sql selects a page of runs.
func (q *runsQuery) sql(from, where string) string {
	number, order := q.number(from), ``
	far := `<=`
	if q.Newest {
		where, order, far = where+` AND `+number+` < ?2`, ` DESC`, `>=`
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
		{q.sifts() && q.lists, number + ` ` + far + ` ?9`},
		{q.since != 0, number + ` >= ?10 AND r.started >= +?15`},
		{q.Text != "", textOfRun},
		{q.Flow != "", `r.flow = +?13`},
		{q.Workspace != "", `r.workspace = +?14`},
	} {
		if part.given {
			where += ` AND ` + part.sql
		}
	}
	return runColumns + from + where + ` ORDER BY ` + number + order + ` LIMIT ?4`
}

// runRows reads the rows of runs.
func (v *snapshot) runRows(query string, args ...any) (rows []*runRow, err error) {
	err = v.each(func(r *sql.Rows) error {
		row, err := scanRun(r)
		rows = append(rows, row)
		return err
	}, query, args...)
	return rows, err
}
