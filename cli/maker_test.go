package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"sync"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/enginetest"
	"rein/engine/enginetest/flows"
	"rein/engine/work"
	"rein/model/script"
	"rein/store/sqlite"
)

// A maker makes runs with the real engine on a real store; only the model is scripted.
type maker struct {
	path string
	play string
	user string // whose runs they are; empty: ann's

	store  *sqlite.Store
	engine *engine.Engine
	model  *script.Model
	tools  *enginetest.Tools
	events chan rein.Event
	stop   func()
}

// begin opens the store and serves. Flows that are left out are those of a program that has
// forgotten them.
func (m *maker) begin(without ...string) {
	m.events = make(chan rein.Event, 10_000)
	var err error
	m.store, err = sqlite.Open(context.Background(), m.path, sqlite.Options{OnCommit: func(events []rein.Event) {
		for _, e := range events {
			m.events <- e
		}
	}})
	check(err)
	m.model, err = script.Parse("story", []byte(m.play))
	check(err)
	m.tools = enginetest.NewTools()
	known := flows.All()
	for _, name := range without {
		delete(known, name)
	}
	m.engine, err = engine.New(engine.Options{
		Store: m.store, Flows: known, Dispatch: &local.Dispatcher{}, Grace: engine.NoGrace, DrainGrace: engine.NoGrace,
		Worker: &work.Worker{
			Models: map[string]rein.Model{"": m.model}, Tools: m.tools.All(), Abandon: 10 * time.Millisecond,
		},
	})
	check(err)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- m.engine.Serve(ctx) }()
	m.stop = sync.OnceFunc(func() {
		cancel()
		check(<-served)
	})
}

// end lets everything go, in the order in which a program does, once nothing is under way.
func (m *maker) end() {
	for m.engine.Live() > 0 {
		runtime.Gosched() // there is no event for it
	}
	m.stop()
	check(m.store.Close())
}

// die lets everything go as a crash does: the log is gone before anyone can write to it.
func (m *maker) die() {
	check(m.store.Close())
	m.stop()
}

func (m *maker) start(id rein.RunID, flow, text string, s flows.Settings, tools ...string) {
	settings, err := json.Marshal(s)
	check(err)
	_, err = m.engine.Start(context.Background(), id, rein.Task{
		Flow: flow, Messages: []rein.Message{{Role: rein.User, Text: text}}, Tools: tools, Settings: settings,
		Household: "home", User: cmp.Or(m.user, "ann"), Session: "s-" + string(id),
	})
	check(err)
}

// until waits for an event of a run.
func (m *maker) until(run rein.RunID, is func(rein.Kind) bool) rein.Event {
	patience := time.After(30 * time.Second)
	for {
		select {
		case e := <-m.events:
			if e.Run == run && is(e.Kind) {
				return e
			}
		case <-patience:
			check(fmt.Errorf("run %s: what should happen does not", run))
		}
	}
}

func (m *maker) untilKind(run rein.RunID, kind rein.Kind) rein.Event {
	return m.until(run, func(k rein.Kind) bool { return k == kind })
}

func (m *maker) untilEnd(run rein.RunID) { m.until(run, rein.Kind.Ends) }

func (m *maker) send(c rein.Command) {
	c.By = "ann"
	_, err := m.engine.Command(context.Background(), c)
	check(err)
}
