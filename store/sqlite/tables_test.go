package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"path/filepath"
	"testing"

	"rein"
	"rein/store"
	"rein/store/sqlite"
)

func count(ctx context.Context, t *testing.T, q store.Query, query string) int {
	t.Helper()
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		t.Fatal(err)
	}
	n := -1
	if rows.Next() {
		if err := rows.Scan(&n); err != nil {
			t.Fatal(err)
		}
	}
	rows.Close() // while they are open, one moment lasts in any case
	return n
}

// Read shows one moment, writes nothing, and what it hands out is of no use afterwards.
func TestReadTables(t *testing.T) {
	s, err := sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	const runs = `SELECT count(*) FROM runs`
	budget := rein.DefaultBudget()
	var kept store.Query
	err = s.Read(t.Context(), func(ctx context.Context, q store.Query) error {
		before := count(ctx, t, q, runs)
		if _, _, err := s.Start(ctx, store.Start{Run: "r1", Start: rein.RunStart{Task: rein.Task{Flow: "f", Budget: &budget}}}); err != nil {
			return err
		}
		if after := count(ctx, t, q, runs); before != 0 || after != 0 {
			t.Errorf("one moment has %d runs, then %d", before, after)
		}
		rows, err := q.QueryContext(ctx, `DELETE FROM runs RETURNING id`)
		if err == nil {
			rows.Next()
			err = rows.Err()
		}
		if err == nil {
			t.Error("a read has written")
		}
		kept = q
		_, err = q.QueryContext(ctx, runs) // left open: Read closes it
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := kept.QueryContext(t.Context(), runs); !errors.Is(err, sql.ErrTxDone) {
		t.Errorf("a query after its read: %v", err)
	}
	mine := errors.New("mine")
	if err := s.Read(t.Context(), func(context.Context, store.Query) error { return mine }); !errors.Is(err, mine) {
		t.Error(err)
	}
	err = s.Read(t.Context(), func(ctx context.Context, q store.Query) error {
		if n := count(ctx, t, q, runs); n != 1 {
			t.Errorf("%d runs, want 1", n)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
	s.Close()
	if err := s.Read(t.Context(), func(context.Context, store.Query) error { return nil }); rein.CodeOf(err) != rein.CodeUnavailable {
		t.Error(err)
	}
}
