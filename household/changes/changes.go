// Package changes remembers what calls changed in the files of workspaces, and what the files held before, so that it
// can be undone. It has the types and the SQL; a store brings the transactions. It touches no file of a workspace.
package changes

import (
	"io/fs"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// A Change is what one call did to files.
type Change struct {
	ID string // the key of the call
	rein.Place
	Workspace string
	Root      string // the folder of the workspace
	Run       rein.RunID
	Step      rein.StepKey
	Tool      string
	// Begun says that nobody saw the call end: it may be running, or it was cut. Some files may be as before it.
	Begun    bool
	Undoes   []string // the IDs of the changes that it undoes
	UndoneBy string   // the ID of the last change that undid it; see Book.InEffect
	At       time.Time
	Files    []File

	n int64
}

// A File is what became of one file.
type File struct {
	Path          string // below the root, with slashes
	Before, After Content
}

// Content names what is at a path. Its zero value is nothing.
type Content struct {
	Mark Mark
	// Mode has the permissions. Zero: the system decides, as for every new file.
	Mode fs.FileMode
}

// A Mark names a content: its SHA-256, with "+x" if it is a program and "+l" if it is a link (of which the target
// counts); Folder for a folder; empty: there is nothing.
type Mark string

// Folder is the mark of every folder.
const Folder Mark = "dir"

// Left is the mark of what a look at a folder left out. It is in trees only, never in a change.
const Left Mark = "left"

// unread is what the mark of a content begins with that nobody read.
const unread = "unread:"

// Unread is the mark of what is too large to be read, or is no plain file. It tells its versions apart; none is kept.
func Unread(stamp string) Mark { return Mark(unread + stamp) }

// IsUnread reports whether nobody read the content.
func (m Mark) IsUnread() bool { return strings.HasPrefix(string(m), unread) }

const (
	program = "+x"
	link    = "+l"
)

// MarkOf names a file, or a link, with this sum and mode.
func MarkOf(sum string, mode fs.FileMode) Mark {
	switch {
	case mode&fs.ModeSymlink != 0:
		return Mark(sum + link)
	case mode&0o100 != 0:
		return Mark(sum + program)
	}
	return Mark(sum)
}

// Sum is the SHA-256 of the content; empty: there is none.
func (m Mark) Sum() string {
	if m == Folder || m == Left || m.IsUnread() {
		return ""
	}
	sum, _, _ := strings.Cut(string(m), "+")
	return sum
}

// IsLink reports whether it is a link.
func (m Mark) IsLink() bool { return strings.HasSuffix(string(m), link) }

// A Book keeps changes. Tables is needed.
type Book struct {
	Tables store.Tables
	// Most is how many bytes of earlier contents are kept for a user; nil: DefaultMost. What is too much makes
	// room: the oldest changes are forgotten.
	Most func() int64
	Now  func() time.Time // nil is time.Now
}

// DefaultMost is how many bytes of earlier contents are kept for a user.
const DefaultMost = 500_000_000

func (b Book) most() int64 {
	if b.Most == nil {
		return DefaultMost
	}
	return b.Most()
}

func (b Book) now() time.Time {
	if b.Now == nil {
		return time.Now()
	}
	return b.Now()
}
