// Package rein is the vocabulary of the runtime: what a run is, what it may do, and what is
// remembered of it. It imports the standard library only, and every other package points here.
//
//	cmd/rein ──▶ engine ──▶ flow(Run, Task) ──▶ work: models, tools
//	               │              each verb is a recorded step
//	               ▼
//	             store: one append-only log per run = state, feed, audit, cost, replay
//
// # The ideas, in the order in which you meet them
//
// A [Flow] is a plain function over a [Run]. It has no clock, no randomness, no goroutines and no
// I/O; everything it learns comes from the seven verbs of Run. Each verb is a step: its result,
// good or bad, is recorded once and answered from the log ever after. So a run can be cut off
// anywhere, by a crash or because it waits for a person, and be replayed to the same place.
//
// An [Event] is one line of a run's log. Two kinds of writer append to it: the one driver that
// holds the run's newest epoch, and the people (and children) who send it a [Command]. The store
// orders them; what the driver has not read yet can refuse it to park or to end.
//
// A [Tool] declares its [Effect], and the engine keeps the promise that follows from it: an intent
// is durable before anything that cannot simply be done again, and after a crash the outcome of
// such a call is looked up, repeated under the same key, or put to a person. It is never guessed.
//
// An [Ask] is anything that waits for a person. It has a life of its own, outlives the process and
// ends exactly once.
//
// A [Budget] bounds the whole tree of runs. Every step reserves its upper bound before it acts and
// settles with the true amount afterwards, in the transaction of the event that says so.
package rein
