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
	ID     rein.RunID `json:"id,omitempty"`     // empty takes a new one
	Preset string     `json:"preset,omitempty"` // the preset that the task is made of
	Task   rein.Task  `json:"task"`
}

// RunQuery selects runs. Zero fields do not filter. Runs come oldest first,
// or newest first.
type RunQuery struct {
	Session string
	Tree    rein.RunID // this run and everything below it
	Status  string     // one status, or Unfinished
	Roots   bool
	Newest  bool       // newest first
	After   rein.RunID // for paging: only runs that come after this one
	Limit   int        // zero takes DefaultLimit; at most MaxLimit
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

// MaxBody is the most that the body of a request may have in bytes.
const MaxBody = 4 << 20

// Runs is the answer to GET /v1/runs.
type Runs struct {
	Runs []Run      `json:"runs"`
	Next rein.RunID `json:"next,omitempty"` // the After of the next page; empty: that was all
}

// A Node is a run with everything below it.
type Node struct {
	Run      Run        `json:"run"`
	Doing    []Doing    `json:"doing,omitempty"` // the steps under way
	Asks     []rein.Ask `json:"asks,omitempty"`  // what waits for a person, of this run alone
	Children []Node     `json:"children,omitempty"`
}

// Doing is a step under way, in the words that people are shown.
type Doing struct {
	Step rein.StepKey `json:"step"`
	rein.About
	Tool  string     `json:"tool,omitempty"`  // of a tool call
	Child rein.RunID `json:"child,omitempty"` // of a spawn or a wait
	Since time.Time  `json:"since"`
}

// AskQuery selects asks. Zero fields do not filter. Asks come oldest first.
type AskQuery struct {
	Tree  rein.RunID // of this run and everything below it
	State rein.AskState
	For   string // those that this user may answer
}

// Asks is the answer to GET /v1/asks.
type Asks struct {
	Asks []rein.Ask `json:"asks"`
}

// A Line of a feed is a durable event or a passing piece of text, never both. The cursor, which only
// events have, names the place after the event: who follows from there gets what comes next.
type Line struct {
	Cursor string      `json:"cursor,omitempty"`
	Event  *rein.Event `json:"event,omitempty"`
	Delta  *rein.Delta `json:"delta,omitempty"`
	// Resync, if not empty, is all that there is: it says why the cursor means nothing here. The feed
	// goes on from its beginning, and what was read before is to be forgotten.
	Resync string `json:"resync,omitempty"`
}

// Lines is the answer to GET /v1/runs/{id}/events without a stream.
type Lines struct {
	Lines []Line `json:"lines"`
	Next  string `json:"next"` // the cursor after the last line, or the one that was given
	More  bool   `json:"more"` // there is more to read now
}

// The names of the events of a text/event-stream.
const (
	StreamEvent  = "event"  // a Line with an event; its id is the cursor
	StreamDelta  = "delta"  // a Line with a piece of text
	StreamResync = "resync" // a Line that says to begin again
	StreamEnd    = "end"    // the run has ended and everything was sent
	StreamError  = "error"  // a Problem: nothing more comes on this connection
)

// A Frame is a message of a feed over a WebSocket: what an event of the stream is over HTTP.
type Frame struct {
	Type    string   `json:"type"` // one of the names above
	Line    *Line    `json:"line,omitempty"`
	Problem *Problem `json:"problem,omitempty"` // of StreamError
}

// Health is the answer to GET /v1/health.
type Health struct {
	Version string    `json:"version"`
	PID     int       `json:"pid"`
	Data    string    `json:"data"` // the folder that the process owns; with PID, only for who manages the household
	Started time.Time `json:"started"`
	Live    int       `json:"live"`          // runs in memory
	URL     string    `json:"url,omitempty"` // where it is reached over a network, if it is
	// Settings is what is wrong with the newest edit of the settings: those before it hold. Restart lists
	// the settings that have changed and hold after a restart. Both are only for an admin.
	Settings string   `json:"settings,omitempty"`
	Restart  []string `json:"restart,omitempty"`
}

// Alive is the answer to GET /healthz and /readyz.
type Alive struct {
	OK bool `json:"ok"`
}
