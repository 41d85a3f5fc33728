package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"rein"
	"rein/engine"
	"rein/store"
)

// A grove is where trees are grown and cancelled.
type grove struct {
	*rig
	spec  spec
	tally *tally

	calls, under atomic.Int64 // model calls so far, and under way
	started      chan struct{}

	mu   sync.Mutex
	felt map[rein.RunID]time.Time // when a root's end was durable
}

// cancelCell measures how long it takes from cancelling a tree until its root has ended, which is
// after everything below it has.
func cancelCell(ctx context.Context, s spec) (f figures, err error) {
	g := &grove{spec: s, tally: newTally(), felt: map[rein.RunID]time.Time{}, started: make(chan struct{}, 1024)}
	g.rig, err = openRig(ctx, s.Dir, modelFunc(g.hang), g.committed, func(o *engine.Options) {
		if s.Parked {
			o.Grace = engine.NoGrace
		}
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, g.close()) }()
	stop, err := profile(s)
	if err != nil {
		return nil, err
	}
	var told, quiet []float64
	f, m := figures{}, startMeter(s)
	for n := range s.Runs {
		root := rein.RunID(fmt.Sprintf("t%d", n))
		if err := g.grow(ctx, root, n+1); err != nil {
			return nil, fmt.Errorf("grow tree %s: %w", root, err)
		}
		t, q, err := g.cut(ctx, root)
		if err != nil {
			return nil, fmt.Errorf("cancel tree %s: %w", root, err)
		}
		told, quiet = append(told, t), append(quiet, q)
	}
	m.read(f)
	if want := int64(s.Runs * g.modelCalls()); g.calls.Load() != want {
		return nil, fmt.Errorf("the model was called %d times, want %d", g.calls.Load(), want)
	}
	f.spread("told", told)
	f.spread("quiet", quiet)
	f["trees"], f["nodes"], f["leaves"] = float64(s.Runs), float64(s.Nodes), float64(leaves(s.Nodes, s.Depth))
	return f, stop()
}

// modelCalls is how often one tree calls the model.
func (g *grove) modelCalls() int {
	if g.spec.Parked {
		return 0
	}
	return leaves(g.spec.Nodes, g.spec.Depth)
}

// hang is the model: it says nothing until it is cancelled.
func (g *grove) hang(ctx context.Context) (string, error) {
	g.calls.Add(1)
	g.under.Add(1)
	defer g.under.Add(-1)
	g.started <- struct{}{}
	<-ctx.Done()
	return "", context.Cause(ctx)
}

func (g *grove) committed(events []rein.Event) {
	now := time.Now()
	for _, e := range events {
		if e.Kind.Ends() && e.Run.Depth() == 0 {
			g.mu.Lock()
			g.felt[e.Run] = now
			g.mu.Unlock()
		}
	}
	g.tally.add(events)
}

// grow starts a tree and returns when all its leaves wait: in a model call or, parked, for a person.
func (g *grove) grow(ctx context.Context, root rein.RunID, nth int) error {
	budget := rein.DefaultBudget()
	budget.Runs, budget.Depth = int64(g.spec.Nodes), g.spec.Depth
	budget.DrivenMS = 24 * time.Hour.Milliseconds() // each leaf reserves its longest call
	_, err := g.Start(ctx, root, rein.Task{
		Flow: "tree", Budget: &budget, Settings: encode(settings{Nodes: g.spec.Nodes, Depth: g.spec.Depth, Ask: g.spec.Parked}),
	})
	if err != nil {
		return err
	}
	if g.spec.Parked {
		if err := g.tally.until(ctx, rein.AskOpened, nth*leaves(g.spec.Nodes, g.spec.Depth)); err != nil {
			return err
		}
		return untilNoneLive(ctx, g.rig)
	}
	for range g.modelCalls() {
		select {
		case <-g.started:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// cut cancels a tree and returns when Command returned and when the root had ended, in ms.
func (g *grove) cut(ctx context.Context, root rein.RunID) (told, quiet float64, err error) {
	calls := g.calls.Load()
	began := time.Now()
	if _, err := g.Command(ctx, rein.Command{Kind: rein.CommandCancel, Run: root, By: "ann"}); err != nil {
		return 0, 0, err
	}
	told = millis(time.Since(began))
	end, err := g.Wait(ctx, root)
	if err != nil {
		return 0, 0, err
	}
	if end.End != rein.EndCancelled || g.calls.Load() != calls || g.under.Load() != 0 {
		return 0, 0, fmt.Errorf("it ended as %s with %d new model calls and %d under way", end.End, g.calls.Load()-calls, g.under.Load())
	}
	g.mu.Lock()
	quiet = millis(g.felt[root].Sub(began))
	g.mu.Unlock()
	return told, quiet, g.allEnded(ctx, root)
}

// allEnded checks that nothing of the tree is left and that no run ended after the root.
func (g *grove) allEnded(ctx context.Context, root rein.RunID) error {
	nodes := 0
	var last, end time.Time
	for info, err := range g.store.Runs(ctx, store.Filter{Tree: root}) {
		if err != nil {
			return err
		}
		nodes++
		if !info.Status.Ended() {
			return fmt.Errorf("run %s is still %s", info.ID, info.Status)
		}
		if info.ID == root {
			end = info.Changed
		} else if info.Changed.After(last) {
			last = info.Changed
		}
	}
	if nodes != g.spec.Nodes || last.After(end) {
		return fmt.Errorf("the tree has %d nodes, want %d; the last of them ended %s after the root", nodes, g.spec.Nodes, last.Sub(end))
	}
	return nil
}
