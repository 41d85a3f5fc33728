package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"rein"
	"rein/engine"
	"rein/store"
)

func parkedID(n int) rein.RunID { return rein.RunID(fmt.Sprintf("p%d", n)) }

func atOnce(o *engine.Options) { o.Grace = engine.NoGrace }

var silent = modelFunc(func(context.Context) (string, error) { return "ok", nil })

// parkCell starts runs that wait for a person and measures what they take once they are parked.
func parkCell(ctx context.Context, s spec) (figures, error) {
	t := newTally()
	r, err := openRig(ctx, s.Dir, silent, t.add, atOnce)
	if err != nil {
		return nil, err
	}
	// Many before the measurement, so that caches and stacks have grown: they stay as they are after that.
	empty, program := settledRSS(), memory("RssFile")
	if err := parkRuns(ctx, r, t, -s.Warm, 0); err != nil {
		return nil, err
	}
	before, routines := settledRSS(), runtime.NumGoroutine()
	f, m := figures{"grown_kb": before - empty}, startMeter(s)
	if err := parkRuns(ctx, r, t, 0, s.Runs); err != nil {
		return nil, err
	}
	m.read(f)
	if err := untilNoneLive(ctx, r); err != nil {
		return nil, err
	}
	f["goroutines"] = float64(runtime.NumGoroutine() - routines)
	after := settledRSS()
	f["program_kb"] = memory("RssFile") - program
	f["rss_kb"], f["above_kb"] = (after-before)/float64(s.Runs), (after-empty)/float64(s.Warm+s.Runs)
	f["cpu_ms"] = f["cpu_s"] * 1000 / float64(s.Runs)
	if s.Hold {
		return f, nil // to be killed
	}
	return f, r.close()
}

// parkRuns starts the runs from..to, 64 at a time, and returns when all of them are parked.
func parkRuns(ctx context.Context, r *rig, t *tally, from, to int) error {
	t.mu.Lock()
	have := t.counts[rein.RunParked]
	t.mu.Unlock()
	var next atomic.Int64
	next.Store(int64(from))
	errs := make([]error, 64)
	var starters sync.WaitGroup
	for i := range errs {
		starters.Go(func() {
			for n := int(next.Add(1)) - 1; n < to && errs[i] == nil; n = int(next.Add(1)) - 1 {
				_, errs[i] = r.Start(ctx, parkedID(n), rein.Task{
					Flow: "park", Messages: []rein.Message{{Role: rein.User, Text: userText(n)}},
				})
			}
		})
	}
	starters.Wait()
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return t.until(ctx, rein.RunParked, have+to-from)
}

// untilNoneLive waits until the engine holds no run any more. The event that a run is parked comes
// a moment before.
func untilNoneLive(ctx context.Context, r *rig) error {
	for r.Live() > 0 {
		select {
		case <-time.After(time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("%d runs are still in memory: %w", r.Live(), ctx.Err())
		}
	}
	return nil
}

// recoverCell opens a store with parked runs and measures how long it takes from the start of the
// process until all are listed and a new run has been served, and then what an answer takes.
func recoverCell(ctx context.Context, s spec) (figures, error) {
	launched := time.Unix(0, s.Launched)
	var called atomic.Int64 // when the model was called last
	r, err := openRig(ctx, s.Dir, modelFunc(func(context.Context) (string, error) {
		called.Store(time.Now().UnixNano())
		return "ok", nil
	}), nil, atOnce)
	if err != nil {
		return nil, err
	}
	f, m := figures{"open_ms": millis(time.Since(launched))}, startMeter(s)
	listed := 0
	for info, err := range r.store.Runs(ctx, store.Filter{Unfinished: true}) {
		if err != nil {
			return nil, err
		}
		if info.Status == rein.StatusWaiting {
			listed++
		}
	}
	f["listed_ms"], f["listed"] = millis(time.Since(launched)), float64(listed)
	if err := probeServing(ctx, r); err != nil {
		return nil, err
	}
	f["served_ms"] = millis(time.Since(launched))
	f["rss_kb"] = settledRSS()
	if err := measureWakes(ctx, s, r, &called, f); err != nil {
		return nil, err
	}
	m.read(f)
	return f, r.close()
}

// probeServing returns when a new run has ended.
func probeServing(ctx context.Context, r *rig) error {
	if _, err := r.Start(ctx, "probe", rein.Task{Flow: "nothing"}); err != nil {
		return err
	}
	_, err := r.Wait(ctx, "probe")
	return err
}

// measureWakes answers asks one after the other and measures how long it takes from sending the
// answer until the run, replayed from its rows, calls the model.
func measureWakes(ctx context.Context, s spec, r *rig, called *atomic.Int64, f figures) error {
	var sent, told []float64
	for n := range s.Runs {
		id := parkedID(n)
		ask, err := r.store.Ask(ctx, rein.NewAskID(id, "1.ask"))
		if err != nil {
			return err
		}
		began := time.Now()
		_, err = r.Command(ctx, ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "yes", By: "ann"}))
		answered := time.Now()
		if err != nil {
			return err
		}
		if end, err := r.Wait(ctx, id); err != nil || end.End != rein.EndDone {
			return fmt.Errorf("run %s ended as %s (%v): %w", id, end.End, end.Failure, err)
		}
		at := time.Unix(0, called.Load())
		sent = append(sent, millis(at.Sub(began)))
		told = append(told, millis(at.Sub(answered)))
	}
	f.spread("wake", sent)
	f.spread("after", told)
	return nil
}
