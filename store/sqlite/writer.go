package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"runtime"
	"slices"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"rein"
	"rein/store"
)

// maxGroup is how many requests one transaction may hold.
const maxGroup = 512

// A request is one write on its way through the writer.
type request struct {
	do   func(*writer) error
	safe bool // do refuses before it writes or not at all, so it needs no savepoint
	once bool // do calls somebody's function, which must not be called again
	err  error
	done chan error
}

// submit hands a write to the writer and waits for what became of it. Once it is handed over the
// caller's context no longer matters: leaving early would mean not knowing whether it happened.
func (s *Store) submit(ctx context.Context, r *request) error {
	if s.write == nil {
		return rein.Errorf(rein.CodeReadOnly, "%s is open for reading only: send this to the process that owns it", s.path)
	}
	if err := s.check.wrong(); err != nil {
		return err
	}
	r.done = make(chan error, 1)
	if err := s.enqueue(ctx, r); err != nil {
		return err
	}
	return s.fault("write", <-r.done)
}

func (s *Store) enqueue(ctx context.Context, r *request) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	if s.closed {
		return closedError(s.path)
	}
	select {
	case s.queue <- r:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// A writer is the one goroutine that writes. It knows the state of the runs it wrote last, so that
// an append need not read before it writes.
type writer struct {
	*statements
	store    *Store
	conn     *sql.Conn
	rows     rows                // what putRows writes
	row      []any               // and their arguments
	args     []driver.NamedValue // of the statement under way
	onCommit func([]rein.Event)

	limit int // of each of these:
	heads map[rein.RunID]*head
	known map[textKey]int64 // texts, by what they are

	folded int64 // the newest run in the lists; unknownMark: it must be read
	typed  int64 // the newest run whose texts can be found; as folded
	newest int64 // the newest run that was started

	households map[string]int64 // by name
	houses     map[int64]*house // by the household's number
	limits     store.Limits

	// Of the transaction under way:
	events []rein.Event
	dirty  []*account // to be written before it ends
	// wroteTables says that someone else's function may have written tables in it.
	wroteTables bool
	// Of the request under way:
	wrote     bool
	usedHeads []rein.RunID

	request       int64 // its number
	undo          []undo
	newHouseholds []int64
	newAccounts   []*account
}

func newWriter(ctx context.Context, s *Store, options Options) (*writer, error) {
	conn, err := s.write.Conn(ctx)
	if err != nil {
		return nil, err
	}
	if options.maxPages > 0 {
		if err := limitPages(ctx, conn, options.maxPages); err != nil {
			return nil, err
		}
	}
	st, err := prepare(ctx, conn)
	if err != nil {
		return nil, err
	}
	w := &writer{statements: st, store: s, conn: conn, onCommit: options.OnCommit, limits: options.Limits, limit: cmp.Or(options.maxCached, maxCached)}
	w.forget()
	return w, nil
}

// loop serves requests until the queue is closed. What is queued then is refused.
func (w *writer) loop(queue <-chan *request, done chan<- struct{}) {
	defer close(done)
	defer w.close()
	group := make([]*request, 0, maxGroup)
	for first := range queue {
		runtime.Gosched() // whoever is about to write too comes along: one commit for many costs less CPU
		group = drain(append(group[:0], first), queue)
		if w.store.closing.Load() {
			answer(group, closedError(w.store.path))
			continue
		}
		err := w.commit(group)
		if err == nil && len(w.events) > 0 {
			w.tell()
		}
		if w.wroteTables { // also if it failed: nobody may go by what was before
			w.store.tables.Add(1)
			w.wroteTables = false
		}
		answer(group, err)
		w.forgetEvents()
		if w.newest-w.folded > foldAt {
			w.store.folder.wake()
		}
		w.trim()
	}
}

// maxEvents is for how many events the writer keeps room between transactions.
const maxEvents = 4096

// forgetEvents begins a new list of events. The old one may be used again, unless OnCommit has kept it.
func (w *writer) forgetEvents() {
	if w.onCommit != nil || cap(w.events) > maxEvents {
		w.events = nil
		return
	}
	clear(w.events)
	w.events = w.events[:0]
}

func drain(group []*request, queue <-chan *request) []*request {
	for len(group) < maxGroup {
		select {
		case r, ok := <-queue:
			if !ok {
				return group
			}
			group = append(group, r)
		default:
			return group
		}
	}
	return group
}

func answer(group []*request, err error) {
	for i, r := range group {
		if err != nil {
			r.done <- err
		} else {
			r.done <- r.err
		}
		group[i] = nil
	}
}

// commit runs the group in one transaction. An error means that none of it happened.
//
// Savepoints cost more than most requests, and hardly any request is refused after it has written. So the
// group runs without them first; if one is refused that late, all of it is undone and runs again with them.
func (w *writer) commit(group []*request) error {
	once := slices.ContainsFunc(group, func(r *request) bool { return r.once })
	err := w.transact(group, func(r *request) bool { return once && !r.safe && len(group) > 1 })
	late, ok := errors.AsType[lateRefusal](err)
	switch {
	case ok && (once || len(group) == 1):
		return late.error
	case ok:
		return w.transact(group, func(*request) bool { return true })
	}
	return err
}

// A lateRefusal undoes a transaction: a request was refused that had written, without a savepoint.
type lateRefusal struct{ error }

// transact runs the group, with a savepoint before each request that is guarded.
func (w *writer) transact(group []*request, guarded func(*request) bool) error {
	err := w.exec(w.begin)
	if err != nil {
		return err
	}
	for _, r := range group {
		if err = w.serve(r, guarded(r)); err != nil {
			break
		}
	}
	if err == nil {
		err = w.flushAccounts()
	}
	if err == nil {
		err = w.exec(w.commitAll)
	}
	if err != nil {
		w.abort()
	}
	return err
}

// serve runs one request. If it is refused, what it wrote is undone and the others are left alone;
// an error is one that took the whole transaction with it.
func (w *writer) serve(r *request, guarded bool) error {
	w.wrote, w.usedHeads = false, w.usedHeads[:0]
	w.undo, w.newHouseholds, w.newAccounts = w.undo[:0], w.newHouseholds[:0], w.newAccounts[:0]
	w.request++
	events := len(w.events)
	if guarded {
		if err := w.exec(w.savepoint); err != nil {
			return err
		}
	}
	r.err = r.do(w)
	switch {
	case r.err == nil && guarded:
		return w.exec(w.releasePoint)
	case r.err == nil:
		return nil
	case fatal(r.err):
		return r.err
	case w.wrote && !guarded:
		return lateRefusal{r.err}
	}
	clear(w.events[events:])
	w.events = w.events[:events]
	w.forgetUsed()
	w.undoAccounts()
	if guarded {
		return errors.Join(w.exec(w.rollbackPoint), w.exec(w.releasePoint))
	}
	return nil
}

// fatal tells the errors after which SQLite may have rolled the transaction back by itself.
func fatal(err error) bool {
	e, ok := errors.AsType[*sqlite.Error](err)
	if !ok {
		return false
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_TOOBIG, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_RANGE:
		return false
	}
	return true
}

// abort undoes the transaction. It may be gone already, so the error of ROLLBACK means nothing.
func (w *writer) abort() {
	w.exec(w.rollbackAll)
	w.forget()
	w.forgetEvents()
}

// close frees the connection.
func (w *writer) close() error { return errors.Join(w.statements.close(), w.conn.Close()) }

// exec runs a statement. It takes no context: cutting a statement off would take everyone else's
// writes in the transaction with it.
func (w *writer) exec(st change, args ...any) error {
	_, err := w.run(st, args)
	return err
}

// put is exec for a statement that changes something.
func (w *writer) put(st change, args ...any) error {
	w.wrote = true
	_, err := w.run(st, args)
	return err
}

// insert is put for a statement that adds a row; it returns the row's number and whether it did.
func (w *writer) insert(st change, args ...any) (n int64, added bool, err error) {
	w.wrote = true
	result, err := w.run(st, args)
	if err != nil {
		return 0, false, err
	}
	rows, err := result.RowsAffected()
	if err != nil || rows == 0 {
		return 0, false, err
	}
	n, err = result.LastInsertId()
	return n, true, err
}

// changeOne is put for a statement that must change one row; it reports whether it did.
func (w *writer) changeOne(st change, args ...any) (bool, error) {
	w.wrote = true
	result, err := w.run(st, args)
	if err != nil {
		return false, err
	}
	n, err := result.RowsAffected()
	return n == 1, err
}

// run hands a statement to the driver.
func (w *writer) run(st change, args []any) (driver.Result, error) {
	w.args = w.args[:0]
	for i, arg := range args {
		value, err := driverValue(arg)
		if err != nil {
			return nil, err
		}
		w.args = append(w.args, driver.NamedValue{Ordinal: i + 1, Value: value})
	}
	return st.ExecContext(context.Background(), w.args)
}

// driverValue makes an argument one of the few types that a driver takes.
func driverValue(arg any) (driver.Value, error) {
	switch arg := arg.(type) {
	case int:
		return int64(arg), nil
	case driver.Valuer:
		return arg.Value()
	}
	return arg, nil
}
