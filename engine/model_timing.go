package engine

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"rein"
	"rein/store"
)

// A timing holds a model call to its limits. It cuts the call when the provider has been silent for too
// long. Time is reserved in slices: when one is used up and the provider still talks, it reserves
// the next and records that, so that a crash costs the call no more than its last slice.
type timing struct {
	step           *modelStep
	silence, whole time.Duration
	paid           time.Duration // since it began: how much is reserved
	began          time.Time
	last           atomic.Int64 // when the provider was last heard: time since it began
	cut            context.CancelCauseFunc
	over           chan struct{} // closed when the timing has ended
	stop           func()        // ends the timing and waits until it has; the call may go on
}

// beginTiming begins to time a call for which some time is reserved. The context that it returns ends, for
// the timing's reason, when the call must. The caller releases it, also when it unwinds.
func (s *modelStep) beginTiming(ctx context.Context, info rein.ModelInfo, paid time.Duration) (context.Context, *timing) {
	w := &timing{step: s, paid: paid, began: time.Now(), over: make(chan struct{})}
	w.silence, w.whole = s.run.opts.Worker.ModelLimits(info)
	ctx, w.cut = context.WithCancelCause(ctx)
	done := make(chan struct{})
	w.stop = sync.OnceFunc(func() {
		close(done)
		<-w.over
	})
	go w.run(done)
	return ctx, w
}

// release ends the timing and its context.
func (w *timing) release() {
	w.stop()
	w.cut(nil)
}

// heard notes a sign of life.
func (w *timing) heard() { w.last.Store(int64(time.Since(w.began))) }

// run cuts the call at the first of its limits. It has a goroutine of its own, in which renew may exit; the
// call then ends because the run lets go of it.
func (w *timing) run(done <-chan struct{}) {
	defer close(w.over) // also when the run is let go of meanwhile
	for {
		now, silent := time.Since(w.began), time.Duration(w.last.Load())+w.silence
		switch {
		case now >= silent:
			w.cut(rein.Errorf(rein.CodeTimeout, "the model took too long: nothing came from its provider for %s (silence in its settings)", w.silence))
			return
		case now >= w.whole:
			w.cut(rein.Errorf(rein.CodeTimeout, "the model took too long: it did not end within %s (whole in its settings)", w.whole))
			return
		case now >= w.paid:
			if err := w.renew(); err != nil {
				w.cut(err)
				return
			}
			continue
		}
		timer := time.NewTimer(min(silent, w.whole, w.paid) - now)
		select {
		case <-done:
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// renew reserves the next slice, or what is left of the budget.
func (w *timing) renew() error {
	slice := min(w.silence, w.whole-w.paid)
	for {
		more := rein.Amount{DrivenMS: max(slice.Milliseconds(), 1)}
		renewed := &rein.Renewed{Bound: w.step.rec.bound.Plus(more)}
		err := w.step.run.write(store.Draft{Kind: rein.StepRenewed, Step: w.step.key, Data: renewed, Spend: more, Reserve: true})
		if err == nil {
			w.paid += slice
			return nil
		}
		f := rein.FailureOf(err)
		if f.Code != rein.CodeBudget {
			return err
		}
		left := w.step.run.timeLeft()
		if f.Dim != "driven_ms" || left < minTime || left >= slice {
			return rein.Errorf(rein.CodeTimeout, "the model took too long: the budget has no more time for it")
		}
		slice = left
	}
}
