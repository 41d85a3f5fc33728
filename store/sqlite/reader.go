package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"runtime"
	"sync"
)

// A reader is a connection that compiles every query once: compiling costs more than most of our
// queries do. One view has it at a time.
type reader struct {
	conn    *sql.Conn
	queries map[string]*sql.Stmt
	tables  map[string]*sql.Stmt // those of other packages, at most maxTableQueries
	within  bool                 // a transaction is open
}

// maxTableQueries is how many queries of other packages a reader keeps. They have fewer texts, but for lists of
// parameters.
const maxTableQueries = 64

// readers are the connections of a store that wait to be used.
type readers struct {
	slots  chan struct{} // one token per reader in use
	idleMu sync.Mutex
	idle   []*reader
	over   bool
}

func newReaders() readers { return readers{slots: make(chan struct{}, maxReaders())} }

func maxReaders() int { return min(max(runtime.GOMAXPROCS(0), 2), 8) }

// closeReaders closes those that are idle; the others are closed when they are given back.
func (r *readers) closeReaders() error {
	r.idleMu.Lock()
	defer r.idleMu.Unlock()
	r.over = true
	var errs []error
	for _, reader := range r.idle {
		errs = append(errs, reader.close())
	}
	r.idle = nil
	return errors.Join(errs...)
}

// borrow waits for a reader. There are few: more would only stand in each other's way.
func (s *Store) borrow(ctx context.Context) (*reader, error) {
	if s.isClosed() {
		return nil, closedError(s.path)
	}
	select {
	case s.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if r := s.takeIdle(); r != nil {
		return r, nil
	}
	conn, err := s.read.Conn(ctx)
	if err != nil {
		<-s.slots
		return nil, err
	}
	return &reader{conn: conn, queries: map[string]*sql.Stmt{}, tables: map[string]*sql.Stmt{}}, nil
}

func (r *readers) takeIdle() *reader {
	r.idleMu.Lock()
	defer r.idleMu.Unlock()
	n := len(r.idle)
	if n == 0 {
		return nil
	}
	reader := r.idle[n-1]
	r.idle = r.idle[:n-1]
	return reader
}

func (r *readers) giveBack(reader *reader) {
	defer func() { <-r.slots }()
	err := reader.end()
	r.idleMu.Lock()
	defer r.idleMu.Unlock()
	if err != nil || r.over {
		reader.close()
		return
	}
	r.idle = append(r.idle, reader)
}

// begin opens the snapshot. It takes no time, so a context that ends meanwhile does not cut it: nobody
// could tell then whether the connection has a transaction open, and the next view would get it so.
func (r *reader) begin(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	st, err := r.prepare(ctx, `BEGIN`)
	if err != nil {
		return err
	}
	_, err = st.ExecContext(context.WithoutCancel(ctx))
	r.within = err == nil
	return err
}

// end lets go of the snapshot, whatever became of the caller's context.
func (r *reader) end() error {
	if !r.within {
		return nil
	}
	r.within = false
	st, err := r.prepare(context.Background(), `ROLLBACK`)
	if err != nil {
		return err
	}
	_, err = st.ExecContext(context.Background())
	return err
}

func (r *reader) close() error {
	var errs []error
	for _, all := range []map[string]*sql.Stmt{r.queries, r.tables} {
		for _, st := range all {
			errs = append(errs, st.Close())
		}
	}
	return errors.Join(append(errs, r.conn.Close())...)
}

// prepare returns the compiled query. There are as many as this package has texts of queries.
func (r *reader) prepare(ctx context.Context, query string) (*sql.Stmt, error) {
	if st := r.queries[query]; st != nil {
		return st, nil
	}
	st, err := r.conn.PrepareContext(ctx, query)
	if err == nil {
		r.queries[query] = st
	}
	return st, err
}

// tableQuery returns a compiled query of another package; nil: there are too many, and it is not kept.
func (r *reader) tableQuery(ctx context.Context, query string) (*sql.Stmt, error) {
	if st := r.tables[query]; st != nil || len(r.tables) >= maxTableQueries {
		return st, nil
	}
	st, err := r.conn.PrepareContext(ctx, query)
	if err == nil {
		r.tables[query] = st
	}
	return st, err
}

func (r *reader) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	st, err := r.prepare(ctx, query)
	if err != nil {
		return nil, err
	}
	return st.QueryContext(ctx, args...)
}

func (r *reader) QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row {
	st, err := r.prepare(ctx, query)
	if err != nil {
		return r.conn.QueryRowContext(ctx, query, args...) // it will say what is wrong
	}
	return st.QueryRowContext(ctx, args...)
}
