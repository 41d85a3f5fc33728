package defers

import (
	"rein"
	"rein/flow/kit"
)

type helper struct{ run rein.Run }

func (h helper) tidy() { h.say() }

func (h helper) say() { _, _ = h.run.Inbox() }

type wrapped struct{ rein.Run }

type caller interface {
	CallModel(rein.Prompt) (rein.Message, error)
}

func use(rein.Run) {}

func Flow(run rein.Run, task rein.Task) (rein.Outcome, error) {
	defer run.Inbox() // want defer
	defer func() {
		_, _ = run.CallModel(rein.Prompt{}) // want defer
	}()
	verb := run.Inbox
	defer verb()                               // want defer
	defer func() { _, _ = verb() }()           // want defer
	defer helper{run}.tidy()                   // want defer
	defer wrapped{run}.Spawn(task)             // want defer
	defer use(run)                             // want defer
	defer func() { use(run) }()                // want defer
	defer caller(run).CallModel(rein.Prompt{}) // want defer
	defer apply(run.Wait)                      // want defer
	hidden := kit.Background{Run: run}
	defer hidden.Nothing(nil) // want defer
	return rein.Outcome{}, nil
}

func apply(f func(rein.RunID) (rein.Outcome, error)) { _, _ = f("") }
