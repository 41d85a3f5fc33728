package api

import (
	"time"

	"rein"
)

// StagedNotes is the answer to GET /v1/notes/staged: your changes to notes that wait to be committed.
type StagedNotes struct {
	Sessions []StagedSession `json:"sessions"`
}

// A StagedSession is what one of your sessions has staged.
type StagedSession struct {
	Session   string       `json:"session"`
	Workspace string       `json:"workspace"`
	Notes     []StagedNote `json:"notes"`
	// Diff shows all changes as unified diffs. Invisible characters are written as their code points. Lists
	// leave it out.
	Diff string `json:"diff,omitempty"`
	// Shown is the digest of exactly these changes. A commit must repeat it.
	Shown string `json:"shown"`
}

// A StagedNote is a note as it will be after a commit.
type StagedNote struct {
	Path     string       `json:"path"`
	BaseHash string       `json:"base_hash,omitempty"` // the note before its first change; empty: it is new
	Hash     string       `json:"hash"`
	Run      rein.RunID   `json:"run"` // the run and the step that changed it last
	Step     rein.StepKey `json:"step"`
	Changed  time.Time    `json:"changed"`
	// Denied says that you may no longer use its folder. You can discard the change, but not commit it.
	Denied bool `json:"denied,omitempty"`
	// Stale says that the note on the disk has changed since. A commit will be refused.
	Stale bool `json:"stale,omitempty"`
}

// Agreed is the body of a commit and of an undo: the digest of what you were shown.
type Agreed struct {
	Shown string `json:"shown"`
	// Key makes the request safe to repeat: the same key commits once. The header Idempotency-Key does the
	// same.
	Key string `json:"key,omitempty"`
}

// Discard is the body of POST /v1/notes/staged/{session}/discard.
type Discard struct {
	Paths []string `json:"paths,omitempty"` // empty: everything that the session has staged
}

// Discarded is the answer to POST /v1/notes/staged/{session}/discard.
type Discarded struct {
	Discarded []string `json:"discarded"`
}

// NoteCommits is the answer to GET /v1/notes/commits, the newest first.
type NoteCommits struct {
	Commits []NoteCommit `json:"commits"`
	Next    string       `json:"next,omitempty"` // pass it as before to get the next page; empty: this is the last one
}

// A NoteCommit is a set of changes that was written to the notes at once.
type NoteCommit struct {
	ID       string     `json:"id"`
	Undoes   string     `json:"undoes,omitempty"`    // the commit that it undid
	UndoneBy string     `json:"undone_by,omitempty"` // the commit that undid it
	At       time.Time  `json:"at"`
	Notes    []Written  `json:"notes"`
	By       string     `json:"by"`            // the user
	Run      rein.RunID `json:"run,omitempty"` // the run that committed; empty: the user did
	Session  string     `json:"session"`
	// Diff shows what it changed. Lists leave it out.
	Diff string `json:"diff,omitempty"`
	// Undo shows what an undo would change; empty: it is undone already. Lists leave it out.
	Undo string `json:"undo,omitempty"`
	// Shown is the digest of that undo. An undo must repeat it.
	Shown string `json:"shown,omitempty"`
}

// Written is one note of a commit.
type Written struct {
	Path   string `json:"path"`
	Before string `json:"before,omitempty"` // its hash before; empty: it was new
	After  string `json:"after,omitempty"`  // its hash after; empty: it was removed
}
