package rein

import "time"

// A Blocker is something that could make a run, or a run below it, wait for a person.
type Blocker struct {
	Kind AskKind `json:"kind"`
	What string  `json:"what"` // the tool, or for a question that the flow itself asks, the flow's phase
	Why  string  `json:"why"`
	// Waits is how long it waits; 0 means without a limit.
	Waits time.Duration `json:"waits,omitempty"`
	// OnExpiry is what happens then: continue, deny (the call is not made) or stop. Park means that it waits
	// until someone answers.
	OnExpiry Expiry `json:"on_expiry"`
}
