package people

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// A Verdict is what an audit of the records about people found.
type Verdict struct {
	Entries int64     `json:"entries"`          // of the chain
	Erased  int64     `json:"erased,omitempty"` // entries of records that changed again or went
	Head    rein.Hash `json:"head"`
	Wrong   []string  `json:"wrong,omitempty"` // empty: nothing is wrong
}

// maxWrong is how many faults a verdict lists.
const maxWrong = 20

// Verify checks the chain of what was done to people, and that users, tokens, login links, browsers and
// changes are what its entries say. Records of a store whose chain has not begun are not looked at.
func Verify(ctx context.Context, tables store.Snapshots) (Verdict, error) {
	v := &verifier{named: map[string]int{}, open: map[int64]bool{}, noted: map[int64][]string{}}
	err := tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		since, err := list(ctx, q, func(rows *sql.Rows) (n int64, err error) { return n, rows.Scan(&n) }, `SELECT since FROM people_chained`)
		if err != nil {
			return err
		}
		if err := v.entries(ctx, q); err != nil {
			return err
		}
		if len(since) == 0 && v.Entries == 0 {
			return nil
		}
		for _, r := range allRecords() {
			if err := v.records(ctx, q, r); err != nil {
				return err
			}
		}
		return nil
	})
	return v.Verdict, err
}

type verifier struct {
	Verdict
	named map[string]int     // how many records of each table the chain names
	open  map[int64]bool     // entries whose name was taken out and that nothing follows yet
	noted map[int64][]string // what the program noted of a record, by its newest entry so far
}

func (v *verifier) wrong(format string, args ...any) {
	if len(v.Wrong) < maxWrong {
		v.Wrong = append(v.Wrong, "people: "+fmt.Sprintf(format, args...))
	}
}

// entries goes through the chain.
func (v *verifier) entries(ctx context.Context, q store.Query) error {
	rows, err := q.QueryContext(ctx, entryColumns+` ORDER BY n`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		e, err := scanEntry(rows)
		if err != nil {
			return err
		}
		v.entry(e)
	}
	for _, n := range slices.Sorted(maps.Keys(v.open)) {
		v.wrong("the record of entry %d was removed, and no later entry says so", n)
	}
	return rows.Err()
}

func (v *verifier) entry(e entry) {
	if e.n != v.Entries+1 {
		v.wrong("entries %d to %d are missing", v.Entries+1, e.n-1)
	} else if !e.isAfter(v.Head) {
		v.wrong("entry %d is not what was written", e.n)
	}
	v.Entries = e.n
	copy(v.Head[:], e.hash)
	delete(v.open, e.follows)
	v.tellNoted(e)
	if e.record.Valid {
		table, _, _ := strings.Cut(e.record.String, "/")
		v.named[table]++
		return
	}
	v.Erased++
	if e.what != entryGone {
		v.open[e.n] = true
	}
}

// tellNoted tells what the program noted of a record when it changed it, and found that somebody else had.
// Its name is in its newest entry only.
func (v *verifier) tellNoted(e entry) {
	noted := v.noted[e.follows]
	delete(v.noted, e.follows)
	switch at := timeOf(e.changed).Format(time.RFC3339); e.what {
	case entryFound:
		noted = append(noted, "had been changed by hand when it was changed at "+at)
	case entryLost:
		noted = append(noted, "had been removed by hand when it was added again at "+at)
	}
	if len(noted) > 0 && !e.record.Valid && e.what != entryGone {
		v.noted[e.n] = noted
		return
	}
	name := e.record.String
	if !e.record.Valid {
		name = fmt.Sprintf("the record that entry %d removed", e.n)
	}
	for _, what := range noted {
		v.wrong("%s %s", name, what)
	}
}

// isAfter reports whether the entry was written after the one with that hash.
func (e *entry) isAfter(before rein.Hash) bool {
	if len(e.digest) != len(before) {
		return false
	}
	hash := e.link(before[:])
	return bytes.Equal(e.hash, hash[:])
}

// records compares the rows of a table with the chain.
func (v *verifier) records(ctx context.Context, q store.Query, r records) error {
	matched := 0
	err := r.each(ctx, q, with("1 = 1"), func(one record) {
		switch {
		case one.last == nil:
			v.wrong("%s was added by hand", one.name)
			return
		case !one.last.isOf(one):
			v.wrong("%s was changed by hand", one.name)
		}
		matched++
	})
	if err != nil || matched == v.named[r.table] {
		return err
	}
	return v.missing(ctx, q, r)
}

// missing names the records that the chain has and the table has not.
func (v *verifier) missing(ctx context.Context, q store.Query, r records) error {
	there := map[string]bool{}
	if err := r.each(ctx, q, with("1 = 1"), func(one record) { there[one.name] = true }); err != nil {
		return err
	}
	named, err := list(ctx, q, func(rows *sql.Rows) (name string, err error) { return name, rows.Scan(&name) },
		`SELECT record FROM people_chain WHERE record LIKE ? ORDER BY n`, r.table+"/%")
	for _, name := range named {
		if !there[name] {
			v.wrong("%s was removed by hand", name)
		}
	}
	return err
}
