package engine

import (
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
	call           *call
	silence, whole time.Duration
	began          time.Time
	last           atomic.Int64 // when the provider was last heard: time since it began

	mu    sync.Mutex    // held while it looks at its limits
	timer *time.Timer   // until it looks again
	over  bool          // it looks no more
	paid  time.Duration // since it began: how much is reserved
}

// beginTiming begins to time a call for which some time is reserved. The caller stops it, also when it
// unwinds.
func (s *modelStep) beginTiming(c *call, info rein.ModelInfo, paid time.Duration) *timing {
	w := &timing{step: s, call: c, paid: paid, began: time.Now()}
	w.silence, w.whole = s.run.opts.Worker.ModelLimits(info)
	w.mu.Lock()
	defer w.mu.Unlock()
	w.timer = time.AfterFunc(min(w.silence, w.whole, w.paid), w.look)
	return w
}

// stop ends the timing. After it the call is not cut and nothing is reserved any more.
func (w *timing) stop() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.over = true
	w.timer.Stop()
}

// heard notes a sign of life.
func (w *timing) heard() { w.last.Store(int64(time.Since(w.began))) }

// look cuts the call at the first of its limits. It has a goroutine of its own, in which renew may exit; the
// call then ends because the run lets go of it.
func (w *timing) look() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for !w.over {
		now, silent := time.Since(w.began), time.Duration(w.last.Load())+w.silence
		switch {
		case now >= silent:
			w.call.cut(rein.Errorf(rein.CodeTimeout, "the model took too long: nothing came from its provider for %s (silence in its settings)", w.silence))
			return
		case now >= w.whole:
			w.call.cut(rein.Errorf(rein.CodeTimeout, "the model took too long: it did not end within %s (whole in its settings)", w.whole))
			return
		case now >= w.paid:
			if err := w.renew(); err != nil {
				w.call.cut(err)
				return
			}
		default:
			w.timer.Reset(min(silent, w.whole, w.paid) - now)
			return
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
