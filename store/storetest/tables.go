package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"rein"
	"rein/store"
)

// calendar makes a table of our own with one row in it.
func (f *fixture) calendar() *driver {
	f.Helper()
	d := f.drive("r")
	d.append(withCommit("CREATE TABLE calendar (day TEXT PRIMARY KEY)"))
	d.append(withCommit("INSERT INTO calendar VALUES ('monday')"))
	return d
}

const selectDays = "SELECT day FROM calendar WHERE day <> ?"

// days counts the rows. While rows are open one moment lasts in any case, so it closes them.
func days(ctx context.Context, q store.Query) (n int, err error) {
	rows, err := q.QueryContext(ctx, selectDays, "")
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	for rows.Next() {
		n++
	}
	return n, rows.Err()
}

var tableTests = []test{
	{"a read sees one moment", func(f *fixture) {
		d := f.calendar()
		var seen []int
		read := func(ctx context.Context, q store.Query) error {
			n, err := days(ctx, q)
			seen = append(seen, n)
			return err
		}
		err := f.store.Read(f.ctx, func(ctx context.Context, q store.Query) error {
			if err := read(ctx, q); err != nil {
				return err
			}
			d.append(withCommit("INSERT INTO calendar VALUES ('tuesday')"))
			return read(ctx, q)
		})
		equal(f, "error", err, nil)
		equal(f, "error", f.store.Read(f.ctx, read), nil)
		equal(f, "days", fmt.Sprint(seen), "[1 1 2]")
	}},
	{"a read does not write", func(f *fixture) {
		f.calendar()
		err := f.store.Read(f.ctx, func(ctx context.Context, q store.Query) error {
			rows, err := q.QueryContext(ctx, "DELETE FROM calendar RETURNING day")
			if err != nil {
				return err
			}
			rows.Next()
			return rows.Err()
		})
		if err == nil {
			f.Error("a read has written")
		}
		err = f.store.Read(f.ctx, func(ctx context.Context, q store.Query) error {
			n, err := days(ctx, q)
			equal(f, "days", n, 1)
			return err
		})
		equal(f, "error", err, nil)
	}},
	{"what a read hands out is of no use after it", func(f *fixture) {
		f.calendar()
		var kept store.Query
		var open *sql.Rows
		err := f.store.Read(f.ctx, func(ctx context.Context, q store.Query) (err error) {
			kept = q
			open, err = q.QueryContext(ctx, "SELECT day FROM calendar")
			return err
		})
		equal(f, "error", err, nil)
		if open.Next() {
			f.Error("rows can be read after their moment")
		}
		if _, err := kept.QueryContext(f.ctx, "SELECT day FROM calendar"); !errors.Is(err, sql.ErrTxDone) {
			f.Errorf("a query after its read: %v", err)
		}
	}},
	{"equal queries are read one within the other, and any number of others", func(f *fixture) {
		f.calendar()
		equal(f, "error", f.store.Write(f.ctx, func(ctx context.Context, tx rein.Tx) error {
			_, err := tx.ExecContext(ctx, "INSERT INTO calendar VALUES ('tuesday')")
			return err
		}), nil)
		for range 3 {
			pairs := 0
			err := f.store.Read(f.ctx, func(ctx context.Context, q store.Query) error {
				rows, err := q.QueryContext(ctx, selectDays, "")
				if err != nil {
					return err
				}
				for rows.Next() {
					n, err := days(ctx, q)
					if err != nil {
						return err
					}
					pairs += n
				}
				return rows.Err()
			})
			equal(f, "error", err, nil)
			equal(f, "pairs", pairs, 4)
		}
		for i := range 200 {
			err := f.store.Read(f.ctx, func(ctx context.Context, q store.Query) error {
				rows, err := q.QueryContext(ctx, fmt.Sprintf("SELECT day FROM calendar WHERE %d = %d", i, i))
				if err == nil && !rows.Next() {
					f.Errorf("query %d finds nothing", i)
				}
				return err
			})
			equal(f, "error", err, nil)
		}
	}},
	{"an error of the reader is returned", func(f *fixture) {
		mine := rein.Errorf(rein.CodeLimit, "enough")
		if err := f.store.Read(f.ctx, func(context.Context, store.Query) error { return mine }); !errors.Is(err, mine) {
			f.Error(err)
		}
		ctx, cancel := context.WithCancel(f.ctx)
		cancel()
		err := f.store.Read(ctx, func(ctx context.Context, q store.Query) error {
			_, err := q.QueryContext(ctx, "SELECT 1")
			return err
		})
		if !errors.Is(err, context.Canceled) {
			f.Errorf("after the context has ended: %v", err)
		}
	}},
	{"a write happens whole or not at all", func(f *fixture) {
		f.calendar()
		add := func(day string, after error) error {
			return f.store.Write(f.ctx, func(ctx context.Context, tx rein.Tx) error {
				if _, err := tx.ExecContext(ctx, "INSERT INTO calendar VALUES (?)", day); err != nil {
					return err
				}
				return after
			})
		}
		mine := rein.Errorf(rein.CodeLimit, "enough")
		equal(f, "error", add("tuesday", nil), nil)
		if err := add("wednesday", mine); !errors.Is(err, mine) || errors.Is(err, store.ErrCommit) {
			f.Errorf("the error is not the function's own: %v", err)
		}
		if add("tuesday", nil) == nil {
			f.Error("a row was written twice")
		}
		err := f.store.Read(f.ctx, func(ctx context.Context, q store.Query) error {
			n, err := days(ctx, q)
			equal(f, "days", n, 2)
			return err
		})
		equal(f, "error", err, nil)
	}},
	{"a write that panics is an error and leaves the store working", func(f *fixture) {
		f.calendar()
		var kept rein.Tx
		err := f.store.Write(f.ctx, func(ctx context.Context, tx rein.Tx) error {
			kept = tx
			if _, err := tx.ExecContext(ctx, "DELETE FROM calendar"); err != nil {
				return err
			}
			panic("oh")
		})
		if err == nil {
			f.Error("a panic is no error")
		}
		if _, err := kept.ExecContext(f.ctx, "DELETE FROM calendar"); !errors.Is(err, sql.ErrTxDone) {
			f.Errorf("a transaction after its end: %v", err)
		}
		err = f.store.Write(f.ctx, func(ctx context.Context, tx rein.Tx) error {
			n, err := days(ctx, tx)
			equal(f, "days", n, 1)
			return err
		})
		equal(f, "error", err, nil)
	}},
}
