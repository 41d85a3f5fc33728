package main

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/internal/headroom"
	"rein/store/sqlite"
)

// A rig is an engine as a program would wire it: SQLite and goroutines.
type rig struct {
	*engine.Engine
	store  *sqlite.Store
	cancel context.CancelFunc
	served chan error
}

// openRig opens the store in a folder and serves, with the collector set as the program sets it. tweak may change the options; events, if not nil,
// is told what is committed.
func openRig(ctx context.Context, dir string, model rein.Model, events func([]rein.Event), tweak func(*engine.Options)) (*rig, error) {
	headroom.Take()
	store, err := sqlite.Open(ctx, filepath.Join(dir, "rein.db"), sqlite.Options{OnCommit: events})
	if err != nil {
		return nil, err
	}
	options := engine.Options{
		Store: store, Flows: flows, Dispatch: &local.Dispatcher{},
		Worker: &work.Worker{
			Models: map[string]rein.Model{"": model},
			Tools: map[string]rein.Tool{"lookup": {
				Name: "lookup", Description: "Look something up", Schema: []byte(lookupSchema), Effect: rein.Pure,
				Do: func(_ context.Context, i rein.Invocation) (rein.Done, error) {
					text, err := lookupArgs(i.Args)
					return rein.Done{Text: text}, err
				},
			}},
		},
	}
	tweak(&options)
	e, err := engine.New(options)
	if err != nil {
		return nil, errors.Join(err, store.Close())
	}
	ctx, cancel := context.WithCancel(ctx)
	r := &rig{Engine: e, store: store, cancel: cancel, served: make(chan error, 1)}
	go func() { r.served <- e.Serve(ctx) }()
	return r, nil
}

func (r *rig) close() error {
	r.cancel()
	return errors.Join(<-r.served, r.store.Close())
}

// A tally counts events by kind, for those who wait for them.
type tally struct {
	mu      sync.Mutex
	counts  map[rein.Kind]int
	changed chan struct{}
}

func newTally() *tally { return &tally{counts: map[rein.Kind]int{}, changed: make(chan struct{})} }

// add takes in what was committed.
func (t *tally) add(events []rein.Event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, e := range events {
		t.counts[e.Kind]++
	}
	close(t.changed)
	t.changed = make(chan struct{})
}

// until waits for the given number of events of a kind.
func (t *tally) until(ctx context.Context, kind rein.Kind, n int) error {
	for {
		t.mu.Lock()
		enough, changed := t.counts[kind] >= n, t.changed
		t.mu.Unlock()
		if enough {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
