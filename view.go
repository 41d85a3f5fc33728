package rein

import "time"

// A Checkpoint is one hash over everything at a moment: the ID, sequence number and hash of every run, the
// newest entry of the chain of records about people, and the previous checkpoint. If you keep the head
// elsewhere, you can prove later that all of these are still there. Erasing payloads does not change them,
// and nothing else removes a run.
type Checkpoint struct {
	N      int64     `json:"n"`
	Made   time.Time `json:"made"`
	Runs   int64     `json:"runs"`
	People int64     `json:"people"` // how many entries the chain has
	Head   Hash      `json:"head"`
}

// Status is the state of a run. When a run has ended, its status is its End.
type Status string

const (
	StatusReady   Status = "ready"   // started, but no process drives it yet
	StatusRunning Status = "running" // a process drives it
	StatusWaiting Status = "waiting" // parked: it waits for a person, a child or a timer
	StatusBlocked Status = "blocked" // this program cannot replay its log
)

// Ended reports whether it is the status of a run that has ended.
func (s Status) Ended() bool {
	switch s {
	case StatusReady, StatusRunning, StatusWaiting, StatusBlocked, "":
		return false
	}
	return true
}

// RunInfo is a run as lists show it.
type RunInfo struct {
	ID        RunID       `json:"id"`
	Household string      `json:"household"`
	User      string      `json:"user"`
	Session   string      `json:"session"`
	Flow      string      `json:"flow"`
	Title     string      `json:"title"` // the first line of the task
	Status    Status      `json:"status"`
	Ending    CommandKind `json:"ending,omitempty"` // the command that is ending it, if there is one
	Paused    bool        `json:"paused,omitempty"` // it starts nothing until it is resumed
	Mode      Mode        `json:"mode,omitempty"`   // how much of its work waits for a person; missing: ask
	Workspace string      `json:"workspace,omitempty"`
	Epoch     int64       `json:"epoch"`
	Digest    Hash        `json:"digest"`
	Seq       int64       `json:"seq"`     // the sequence number of its last event
	Command   int64       `json:"command"` // the sequence number of its newest command
	Started   time.Time   `json:"started"`
	Changed   time.Time   `json:"changed"` // when its last event was written
	Ended     time.Time   `json:"ended,omitzero"`
	WakeAt    time.Time   `json:"wake_at,omitzero"`
	Outcome   *RunEnd     `json:"outcome,omitempty"`
	Erased    bool        `json:"erased,omitempty"`
	// Used is what the tree of a root has used, with what is reserved for calls that are running. Other runs have none.
	Used Amount `json:"used,omitzero"`
	// Asks is how many asks are open in it and in the runs below. Only answers about one run, and lists of runs, have it.
	Asks int64 `json:"asks,omitempty"`
}

// End returns how an ended run ended.
func (r RunInfo) End() RunEnd {
	if r.Outcome != nil {
		return *r.Outcome
	}
	return RunEnd{Outcome: Outcome{End: End(r.Status)}}
}

// SessionInfo is a session as lists show it.
type SessionInfo struct {
	ID        string    `json:"id"`
	Household string    `json:"household"`
	User      string    `json:"user"`
	Started   time.Time `json:"started"`
	Changed   time.Time `json:"changed"`          // when one of its root runs last started or ended
	Runs      int64     `json:"runs"`             // how many root runs it has
	Active    RunID     `json:"active,omitempty"` // its newest unfinished root run
	// Title is the one that somebody gave it, or that of its first run.
	Title string `json:"title"`
	// Status, Flow and Workspace are those of its newest root run.
	Status    Status `json:"status"`
	Flow      string `json:"flow"`
	Workspace string `json:"workspace,omitempty"`
	Waiting   int64  `json:"waiting,omitempty"` // how many open asks of its runs wait for you
}

// An Act is an event that a person, or a run, is responsible for.
type Act struct {
	N         int64     `json:"n"` // its number; later acts have higher ones
	At        time.Time `json:"at"`
	Household string    `json:"household"`
	User      string    `json:"user"` // whose run it is
	Run       RunID     `json:"run"`
	Seq       int64     `json:"seq"`
	Kind      Kind      `json:"kind"`
	Step      StepKey   `json:"step,omitempty"`
	By        string    `json:"by,omitempty"` // who did it; empty: the run itself
}

// UsageSum is what a group of runs, with everything below them, has used.
type UsageSum struct {
	What string `json:"what"`
	Runs int64  `json:"runs"` // how many trees of runs
	Used Amount `json:"used"` // without reservations
}
