package api

import (
	"time"

	"rein"
)

// BackgroundCommands is the answer to GET /v1/background: the commands that run, the oldest first.
type BackgroundCommands struct {
	Commands []BackgroundCommand `json:"commands"`
}

// A BackgroundCommand is a command that a run started in the background. It goes on after its run, until it ends, somebody
// stops it, or the process exits.
type BackgroundCommand struct {
	ID      string     `json:"id"`
	User    string     `json:"user,omitempty"`
	Session string     `json:"session,omitempty"`
	Run     rein.RunID `json:"run"`
	Command string     `json:"command"` // without secrets
	Folder  string     `json:"folder"`  // relative to the workspace
	Started time.Time  `json:"started"`
	Until   time.Time  `json:"until"` // when it is ended at the latest
}
