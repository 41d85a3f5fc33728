package sqlite

import (
	"database/sql"
	"fmt"
	"maps"
)

// compareViews compares the sums of days, and how long the lists are, with the runs up to the mark.
func (a *accountAudit) compareViews() error {
	m, err := a.snapshot.mark()
	if err != nil {
		return err
	}
	want := map[usageDay]usageParts{}
	err = a.each(func(r *sql.Rows) error {
		day, key, used, err := scanUsage(r)
		if err == nil { // a ledger that cannot be read is damage, which the audit of its run finds
			want[day] = want[day].add(key, 1, used)
		}
		return nil
	}, selectUsage+` WHERE r.n <= ? AND r.done = 1 AND r.depth = 0`, m.run)
	if err != nil {
		return err
	}
	err = a.each(func(r *sql.Rows) error {
		var day usageDay
		var blob []byte
		if err := r.Scan(&day.household, &day.user, &day.day, &blob); err != nil {
			return err
		}
		has, err := unpackUsage(blob)
		if err != nil || !maps.Equal(has, want[day]) {
			a.say(owner{day.household, day.user}, "the sums of day %d are not those of its runs", day.day)
		}
		delete(want, day)
		return nil
	}, `SELECT household_n, user, day, parts FROM view_usage`)
	for day := range want {
		a.say(owner{day.household, day.user}, "the sums of day %d are missing", day.day)
	}
	if err != nil {
		return err
	}
	return a.compareLists(m)
}

// compareLists compares how long the lists are.
func (a *accountAudit) compareLists(m mark) error {
	for _, list := range []struct{ name, has, want string }{
		{"runs", `SELECT count(*) FROM view_runs WHERE user = ''`, `SELECT count(*) FROM runs WHERE n <= ?1`},
		{"ends", `SELECT count(*) FROM view_ends WHERE user = ''`, `SELECT count(*) FROM runs WHERE n <= ?1 AND done = 1 AND status <> 'done'`},
		{"asks", `SELECT count(*) FROM view_asks WHERE user = '' AND state = ''`, `SELECT count(*) FROM asks WHERE ?2`},
	} {
		var has, want int64
		if err := a.tx.QueryRowContext(a.ctx, list.has).Scan(&has); err != nil {
			return err
		}
		if err := a.tx.QueryRowContext(a.ctx, list.want, m.run, m.filled).Scan(&want); err != nil {
			return err
		}
		if has != want && (list.name != "asks" || m.filled) && len(a.wrong) < maxWrong {
			a.wrong = append(a.wrong, fmt.Sprintf("the list of %s has %d entries; there are %d", list.name, has, want))
		}
	}
	return nil
}
