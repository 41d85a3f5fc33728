package main

import (
	"database/sql"
	"fmt"
	"sync"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// A journal is the cheapest durable log that one can build on SQLite: one table, one writer that
// commits whatever is queued together, and an append that returns when it is on the disk.
type journal struct {
	db     *sql.DB
	insert *sql.Stmt
	queue  chan entry
	writer sync.WaitGroup
}

type entry struct {
	run, seq int64
	kind     string
	data     []byte
	done     chan error
}

// maxEntries is how many entries one transaction may hold.
const maxEntries = 512

var dones = sync.Pool{New: func() any { return make(chan error, 1) }}

func openJournal(path string) (*journal, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	for _, statement := range []string{
		"PRAGMA journal_mode=WAL", "PRAGMA synchronous=FULL",
		"CREATE TABLE ev (run INTEGER, seq INTEGER, kind TEXT, data BLOB, PRIMARY KEY (run, seq)) WITHOUT ROWID",
	} {
		if _, err := db.Exec(statement); err != nil {
			return nil, fmt.Errorf("%s: %w", statement, err)
		}
	}
	insert, err := db.Prepare("INSERT INTO ev VALUES (?, ?, ?, ?)")
	if err != nil {
		return nil, err
	}
	j := &journal{db: db, insert: insert, queue: make(chan entry, 4096)}
	j.writer.Go(j.loop)
	return j, nil
}

// append returns when the entry is durable.
func (j *journal) append(run, seq int64, kind string, data []byte) error {
	done := dones.Get().(chan error)
	j.queue <- entry{run, seq, kind, data, done}
	err := <-done
	dones.Put(done)
	return err
}

func (j *journal) close() error {
	close(j.queue)
	j.writer.Wait()
	return j.db.Close()
}

func (j *journal) loop() {
	batch := make([]entry, 0, maxEntries)
	for first := range j.queue {
		batch = append(batch[:0], first)
		for more := true; more && len(batch) < maxEntries; {
			select {
			case e, ok := <-j.queue:
				if more = ok; ok {
					batch = append(batch, e)
				}
			default:
				more = false
			}
		}
		err := j.commit(batch)
		for _, e := range batch {
			e.done <- err
		}
	}
}

func (j *journal) commit(batch []entry) error {
	if len(batch) == 1 {
		e := batch[0]
		_, err := j.insert.Exec(e.run, e.seq, e.kind, e.data)
		return err
	}
	tx, err := j.db.Begin()
	if err != nil {
		return err
	}
	defer tx.Rollback()
	insert := tx.Stmt(j.insert)
	for _, e := range batch {
		if _, err := insert.Exec(e.run, e.seq, e.kind, e.data); err != nil {
			return err
		}
	}
	return tx.Commit()
}
