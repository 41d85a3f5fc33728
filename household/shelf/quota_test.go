package shelf_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/household/shelf"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A user who brings files to session after session, many at once, is stopped at their limit; another
// user is not, and what is deleted makes room again.
//
// Attack: 46
func TestQuotaOfFiles(t *testing.T) {
	const most, size = 20 << 20, 3 << 20
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{Limits: store.Limits{User: rein.Quota{Bytes: most}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	shelf, content := shelf.Shelf{Tables: s}, bytes.Repeat([]byte("x"), size)
	put := func(user string, session int, size int) error {
		_, err := shelf.Put(t.Context(), place(user, session), "a.bin", "text/plain", bytes.NewReader(content[:size]))
		return err
	}
	var kept, refused atomic.Int64
	var wait sync.WaitGroup
	for i := range 40 {
		wait.Go(func() {
			switch err := put("ann", i, size); rein.CodeOf(err) {
			case "":
				kept.Add(1)
			case rein.CodeQuota:
				refused.Add(1)
				if !strings.Contains(err.Error(), "user ann keeps") {
					t.Error(err)
				}
			default:
				t.Error(err)
			}
		})
	}
	wait.Wait()
	if kept.Load() != most/size || kept.Load()+refused.Load() != 40 {
		t.Errorf("%d of 40 files are kept and %d refused; %d fit", kept.Load(), refused.Load(), most/size)
	}
	if n := partsOf(t, s); n != kept.Load()*size>>18 {
		t.Errorf("%d parts are left of %d files", n, kept.Load())
	}
	if err := put("bob", 100, size); err != nil {
		t.Errorf("another user: %v", err)
	}
	if err := put("ann", 200, 3<<20); rein.CodeOf(err) != rein.CodeQuota {
		t.Errorf("one more: %v", err)
	}
	content[0] = 'y'
	for i := range 40 {
		files, err := shelf.List(t.Context(), place("ann", i))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) > 0 {
			if err := put("ann", i, size); err != nil {
				t.Errorf("in the place of another: %v", err)
			}
		}
	}
	for i := range 40 {
		files, err := shelf.List(t.Context(), place("ann", i))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) > 0 {
			if err := shelf.Delete(t.Context(), place("ann", i), files[0].Name); err != nil {
				t.Fatal(err)
			}
			break
		}
	}
	if err := put("ann", 200, size); err != nil {
		t.Errorf("after a file went: %v", err)
	}
	if wrong, err := s.VerifyAccounts(t.Context()); err != nil || len(wrong) > 0 {
		t.Errorf("accounts: %v %v", wrong, err)
	}
}

// A tool that leaves files is held to the same limit, in the transaction that records its result.
func TestQuotaOfTools(t *testing.T) {
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{Limits: store.Limits{User: rein.Quota{Bytes: 1000}}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	task := rein.Task{Household: "home", User: "ann", Session: "s"}
	_, keep, err := shelf.Keep(task.Place(), shelf.Origin{Run: "r", Step: "1"}, time.Now(), rein.Artifact{Name: "a.txt", Data: bytes.Repeat([]byte("x"), 1001)})
	if err != nil {
		t.Fatal(err)
	}
	err = s.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error { return keep(ctx, tx) })
	if rein.CodeOf(err) != rein.CodeQuota {
		t.Errorf("it is kept: %v", err)
	}
}

func place(user string, session int) rein.Place {
	return rein.Place{Household: "home", User: user, Session: fmt.Sprintf("s%d", session)}
}

func partsOf(t *testing.T, s *sqlite.Store) (n int64) {
	t.Helper()
	err := s.Read(t.Context(), func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, `SELECT count(*) FROM session_file_parts`)
		if err != nil {
			return err
		}
		defer rows.Close()
		rows.Next()
		return rows.Scan(&n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}
