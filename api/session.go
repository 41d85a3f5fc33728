package api

import (
	"time"

	"rein"
)

// Session is a session as lists and answers show it.
type Session struct {
	rein.SessionInfo
	Pinned   bool `json:"pinned,omitempty"`
	Archived bool `json:"archived,omitempty"`
	// BranchOf is where the session leaves another one; it inherits what that one has before the run.
	BranchOf *rein.Branch `json:"branch_of,omitempty"`
}

// NewBranch is the body of POST /v1/sessions/{id}/branches.
type NewBranch struct {
	// Run is the run of the session whose message was edited. The new session has all runs before it.
	Run    rein.RunID `json:"run"`
	ID     rein.RunID `json:"id,omitempty"`     // of the new run and its session; empty: the server makes one
	Preset string     `json:"preset,omitempty"` // the preset that fills the empty fields of the task
	Task   rein.Task  `json:"task"`             // with the edited message, and without a session
}

// Branches is the answer to GET /v1/sessions/{id}/branches.
type Branches struct {
	Points []BranchPoint `json:"points"` // in the order of the conversation
}

// A BranchPoint is a run beside which other sessions go another way.
type BranchPoint struct {
	Run      rein.RunID `json:"run"`      // the run of this conversation
	Siblings []Sibling  `json:"siblings"` // the original first, then the branches in the order in which they were made
}

// A Sibling is a session, and the run with which it goes its way.
type Sibling struct {
	Session string     `json:"session"`
	Run     rein.RunID `json:"run"`
	Title   string     `json:"title"`
	Started time.Time  `json:"started"`
	Erased  bool       `json:"erased,omitempty"`
}

// ChangedSession is the body of PATCH /v1/sessions/{id}. Fields that you leave out stay as they are.
type ChangedSession struct {
	Title    *string `json:"title,omitempty"` // one line; empty: the title of its first run
	Pinned   *bool   `json:"pinned,omitempty"`
	Archived *bool   `json:"archived,omitempty"`
}

// Sessions is the answer to GET /v1/sessions.
type Sessions struct {
	Sessions []Session `json:"sessions"`       // pinned ones first, then the one whose newest run began last
	Next     string    `json:"next,omitempty"` // pass it as after to get the next page; empty: this is the last one
}

// NewMessage is the body of POST /v1/sessions/{id}/messages. It steers the active run of the session, or
// starts one.
type NewMessage struct {
	Text string `json:"text"`
	// The other fields are for the run that the message starts, if it starts one.

	ID     rein.RunID `json:"id,omitempty"`     // the ID of the run; empty: the server makes one
	Preset string     `json:"preset,omitempty"` // the preset that fills the empty fields of the task
	Task   rein.Task  `json:"task,omitzero"`
}

// Answer is the body of POST /v1/asks/{id}/answer. Repeat the shown of the ask, so that the answer counts
// only for what you have read. Leave by out.
type Answer struct {
	rein.Answer
	Key string `json:"key,omitempty"` // as for a command
}
