// Package stage keeps changes to notes until a person approves them, and then writes them to the
// disk: all or none, never over an edit that it has not seen, and so that they can be undone.
// Changes belong to one session of one user, and nobody else can find them.
package stage

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"time"

	"rein"
	"rein/store"
)

// What can be staged at most.
const (
	MaxNote  = 16 << 20 // bytes of a note
	MaxBytes = 64 << 20 // of all staged notes of a session, with what they were before
	MaxNotes = 500      // of a session
)

// PlaceOf returns the place of a run's session.
func PlaceOf(task *rein.Task) (rein.Place, error) {
	p := task.Place()
	return p, check(p)
}

func check(p rein.Place) error { return p.Check("changes of notes") }

// A Desk stages changes of the notes of one vault, and commits them.
type Desk struct {
	tables store.Tables
	root   *os.Root
	vault  string // names the folder in the journal
	allow  func(path string) bool
	now    func() time.Time
	busy   Lock // held by whoever touches the disk
	swap   func(root *os.Root, a, b string) error
	at     func(point string)
}

// Options are what a Desk can be told; the zero value is useful.
type Options struct {
	// Allow says which notes may be read and written at all, by their path. Nil allows every note.
	Allow func(path string) bool
	Now   func() time.Time // nil is time.Now
	// Lock is shared by all desks of one vault, which may have different rules. Nil: there is no other desk.
	Lock Lock
}

// A Lock lets one desk at a time touch the disk of a vault.
type Lock chan struct{}

// NewLock returns a lock that nobody holds.
func NewLock() Lock { return make(Lock, 1) }

// New returns the desk of a vault. The root stays the caller's, and is closed by the caller. Recover
// must be called before the first commit of a process.
func New(tables store.Tables, root *os.Root, o Options) *Desk {
	d := &Desk{tables: tables, root: root, vault: resolve(root.Name()), allow: o.Allow, now: o.Now, busy: o.Lock, swap: exchange, at: func(string) {}}
	if d.allow == nil {
		d.allow = func(string) bool { return true }
	}
	if d.now == nil {
		d.now = time.Now
	}
	if d.busy == nil {
		d.busy = NewLock()
	}
	return d
}

// resolve names a folder the same however it was given.
func resolve(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if target, err := filepath.EvalSymlinks(dir); err == nil {
		dir = target
	}
	return dir
}

// lock takes the disk, for as long as unlock is not called.
func (d *Desk) lock(ctx context.Context) (unlock func(), err error) {
	select {
	case d.busy <- struct{}{}:
		return func() { <-d.busy }, nil
	case <-ctx.Done():
		return nil, rein.Errorf(rein.CodeBusy, "another commit is under way: try again: %w", context.Cause(ctx))
	}
}

// Hash identifies a content.
func Hash(content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:])
}
