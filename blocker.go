package rein

import "time"

// A Blocker is something on which a run, or one below it, could wait for a person.
type Blocker struct {
	Kind AskKind `json:"kind"`
	What string  `json:"what"` // the tool; of a question that a flow asks by itself, the flow's phase
	Why  string  `json:"why"`
	// Waits is how long it waits; zero is for ever.
	Waits time.Duration `json:"waits,omitempty"`
	// OnExpiry is what happens then: continue, deny (the call is not made) or stop. Park means that
	// nothing does: it waits until someone answers.
	OnExpiry Expiry `json:"on_expiry"`
}
