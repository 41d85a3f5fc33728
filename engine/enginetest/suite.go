package enginetest

import (
	"testing"
	"time"

	"rein/engine"
)

// A test of the contract gets a function that makes its world.
type test struct {
	name string
	run  func(*testing.T, func(script string) *World)
}

// Run runs the whole contract, with a grace and without.
func Run(t *testing.T, parts Parts) {
	for _, grace := range []struct {
		name string
		time time.Duration
	}{{"grace", time.Minute}, {"no grace", engine.NoGrace}} {
		t.Run(grace.name, func(t *testing.T) {
			t.Parallel()
			for _, group := range [][]test{starts, asks, questions, consults, ends, pauses, mails, families, treeCalls, effects, shared, budgets, frozen, replays, narrow, late, pipeline, hostile, pins, compaction, tries, races, afterwards, modes, brought} {
				for _, c := range group {
					t.Run(c.name, func(t *testing.T) {
						t.Parallel()
						c.run(t, func(script string) *World { return Prepare(t, parts, grace.time, script) })
					})
				}
			}
		})
	}
}
