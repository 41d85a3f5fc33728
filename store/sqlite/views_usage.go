package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"sort"
	"time"

	"rein"
	"rein/store"
)

// Usage implements store.Views. All of it is seen at one moment, so that a tree that ends meanwhile is counted
// once.
func (s *Store) Usage(ctx context.Context, f store.UsageFilter) (u store.Usage, err error) {
	if f.Zone == nil {
		f.Zone = time.UTC
	}
	err = s.view(ctx, func(v *snapshot) error {
		q := &usageQuery{snapshot: v, known: &s.days, UsageFilter: f, sums: map[string]*rein.UsageSum{}, days: map[int64]zoneDates{}}
		u, err = q.read()
		return err
	})
	return u, err
}

// A usageQuery adds up what trees have used.
type usageQuery struct {
	*snapshot
	store.UsageFilter
	known     *knownDays
	household int64
	mark      mark
	sums      map[string]*rein.UsageSum
	days      map[int64]zoneDates // by the number of the day since 1970
}

func (q *usageQuery) read() (u store.Usage, err error) {
	err = q.tx.QueryRowContext(q.ctx, `SELECT n FROM households WHERE name = ?`, q.Household).Scan(&q.household)
	if errors.Is(err, sql.ErrNoRows) {
		return u, nil
	}
	if err == nil {
		q.mark, err = q.snapshot.mark()
	}
	if err != nil {
		return u, err
	}
	if q.By == store.BySession {
		return q.bySession()
	}
	for _, part := range []func() error{q.folded, q.newer} {
		if err := part(); err != nil {
			return u, err
		}
	}
	for _, what := range slices.Sorted(maps.Keys(q.sums)) {
		u.Sums = append(u.Sums, *q.sums[what])
	}
	u.Open, err = q.open(nil)
	return u, err
}

// of is a condition on the user, as the last of a query's.
func (q *usageQuery) of(column string) string {
	if q.User == "" {
		return ``
	}
	return ` AND ` + column + ` = +?2`
}

const selectDays = `SELECT user, day, parts FROM view_usage WHERE household_n = ?1`

// folded adds up the days.
func (q *usageQuery) folded() error {
	return q.each(func(r *sql.Rows) error {
		day := usageDay{household: q.household}
		var parts sql.RawBytes
		if err := r.Scan(&day.user, &day.day, &parts); err != nil {
			return err
		}
		sums, err := q.known.of(day, parts)
		if err == nil {
			q.addDay(day, sums)
		}
		return err
	}, selectDays+q.of(`user`), q.household, q.User)
}

// addDay adds what trees used that began on a day.
func (q *usageQuery) addDay(day usageDay, sums *daySums) {
	if q.By == store.ByDay {
		q.addDates(q.dates(day.day), sums)
		return
	}
	for _, s := range sums.flows {
		what := day.user
		if q.By == store.ByFlow {
			what = s.flow
		}
		q.add(what, s.usageSum)
	}
}

const selectNewer = selectUsage + ` WHERE r.n > ?3 AND r.done = 1 AND r.depth = 0 AND s.household_n = +?1`

// newer adds the trees that are newer than the mark.
func (q *usageQuery) newer() error {
	return q.each(func(r *sql.Rows) error {
		day, key, used, err := scanUsage(r)
		if err == nil {
			q.addDay(day, sumsOf(usageParts{key: {1, used}}))
		}
		return err
	}, selectNewer+q.of(`s.user`), q.household, q.User, q.mark.run)
}

func (q *usageQuery) add(what string, sum usageSum) {
	s := q.sums[what]
	if s == nil {
		s = &rein.UsageSum{What: what}
		q.sums[what] = s
	}
	s.Runs += sum.runs
	s.Used = s.Used.Plus(sum.used)
}

// addDates adds what trees used that began on a day to the dates that the day has in the zone.
func (q *usageQuery) addDates(d zoneDates, sums *daySums) {
	if d.cut == quartersOfDay {
		q.add(d.first, sums.whole)
		return
	}
	for _, s := range sums.quarters {
		if s.quarter < d.cut {
			q.add(d.first, s.usageSum)
		} else {
			q.add(d.last, s.usageSum)
		}
	}
}

// zoneDates are the dates that a day has in a zone: the first until the quarter of an hour that cut is, then the last.
type zoneDates struct {
	first, last string
	cut         int
}

// dates works out the dates of a day in the zone, once: it takes long.
func (q *usageQuery) dates(day int64) zoneDates {
	d, ok := q.days[day]
	if !ok {
		date := func(n int) string {
			return dayTime(day).Add(time.Duration(n) * quarter).In(q.Zone).Format(time.DateOnly)
		}
		d = zoneDates{first: date(0), last: date(quartersOfDay - 1), cut: quartersOfDay}
		if d.first != d.last {
			d.cut = sort.Search(quartersOfDay, func(n int) bool { return date(n) != d.first })
		}
		q.days[day] = d
	}
	return d
}

const (
	selectOpen = `SELECT r.id, s.user, s.id, s.n, r.flow, r.status, r.started, r.seq, r.used
		FROM runs r CROSS JOIN sessions s ON s.n = r.session_n
		WHERE r.done = 0 AND r.depth = 0 AND s.household_n = +?1`
	selectOpenBelow = `SELECT id, seq FROM runs WHERE id > ? AND id < ? AND +done = 0`
)

// open reads the trees that have not ended; those of some sessions only, unless they are nil.
func (q *usageQuery) open(sessions map[int64]bool) (trees []store.OpenTree, err error) {
	err = q.each(func(r *sql.Rows) error {
		var t store.OpenTree
		var session, started int64
		var used sql.RawBytes
		if err := r.Scan(&t.Root.ID, &t.Root.User, &t.Root.Session, &session, &t.Root.Flow, &t.Root.Status, &started, &t.Root.Seq, &used); err != nil {
			return err
		}
		if sessions != nil && !sessions[session] {
			return nil
		}
		t.Root.Household, t.Root.Started = q.Household, micros(started)
		t.Runs = []store.OpenRun{{ID: t.Root.ID, Seq: t.Root.Seq}}
		var err error
		t.Used, err = unpackAmount(used)
		trees = append(trees, t)
		return err
	}, selectOpen+q.of(`s.user`), q.household, q.User)
	for i := range trees {
		if err == nil && trees[i].Used.Runs > 1 { // it is not alone
			err = q.openBelow(&trees[i])
		}
	}
	return trees, err
}

// openBelow adds the runs below the root that have not ended.
func (q *usageQuery) openBelow(t *store.OpenTree) error {
	return q.each(func(r *sql.Rows) error {
		var run store.OpenRun
		err := r.Scan(&run.ID, &run.Seq)
		t.Runs = append(t.Runs, run)
		return err
	}, selectOpenBelow, t.Root.ID+".", t.Root.ID+"/")
}

const (
	selectSessionPage = `SELECT s.n, s.id FROM view_sessions v CROSS JOIN sessions s ON s.n = v.session_n
		WHERE v.household_n = +?1 AND v.user = +?2 AND v.session_n > ?3 AND v.session_n <= ?4 ORDER BY v.session_n LIMIT ?5`
	selectNewSessions = `SELECT s.n, s.id FROM sessions s WHERE s.n > ?3 AND s.n > ?4 AND s.household_n = ?1`
	selectSessionUse  = `SELECT r.used FROM runs r WHERE r.session_n = ? AND r.depth = 0 AND r.done = 1`
)

// bySession reads a page of sessions and adds up their runs.
func (q *usageQuery) bySession() (u store.Usage, err error) {
	after, limit := int64(0), q.Limit
	if q.After != "" {
		err := q.tx.QueryRowContext(q.ctx, `SELECT n FROM sessions WHERE id = ? AND household_n = ?`, q.After, q.household).Scan(&after)
		if errors.Is(err, sql.ErrNoRows) {
			return u, rein.Errorf(rein.CodeNotFound, "there is no session %q", q.After)
		}
		if err != nil {
			return u, err
		}
	}
	if limit == 0 {
		limit = -2
	}
	var numbers []int64
	page := func(r *sql.Rows) error {
		var n int64
		var sum rein.UsageSum
		err := r.Scan(&n, &sum.What)
		numbers, u.Sums = append(numbers, n), append(u.Sums, sum)
		return err
	}
	if err := q.each(page, selectSessionPage, q.household, q.User, after, q.mark.session, limit+1); err != nil {
		return u, err
	}
	if limit < 0 || len(numbers) <= limit {
		rest := limit + 1 - len(numbers)
		if limit < 0 {
			rest = -1
		}
		if err := q.each(page, selectNewSessions+q.of(`s.user`)+` ORDER BY s.n LIMIT ?5`, q.household, q.User, after, q.mark.session, rest); err != nil {
			return u, err
		}
	}
	if limit > 0 && len(numbers) > limit {
		numbers, u.Sums = numbers[:limit], u.Sums[:limit]
		u.Next = u.Sums[limit-1].What
	}
	return q.fill(u, numbers)
}

// fill adds up the runs of each session.
func (q *usageQuery) fill(u store.Usage, numbers []int64) (store.Usage, error) {
	shown := map[int64]bool{}
	for i, n := range numbers {
		shown[n] = true
		sum := &u.Sums[i]
		err := q.each(func(r *sql.Rows) error {
			var blob []byte
			if err := r.Scan(&blob); err != nil {
				return err
			}
			used, err := unpackAmount(blob)
			sum.Runs++
			sum.Used = sum.Used.Plus(used)
			return err
		}, selectSessionUse, n)
		if err != nil {
			return u, err
		}
	}
	var err error
	u.Open, err = q.open(shown)
	return u, err
}
