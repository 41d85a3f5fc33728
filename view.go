package rein

import "time"

// A Checkpoint is one hash over all that there was at a moment: every run's ID, sequence number and
// hash, the newest entry of the chain of people's records, and the checkpoint before. Who keeps the head
// elsewhere can prove later that each of these is still there. Erasing payloads takes nothing of it away,
// and nothing else takes a run away.
type Checkpoint struct {
	N      int64     `json:"n"`
	Made   time.Time `json:"made"`
	Runs   int64     `json:"runs"`
	People int64     `json:"people"` // entries of the chain
	Head   Hash      `json:"head"`
}

// Status is where a run stands. An ended run's status is its End.
type Status string

const (
	StatusReady   Status = "ready"   // started, not driven yet
	StatusRunning Status = "running" // a driver has it
	StatusWaiting Status = "waiting" // parked: for a person, a child, a timer
	StatusBlocked Status = "blocked" // its log cannot be replayed by this program
)

// Ended reports whether it is the status of a run that has ended.
func (s Status) Ended() bool {
	switch s {
	case StatusReady, StatusRunning, StatusWaiting, StatusBlocked, "":
		return false
	}
	return true
}

// RunInfo is a run as the views show it.
type RunInfo struct {
	ID        RunID       `json:"id"`
	Household string      `json:"household"`
	User      string      `json:"user"`
	Session   string      `json:"session"`
	Flow      string      `json:"flow"`
	Title     string      `json:"title"` // the first line of what was asked
	Status    Status      `json:"status"`
	Ending    CommandKind `json:"ending,omitempty"` // the command that is ending it, if one is
	Paused    bool        `json:"paused,omitempty"` // nothing begins in it until it is resumed
	Epoch     int64       `json:"epoch"`
	Digest    Hash        `json:"digest"`
	Seq       int64       `json:"seq"`     // of its last event
	Command   int64       `json:"command"` // the sequence number of its newest command
	Started   time.Time   `json:"started"`
	Changed   time.Time   `json:"changed"` // when its last event was written
	WakeAt    time.Time   `json:"wake_at,omitzero"`
	Outcome   *RunEnd     `json:"outcome,omitempty"`
	Erased    bool        `json:"erased,omitempty"`
}

// End returns how an ended run ended.
func (r RunInfo) End() RunEnd {
	if r.Outcome != nil {
		return *r.Outcome
	}
	return RunEnd{Outcome: Outcome{End: End(r.Status)}}
}

// SessionInfo is a session as the views show it.
type SessionInfo struct {
	ID        string    `json:"id"`
	Household string    `json:"household"`
	User      string    `json:"user"`
	Started   time.Time `json:"started"`
	Changed   time.Time `json:"changed"`          // when a root run of it last started or ended
	Runs      int64     `json:"runs"`             // root runs
	Active    RunID     `json:"active,omitempty"` // its newest unfinished root run
}

// An Act is an event that someone must answer for.
type Act struct {
	N         int64     `json:"n"` // its place among all acts; it grows
	At        time.Time `json:"at"`
	Household string    `json:"household"`
	User      string    `json:"user"` // whose run it is
	Run       RunID     `json:"run"`
	Seq       int64     `json:"seq"`
	Kind      Kind      `json:"kind"`
	Step      StepKey   `json:"step,omitempty"`
	By        string    `json:"by,omitempty"` // who did it; empty: the run itself
}

// UsageSum is what the trees of runs with something in common have used.
type UsageSum struct {
	What string `json:"what"`
	Runs int64  `json:"runs"` // trees
	Used Amount `json:"used"` // without what is only reserved
}
