package api

import (
	"rein"
)

// Session is a session as lists and answers show it.
type Session = rein.SessionInfo

// Sessions is the answer to GET /v1/sessions.
type Sessions struct {
	Sessions []Session `json:"sessions"`       // newest first
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
