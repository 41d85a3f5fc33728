package api

import "rein"

// A Hint says that something of yours has changed, and not what: read it again. GET /v1/live sends one whenever it can, with
// all that changed since the previous one.
type Hint struct {
	Hello    bool         `json:"hello,omitempty"`    // anything may have changed: with StreamHello
	Runs     []rein.RunID `json:"runs,omitempty"`     // the roots of the runs that changed, or have a run below them that did
	Asks     bool         `json:"asks,omitempty"`     // an ask was opened or closed
	Sessions []string     `json:"sessions,omitempty"` // sessions that changed
	// Household lists what changed of the things that you have, or share with your household, outside of runs.
	Household []Topic `json:"household,omitempty"`
}

// A Topic is a kind of things that a household has outside of runs.
type Topic string

// The topics. There may be more later.
const (
	TopicAgenda    Topic = "agenda"    // events
	TopicSchedules Topic = "schedules" // jobs and their runs
	TopicMemory    Topic = "memory"    // memories, preferences, snapshots, summaries
	TopicLists     Topic = "lists"     // shared lists
	TopicPeople    Topic = "people"    // users, devices, roles
	TopicMessages  Topic = "messages"  // what you are sent, and what happened to it
)
