package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"rein"
	"rein/store"
)

// smallFile is how large a file may be to be checked while it is opened. That takes a moment; the check of
// a large file takes minutes, so it runs in the background, and only after an unclean end.
const smallFile = 32 << 20

// A checker checks the pages of a file that was not closed, beside those who use it.
type checker struct {
	report func(store.Check)
	cancel context.CancelFunc
	over   chan struct{} // closed when nothing is being checked

	fault atomic.Pointer[rein.Error] // writes are refused with it

	mu    sync.Mutex
	state store.Check
}

// left is what the process before us left on the disk.
type left struct {
	size    int64 // of the file and its write-ahead log
	unclean bool  // the write-ahead log has something in it: nobody closed the file
}

// lookAtFile must be called before the file is opened.
func lookAtFile(path string) (l left) {
	if info, err := os.Stat(path); err == nil {
		l.size = info.Size()
	}
	if log, err := os.Stat(path + "-wal"); err == nil {
		l.size += log.Size()
		l.unclean = log.Size() > 0
	}
	return l
}

// Check returns how far the check of the file is that follows an unclean end.
func (s *Store) Check() store.Check {
	s.check.mu.Lock()
	defer s.check.mu.Unlock()
	return s.check.state
}

// Checked waits until nothing is being checked, and returns what was found wrong.
func (s *Store) Checked(ctx context.Context) error {
	if s.check.over != nil {
		select {
		case <-s.check.over:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return s.check.wrong()
}

func (c *checker) wrong() error {
	if fault := c.fault.Load(); fault != nil {
		return fault
	}
	return nil
}

// stop ends the check, if there is one, and waits for that.
func (c *checker) stop() {
	if c.cancel != nil {
		c.cancel()
		<-c.over
	}
}

// start checks the file in the background.
func (c *checker) start(path string) {
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel, c.over = cancel, make(chan struct{})
	c.change(func(state *store.Check) { state.Began = time.Now().UTC() })
	go func() {
		defer close(c.over)
		err := c.run(ctx, path)
		if ctx.Err() != nil {
			return // the store is being closed: the next one to open it begins again
		}
		c.end(path, err)
	}()
}

func (c *checker) end(path string, err error) {
	if err != nil {
		c.fault.Store(rein.Errorf(rein.CodeDamaged, "%s is damaged, so nothing is written to it: stop rein and restore a backup: %w", path, err))
	}
	c.change(func(state *store.Check) {
		state.Ended, state.Now = time.Now().UTC(), ""
		if err != nil {
			state.Wrong = err.Error()
		}
	})
}

// change changes what is known and reports it. Whoever it is reported to must only take note.
func (c *checker) change(f func(*store.Check)) {
	c.mu.Lock()
	f(&c.state)
	state := c.state
	c.mu.Unlock()
	if c.report != nil {
		c.report(state)
	}
}

// run checks one table after the other, each on its own snapshot, so that the write-ahead log can be
// emptied in between.
func (c *checker) run(ctx context.Context, path string) error {
	db := connect(path, 1, "query_only(1)")
	defer db.Close()
	tables, err := tableNames(ctx, db)
	if err != nil {
		return err
	}
	c.change(func(state *store.Check) { state.Tables = len(tables) })
	for _, table := range tables {
		c.change(func(state *store.Check) { state.Now = table })
		if err := checkTable(ctx, db, table); err != nil {
			return err
		}
		c.change(func(state *store.Check) { state.Done++ })
	}
	return nil
}

// tableNames lists the tables, the one that has nearly all of the file last.
func tableNames(ctx context.Context, db *sql.DB) (names []string, err error) {
	v := &snapshot{ctx: ctx, tx: db}
	err = v.each(func(r *sql.Rows) error {
		var name string
		err := r.Scan(&name)
		names = append(names, name)
		return err
	}, `SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
	large := map[string]int{"texts": 1, "events": 2}
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(large[a], large[b]) })
	return names, err
}

func checkTable(ctx context.Context, db *sql.DB, table string) error {
	var found string
	err := db.QueryRowContext(ctx, `SELECT quick_check FROM pragma_quick_check(?) LIMIT 1`, table).Scan(&found)
	if err == nil && found != "ok" {
		err = errors.New(found)
	}
	return err
}
