// Package api defines the JSON of the /v1 API for the server and its clients. Most requests and
// responses use types of the root package; this package has the rest.
//
// To call the API from Go, use package api/client.
package api

import (
	"time"

	"rein"
)

// Run is a run as lists and answers show it.
type Run = rein.RunInfo

// NewRun is the body of POST /v1/runs.
type NewRun struct {
	ID     rein.RunID `json:"id,omitempty"`     // empty: the server makes one
	Preset string     `json:"preset,omitempty"` // the preset that fills the empty fields of the task
	Task   rein.Task  `json:"task"`
}

// RunQuery selects runs. Zero fields do not filter. Runs come oldest first,
// or newest first.
type RunQuery struct {
	Session string
	Tree    rein.RunID // this run and everything below it
	Status  string     // one status, or Unfinished
	Roots   bool
	// Text is in the title, or was typed by a person, in upper or lower case.
	Text      string
	Flow      string
	User      string
	Workspace string
	Since     time.Time  // began then or later
	MinMicros int64      // roots whose trees cost at least this, in millionths of the currency unit
	Newest    bool       // newest first
	After     rein.RunID // for paging: only runs that come after this one
	Limit     int        // zero takes DefaultLimit; at most MaxLimit
}

// Unfinished as RunQuery.Status selects every run that has not ended, and Paused those of them that a
// person paused.
const (
	Unfinished = "unfinished"
	Paused     = "paused"
)

// How many runs or lines one answer has.
const (
	DefaultLimit = 100
	MaxLimit     = 1000
)

// The most that the body of a request may have in bytes. One that starts a run has room for images.
const (
	MaxBody = 4 << 20
	MaxRun  = 8 << 20
)

// Runs is the answer to GET /v1/runs.
type Runs struct {
	Runs []Run      `json:"runs"`
	Next rein.RunID `json:"next,omitempty"` // pass it as after to get the next page; empty: this is the last one
}

// A Node is a run with everything below it.
type Node struct {
	Run      Run        `json:"run"`
	Doing    []Doing    `json:"doing,omitempty"` // the steps that it is working on
	Asks     []rein.Ask `json:"asks,omitempty"`  // the open asks of this run, without those of its children
	Children []Node     `json:"children,omitempty"`
}

// Doing is a step that a run is working on, in words for people.
type Doing struct {
	Step rein.StepKey `json:"step"`
	rein.About
	Tool  string     `json:"tool,omitempty"`  // for a tool call
	Child rein.RunID `json:"child,omitempty"` // for a spawn or a wait
	Since time.Time  `json:"since"`
}

// TreeBudget is the answer to GET /v1/runs/{id}/budget: the budget of the tree, and what the run and all
// runs below it have used of it.
type TreeBudget struct {
	Ledger rein.Ledger `json:"ledger"`
	Held   rein.Amount `json:"held,omitzero"` // the part that is reserved but not used yet
}

// Receipts is the answer to GET /v1/runs/{id}/receipts: what happened to each command to the run.
type Receipts struct {
	Receipts []rein.Receipt `json:"receipts"` // oldest first
}

// AskQuery selects asks. Zero fields do not filter. Asks come oldest first.
type AskQuery struct {
	Tree  rein.RunID // of this run and everything below it
	State rein.AskState
	For   string     // those that this user may answer
	After rein.AskID // for paging: only asks that come after this one
	Limit int        // zero takes MaxLimit, which is the most
}

// Asks is the answer to GET /v1/asks.
type Asks struct {
	Asks []rein.Ask `json:"asks"`
	Next rein.AskID `json:"next,omitempty"` // pass it as after to get the next page; empty: this is the last one
}

// A Line of a feed is an event of the log or a piece of text that a model is writing, never both. Only
// events have a cursor. It names the place after the event: if you continue from there, you get what comes
// next.
type Line struct {
	Cursor string      `json:"cursor,omitempty"`
	Event  *rein.Event `json:"event,omitempty"`
	Delta  *rein.Delta `json:"delta,omitempty"`
	// Resync says why your cursor is not valid here. The line has nothing else. The feed starts again from
	// its beginning, so forget what you read before.
	Resync string `json:"resync,omitempty"`
}

// Lines is the answer to GET /v1/runs/{id}/events without a stream.
type Lines struct {
	Lines []Line `json:"lines"`
	Next  string `json:"next"` // the cursor after the last line; without lines, the cursor that you gave
	More  bool   `json:"more"` // there is more to read already
}

// The names of the events of a text/event-stream.
const (
	StreamStarted = "started" // a Started: what the stream of POST /v1/runs begins with
	StreamEvent   = "event"   // a Line with an event; its id is the cursor
	StreamDelta   = "delta"   // a Line with a piece of text
	StreamResync  = "resync"  // a Line that says to begin again
	StreamEnd     = "end"     // the run has ended and everything was sent
	StreamError   = "error"   // a Problem: nothing more comes on this connection
	StreamHello   = "hello"   // of GET /v1/live: a Hint that anything may have changed; each connection begins with it
	StreamHint    = "hint"    // of GET /v1/live: a Hint
)

// A Frame is a message of a feed over a WebSocket: what an event of the stream is over HTTP.
type Frame struct {
	Type    string   `json:"type"` // one of the names above
	Line    *Line    `json:"line,omitempty"`
	Problem *Problem `json:"problem,omitempty"` // of StreamError
	Hint    *Hint    `json:"hint,omitempty"`    // of StreamHello and StreamHint
}

// Health is the answer to GET /v1/health.
type Health struct {
	Version string    `json:"version"`
	PID     int       `json:"pid"`
	Data    string    `json:"data"` // the data folder of the process; it and pid are only for admins
	Started time.Time `json:"started"`
	Live    int       `json:"live"`          // how many runs are in memory
	URL     string    `json:"url,omitempty"` // the address on the network, if it has one
	// Settings says what is wrong with the newest version of the settings, for admins. Until it is fixed, the
	// previous version applies.
	Settings string   `json:"settings,omitempty"`
	Restart  []string `json:"restart,omitempty"` // changed settings that apply after a restart, for admins
	// Check reports on the check of the database that follows an unclean end, for admins: how far it is, or
	// what it found wrong. Nothing is written to a database that is damaged.
	Check string `json:"check,omitempty"`
}

// Alive is the answer to GET /healthz and /readyz.
type Alive struct {
	OK bool `json:"ok"`
}
