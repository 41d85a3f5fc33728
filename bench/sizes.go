package main

// sizes say how much is measured.
type sizes struct {
	runs1, runs64 int // runs of a work cell
	warm          int
	tokens        int
	first         int   // runs for the time to the first token
	steps         []int // of the growth on disk
	stepRuns      []int // how many runs of each
	parked, wakes int
	trees         int
	nodes, depth  int
}

var full = sizes{
	runs1: 300, runs64: 2500, warm: 100, tokens: 64,
	first: 200,
	steps: []int{4, 16, 64, 256, 1000}, stepRuns: []int{400, 200, 60, 16, 5},
	parked: 10_000, wakes: 500,
	trees: 50, nodes: 100, depth: 5,
}

// tiny keeps the shape of everything, for a smoke run.
var tiny = sizes{
	runs1: 3, runs64: 32, warm: 2, tokens: 64,
	first: 3,
	steps: []int{4, 16}, stepRuns: []int{2, 1},
	parked: 40, wakes: 5,
	trees: 2, nodes: 40, depth: 5,
}
