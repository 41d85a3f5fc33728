package main

import "time"

// How wide a token is: as of a provider, and so that little room is needed to block who does not read.
const (
	narrow = 24
	broad  = 1000
)

// sizes say how much is measured.
type sizes struct {
	runs1, runs64 int // runs of a work cell
	warm          int
	tokens        int
	first         int   // runs for the time to the first token
	steps         []int // of the growth on disk
	stepRuns      []int // how many runs of each
	growthReps    int   // repetitions of the section growth, if -reps says no more
	parked, wakes int
	trees         int
	nodes, depth  int

	starts1, starts64 int // runs started by a cell of the server
	fan               []fan
	live              []fan // each follower has a run of its own
	cold              int   // starts of the program
	coldBuild         bool  // it is built with an empty cache too
	rest              time.Duration
	abuse             int // runs of the owner, alone and beside a member who takes everything

	passages            int // of the vault that is searched
	questions           int
	recall              int   // questions whose nearest passages are looked up exactly
	embedded            int   // passages that get real vectors
	viewRuns, viewTimes int   // runs in the store, and how often each list and sum is asked for
	longs               []int // events of a long log
	openMB              int   // of a large store
	items, keys         int   // of the timeline on a screen, and how often each key is pressed
}

// A fan is what is followed, and how. In both lists the last is the one before with followers that never
// read.
type fan struct {
	followers, stuck int
	tokens, delay    int // so many tokens, ms apart
	wide             int // bytes of a token
	places           int // for runs that are driven at once; 0: as many as by default
}

// manyPlaces are enough for a thousand live runs of one user, who may have two thirds of them. As it is shipped rein has
// half as many, and so many runs are live only if they are of several households.
const manyPlaces = 2048

var full = sizes{
	runs1: 300, runs64: 2500, warm: 100, tokens: 64,
	first: 200,
	steps: []int{4, 16, 64, 256, 1000}, stepRuns: []int{300, 150, 50, 16, 6}, growthReps: 3,
	parked: 10_000, wakes: 500,
	trees: 50, nodes: 100, depth: 5,
	starts1: 500, starts64: 5000,
	fan: []fan{
		{followers: 1, tokens: 200, delay: 50, wide: narrow},
		{followers: 100, tokens: 200, delay: 50, wide: narrow},
		{followers: 1000, tokens: 200, delay: 50, wide: narrow},
		{followers: 1000, tokens: 5000, delay: 1, wide: narrow},
		{followers: 100, tokens: 200, delay: 50, wide: broad},
		{followers: 100, stuck: 10, tokens: 200, delay: 50, wide: broad},
	},
	live: []fan{
		{followers: 1000, tokens: 100, delay: 100, wide: broad},
		{followers: 1000, tokens: 100, delay: 100, wide: narrow, places: manyPlaces},
		{followers: 1000, tokens: 100, delay: 100, wide: broad, places: manyPlaces},
		{followers: 1000, stuck: 100, tokens: 100, delay: 100, wide: broad, places: manyPlaces},
	},
	cold: 5, coldBuild: true, rest: 3 * time.Second, abuse: 15,
	passages: 100_000, questions: 480, recall: 16, embedded: 400,
	viewRuns: 100_000, viewTimes: 300, longs: []int{10_000, 1_000_000}, openMB: 10_000,
	items: 10_000, keys: 300,
}

// tiny keeps the shape of everything, for a smoke run.
var tiny = sizes{
	runs1: 3, runs64: 32, warm: 2, tokens: 64,
	first: 3,
	steps: []int{4, 16, 20, 40}, stepRuns: []int{2, 1, 1, 1}, growthReps: 1,
	parked: 40, wakes: 5,
	trees: 2, nodes: 40, depth: 5,
	starts1: 3, starts64: 70,
	fan: []fan{
		{followers: 1, tokens: 10, delay: 2, wide: narrow},
		{followers: 5, tokens: 100, delay: 2, wide: broad},
		{followers: 5, stuck: 2, tokens: 100, delay: 2, wide: broad},
	},
	live: []fan{
		{followers: 20, tokens: 100, delay: 20, wide: broad, places: manyPlaces},
		{followers: 20, stuck: 2, tokens: 100, delay: 20, wide: broad},
	},
	cold: 1, abuse: 2,
	passages: 500, questions: 16, recall: 2, embedded: 10,
	viewRuns: 400, viewTimes: 3, longs: []int{100, 1000}, openMB: 2,
	items: 50, keys: 10,
}
