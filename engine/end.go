package engine

import (
	"context"
	"slices"

	"rein"
)

// Wait returns how the run ended, once it has. It follows a run that this engine drives without asking the
// store. Of a run that is driven by another process it learns the end only if that had come already.
func (e *Engine) Wait(ctx context.Context, run rein.RunID) (rein.RunEnd, error) {
	// It registers before it looks: an end between the two is told to the channel, not lost.
	end, held := e.endOf(run)
	defer e.stopWaiting(run, end)
	if !held { // it may have ended before, or not exist
		info, err := e.opts.Store.Run(ctx, run)
		if err != nil {
			return rein.RunEnd{}, wrap("wait for run", run, err)
		}
		if info.Status.Ended() {
			return info.End(), nil
		}
	}
	select {
	case e := <-end:
		return e, nil
	case <-ctx.Done():
		return rein.RunEnd{}, wrap("wait for run", run, ctx.Err())
	}
}

// endOf returns where the end of a run will be told, and whether the run is in memory. The channel has
// room for the end, so that nobody who tells it can be held up by a caller who has left.
func (e *Engine) endOf(run rein.RunID) (end chan rein.RunEnd, held bool) {
	end = make(chan rein.RunEnd, 1)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.waits[run] = append(e.waits[run], end)
	d := e.live[run]
	f := e.fresh[run]
	return end, f != nil && f.durable || d != nil && d.durable && !d.told
}

// stopWaiting takes back what endOf registered.
func (e *Engine) stopWaiting(run rein.RunID, end chan rein.RunEnd) {
	e.mu.Lock()
	defer e.mu.Unlock()
	left := slices.DeleteFunc(e.waits[run], func(c chan rein.RunEnd) bool { return c == end })
	if len(left) == 0 {
		delete(e.waits, run)
	} else {
		e.waits[run] = left
	}
}

// tell wakes what waits for the end of a run: its parent, and callers of Wait. The end is durable by then.
// The drive is marked, so that whoever begins to wait from now on asks the store.
func (e *Engine) tell(run rein.RunID, end rein.RunEnd) {
	e.mu.Lock()
	for _, wait := range e.waits[run] {
		wait <- end
	}
	delete(e.waits, run)
	if d := e.live[run]; d != nil {
		d.told = true
	}
	// The parent is woken without the engine's lock: waking makes its drive read the log, which takes the
	// drive's two locks, and a drive that holds those asks for the engine's.
	e.mu.Unlock()
	if parent := run.Parent(); parent != "" {
		e.wake(parent)
	}
}
