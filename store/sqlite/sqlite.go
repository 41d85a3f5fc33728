// Package sqlite keeps logs in one SQLite file, which one process owns. Open returns the store. All
// writes go through one goroutine that commits what is queued together (writer.go); reads have
// their own connections and never wait for it.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
	_ "modernc.org/sqlite" // the driver "sqlite"

	"rein"
	"rein/store"
)

var _ store.Store = (*Store)(nil)

// Options for Open. The zero value works.
type Options struct {
	// OnCommit is told of every event, in the order of the log, after it is durable and before the
	// one who wrote it is. It is called by the writer: while it runs, nothing is written.
	OnCommit func([]rein.Event)
	// Limits bound what users and households may use; the zero value bounds nothing.
	Limits store.Limits
	// Roles say who may answer what and, in part, who may spend what; nil: everybody everything.
	Roles store.Roles
	// Recount counts again what users use, from the logs.
	Recount bool
	// OnCheck is told how the check goes that follows an unclean end of a large file, from its beginning to
	// its end. It must only take note.
	OnCheck func(store.Check)

	maxPages  int   // of the file, so that tests can fill it
	smallFile int64 // so that tests need no large files
	maxCached int   // so that tests need not have thousands of runs
}

// A Store is an open file.
type Store struct {
	path   string
	limits store.Limits
	roles  store.Roles
	read   *sql.DB
	write  *sql.DB // nil: opened by OpenReader
	lock   *os.File

	mu     sync.RWMutex // held by senders while they send, so that Close comes after or before
	closed bool
	readers
	watchers
	rebuilders rebuilders
	check      checker
	folder     folder
	days       knownDays
	checking   sync.Mutex    // held by who makes a checkpoint
	tables     atomic.Uint64 // of TablesVersion
	closing    atomic.Bool   // tells the writer not to begin anything new
	queue      chan *request
	heavy      chan struct{} // has an element for each heavy batch under way
	done       chan struct{} // closed when the writer has answered everyone
}

// Open opens the file as its owner, and makes it if there is none. Nobody else can drive its runs
// now, so those that were being driven when it was last closed are due.
//
// Errors: CodeLocked if another process owns it, CodeReadOnly if it cannot be written, CodeNewer if
// a newer program wrote it, CodeDamaged if it is not what was written, CodeDiskFull.
func Open(ctx context.Context, path string, options Options) (*Store, error) {
	lock, err := takeLock(path)
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, limits: options.Limits, roles: options.Roles, lock: lock, readers: newReaders()}
	s.check.report = options.OnCheck
	if err := s.open(ctx, options); err != nil {
		return nil, errors.Join(err, s.release())
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, options Options) error {
	if err := makeFile(s.path); err != nil {
		return err
	}
	was := lookAtFile(s.path)
	small := was.size <= cmp.Or(options.smallFile, smallFile)
	s.write = connect(s.path, 1,
		"journal_mode(WAL)", "synchronous(FULL)", "secure_delete(1)",
		"wal_autocheckpoint(4000)", "journal_size_limit(67108864)")
	if err := s.prepareFile(ctx, small, options.Recount); err != nil {
		return s.openFault(err)
	}
	// A process that was killed may have left a log with what was erased.
	if roomToFold(s.path) {
		if err := s.emptyLog(ctx, 0); err != nil {
			return s.openFault(err)
		}
	}
	w, err := newWriter(ctx, s, options)
	if err != nil {
		return s.openFault(err)
	}
	s.read = connectReader(s.path)
	s.queue, s.heavy = make(chan *request, 4*maxGroup), make(chan struct{}, maxHeavy)
	s.done = make(chan struct{})
	go w.loop(s.queue, s.done)
	s.folder.start(s)
	if was.unclean && !small {
		s.check.start(s.path)
	}
	return nil
}

// unfinishedRuns selects the numbers of the runs that have not ended, without going through those that have:
// a run ends after everything below it, so they are the unfinished roots and what is unfinished below those.
// The plus keeps SQLite from making an index of all unfinished runs for the query.
const unfinishedRuns = `SELECT n FROM runs WHERE done = 0 AND depth = 0
	UNION ALL SELECT c.n FROM runs r CROSS JOIN runs c ON c.id > r.id || '.' AND c.id < r.id || '/' AND +c.done = 0 WHERE r.done = 0 AND r.depth = 0`

// prepareFile checks the file, brings it to this program's schema and frees the runs that a
// process which is gone was driving.
func (s *Store) prepareFile(ctx context.Context, small, recount bool) error {
	if err := identify(ctx, s.path, s.write); err != nil {
		return err
	}
	if small {
		if err := quickCheck(ctx, s.path, s.write); err != nil {
			return err
		}
	}
	if err := migrate(ctx, s.path, s.write); err != nil {
		return err
	}
	if err := buildAccounts(ctx, s.write, recount); err != nil {
		return err
	}
	_, err := s.write.ExecContext(ctx,
		`UPDATE runs SET wake_at = ? WHERE status = 'running' AND wake_at IS NULL AND n IN (`+unfinishedRuns+`)`, time.Now().UnixMicro())
	return err
}

// OpenReader opens the file beside its owner, or without one. Views, Events, Verify and Backup
// work; what would write is CodeReadOnly.
func OpenReader(ctx context.Context, path string) (*Store, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fileError(path, err)
	}
	if err := checkFile(path, info); err != nil {
		return nil, err
	}
	s := &Store{path: path, read: connectReader(path), readers: newReaders()}
	if err := checkVersion(ctx, path, s.read); err != nil {
		return nil, errors.Join(s.fault("open", err), s.release())
	}
	return s, nil
}

// Close answers everyone who still waits to write with CodeUnavailable and lets go of the file.
func (s *Store) Close() error {
	s.folder.stop()
	s.closing.Store(true)
	s.mu.Lock()
	wasClosed := s.closed
	s.closed = true
	if !wasClosed && s.queue != nil {
		close(s.queue)
	}
	s.mu.Unlock()
	if wasClosed {
		return nil
	}
	s.check.stop()
	if s.done != nil {
		<-s.done
		// Now one file is the whole store. A reader in another process may be in the way, or the disk
		// too full: then the log stays, and the next to open reads it.
		if roomToFold(s.path) {
			_, _ = foldLog(context.Background(), s.write)
		}
	}
	return s.release()
}

func (s *Store) isClosed() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.closed
}

// release closes what is open. The lock goes last: until then nobody else may write.
func (s *Store) release() error {
	errs := []error{s.closeReaders(), s.rebuilders.close()}
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.lock != nil {
		// Closing alone is not enough: a process that was just forked may still hold the file.
		errs = append(errs, unix.Flock(int(s.lock.Fd()), unix.LOCK_UN), s.lock.Close())
	}
	return errors.Join(errs...)
}

// connect does no I/O yet: the pragmas run when a connection is first used.
func connect(path string, connections int, pragmas ...string) *sql.DB {
	query := url.Values{"_pragma": append([]string{"busy_timeout(10000)"}, pragmas...)}
	name := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: query.Encode()}
	db, err := sql.Open("sqlite", name.String())
	if err != nil {
		panic("sqlite driver is not registered: " + err.Error()) // the blank import above registers it
	}
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	return db
}

// connectMemory opens a database that is gone when it is closed.
func connectMemory() *sql.DB { return connect(":memory:", 1, "synchronous(OFF)") }

// connectReader has room for the readers, and for a backup beside them.
func connectReader(path string) *sql.DB { return connect(path, maxReaders()+2, "query_only(1)") }

// quickCheck finds pages that are not what they should be.
func quickCheck(ctx context.Context, path string, db *sql.DB) error {
	var found string
	if err := db.QueryRowContext(ctx, `PRAGMA quick_check(1)`).Scan(&found); err != nil {
		return err
	}
	if found != "ok" {
		return damaged(path, found)
	}
	return nil
}

// limitPages lets a test fill the file.
func limitPages(ctx context.Context, conn *sql.Conn, pages int) error {
	_, err := conn.ExecContext(ctx, `PRAGMA max_page_count = `+strconv.Itoa(pages))
	return err
}
