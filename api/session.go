package api

import (
	"rein"
)

// Session is a session as lists and answers show it.
type Session = rein.SessionInfo

// Sessions is the answer to GET /v1/sessions.
type Sessions struct {
	Sessions []Session `json:"sessions"`       // newest first
	Next     string    `json:"next,omitempty"` // the after of the next page; empty: that was all
}

// NewMessage is the body of POST /v1/sessions/{id}/messages. It steers the run that is under way in the
// session, or starts one.
type NewMessage struct {
	Text string `json:"text"`
	// ID, Preset and Task are of the run that is started, if one is.
	ID     rein.RunID `json:"id,omitempty"`
	Preset string     `json:"preset,omitempty"`
	Task   rein.Task  `json:"task,omitzero"`
}

// An Answer is the body of POST /v1/asks/{id}/answer. Its shown repeats that of the ask, so that it
// holds only for what its sender has read; its by is left out.
type Answer struct {
	rein.Answer
	Key string `json:"key,omitempty"` // as of a command
}
