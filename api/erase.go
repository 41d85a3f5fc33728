package api

import (
	"rein/household/erase"
)

// Erasure is what an erasure takes away: the answer to GET and POST /v1/erasures.
type Erasure = erase.Erasure

// NewErasure is the body of POST /v1/erasures: one of run, session and user.
type NewErasure struct {
	erase.Target
	// Shown is the digest of the list that GET /v1/erasures told: what goes is what was listed.
	Shown string `json:"shown"`
}
