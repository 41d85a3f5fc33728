// Package journal reads logs. A run's log is the only record of what happened; this package folds
// it into what people and programs ask about: steps, asks, children, usage, what was said, and the
// state of the run.
//
// Each fold is a small type whose zero value is ready to use. Pass the events of a log in order to
// its See method. [Steps], [Asks] and [Transcript] also accept the events of a tree of runs, as a
// feed delivers them, and forget what is over, so that a long log needs little memory. [Run] keeps
// everything about one run.
//
// Folds never fail. A payload that was erased or is damaged leaves its fields empty; to find out,
// use [rein.Decode].
package journal

import "rein"

// read returns the payload of an event, as far as it can be read.
func read[T any](e rein.Event) T {
	p, _ := rein.Payload[T](e)
	return p
}
