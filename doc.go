// Package rein is the vocabulary of the runtime: what a run is, what it may do, and what is
// recorded about it. It imports the standard library only, and every other package imports it.
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
// good or bad, is recorded once, and from then on the log answers. So a run can be cut off
// anywhere, by a crash or because it waits for a person, and be replayed to the same place.
//
// An [Event] is one line of a run's log. Two kinds of writer append to it: the one driver that
// holds the run's newest epoch, and the people (and children) who send it a [Command]. The store
// orders both. It refuses to let the driver park or end the run while there is a command that the
// driver has not read.
//
// A [Tool] declares its [Effect], and the engine acts on it. Before a call that cannot simply be
// repeated, its intent is durable. After a crash the engine looks up what happened, repeats the
// call with the same key, or asks a person. It never guesses.
//
// An [Ask] is anything that waits for a person. It outlives the process, and is closed exactly
// once.
//
// A [Budget] bounds a whole tree of runs. Every step reserves its upper bound before it acts and
// settles the true amount afterwards, in the transaction of the event that records it.
//
// # Where to go from here
//
// To write a tool, start with package tool; to write a flow, with package flow; to run rein inside
// a program, with package app. Package journal reads logs, package api/client calls a server.
package rein
