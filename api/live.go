package api

import "rein"

// A Hint says that something of yours has changed, and not what: read it again. GET /v1/live sends one whenever it can, with
// all that changed since the previous one.
type Hint struct {
	Hello    bool         `json:"hello,omitempty"`    // anything may have changed: with StreamHello
	Runs     []rein.RunID `json:"runs,omitempty"`     // the roots of the runs that changed, or have a run below them that did
	Asks     bool         `json:"asks,omitempty"`     // an ask was opened or closed
	Sessions []string     `json:"sessions,omitempty"` // sessions that changed
}
