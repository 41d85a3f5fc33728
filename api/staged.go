package api

import (
	"rein"
	"rein/vault/stage"
)

// StagedNotes is the answer to GET /v1/notes/staged: your changes of notes that wait to be committed.
type StagedNotes struct {
	Sessions []StagedSession `json:"sessions"`
}

// A StagedSession is what one of your sessions has staged.
type StagedSession struct {
	Session   string       `json:"session"`
	Workspace string       `json:"workspace"`
	Notes     []StagedNote `json:"notes"`
	// Diff is all of it, as unified diffs, with characters that are not seen written as their numbers. Lists
	// leave it out.
	Diff string `json:"diff,omitempty"`
	// Shown names exactly these changes: a commit must repeat it.
	Shown string `json:"shown"`
}

// A StagedNote is a note as it would be after a commit.
type StagedNote struct{ stage.Change }

// StagedOf is what a session has staged, as the API tells it, without the diff.
func StagedOf(workspace string, draft stage.Draft) StagedSession {
	s := StagedSession{Session: draft.Session, Workspace: workspace, Shown: draft.Shown, Notes: []StagedNote{}}
	for _, c := range draft.Changes {
		s.Notes = append(s.Notes, StagedNote{c})
	}
	return s
}

// Agreed is the body of a commit and of an undo: the digest of what you were shown.
type Agreed struct {
	Shown string `json:"shown"`
	// Key makes it one commit, however often it is sent; the header Idempotency-Key does the same.
	Key string `json:"key,omitempty"`
}

// Discard is the body of POST /v1/notes/staged/{session}/discard.
type Discard struct {
	Paths []string `json:"paths,omitempty"` // none: all of the session
}

// Discarded is the answer to it.
type Discarded struct {
	Discarded []string `json:"discarded"`
}

// NoteCommits is the answer to GET /v1/notes/commits, the newest first.
type NoteCommits struct {
	Commits []NoteCommit `json:"commits"`
	Next    string       `json:"next,omitempty"` // the before of the next page
}

// A NoteCommit is what was written to the notes at once.
type NoteCommit struct {
	stage.Commit
	By      string     `json:"by"`            // the user
	Run     rein.RunID `json:"run,omitempty"` // the run that did it; empty: the user did, without one
	Session string     `json:"session"`
	// Diff is what it changed. Lists leave it out.
	Diff string `json:"diff,omitempty"`
	// Undo is what taking it back would change; empty: it was taken back. Lists leave it out.
	Undo string `json:"undo,omitempty"`
	// Shown names exactly that: an undo must repeat it.
	Shown string `json:"shown,omitempty"`
}

// NoteCommitOf is a commit as the API tells it.
func NoteCommitOf(c stage.Commit) NoteCommit {
	return NoteCommit{Commit: c, By: c.Place.User, Run: c.Run(), Session: c.Place.Session}
}
