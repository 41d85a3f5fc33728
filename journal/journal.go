// Package journal reads logs. A run's log is the one record of what happened; this package folds it into
// what people and programs ask about: steps, asks, children, usage, what was said, and where the run
// stands.
//
// Each fold is a small type whose zero value has seen nothing. Its See method takes the events of a log
// in order. [Steps], [Asks] and [Transcript] also take the events of a tree of runs, as a feed delivers
// them, and forget what is over, so that a long log needs little memory. [Run] keeps everything of one
// run.
//
// Folds never fail. A payload that was erased or is damaged leaves empty what it would have said; who
// has to know uses [rein.Decode].
package journal

import "rein"

// read returns the payload of an event, as far as it can be read.
func read[T any](e rein.Event) T {
	p, _ := rein.Payload[T](e)
	return p
}
