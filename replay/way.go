package replay

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"rein"
	"rein/engine/work"
	"rein/replay/cassette"
	"rein/store"
)

// A way is how a fork goes up to its step: where the log of the run before it holds the ends of its
// steps. What they are is read when a call asks for it, and when the fork has passed its step even
// the places are let go.
type way struct {
	rein.Fork // without what the step is edited to, which stays in the log
	edited    bool
	root      rein.RunID // the fork itself
	forks     *Forks
	worker    *work.Worker

	making sync.Mutex
	score  atomic.Pointer[cassette.Score] // nil: it is not known, or not any more
	size   int                            // of the score; guarded by kept
	past   atomic.Bool                    // nothing comes from the log any more
	silent atomic.Bool                    // people are not waited for any more
}

// end returns how a step ended in the run before, or nil if it had not ended where the fork parts.
func (w *way) end(ctx context.Context, run rein.RunID, key rein.StepKey) (*rein.StepEnd, error) {
	if w.past.Load() {
		return nil, nil
	}
	if run == w.root && top(key) > top(w.Step) {
		return nil, w.passed(ctx)
	}
	score, err := w.read(ctx)
	if err != nil {
		return nil, cannotRead(err)
	}
	seq, ok, err := score.End(ctx, run, key)
	switch {
	case err != nil:
		return nil, err
	case ok:
		return w.body(ctx, run, key, seq)
	case strings.Contains(string(key), "."):
		return nil, nil // other branches may still be behind
	case run == w.root:
		return nil, w.passed(ctx)
	}
	w.forget(score, run)
	return nil, nil
}

// top is the number of a step, or of the step that it is a part of.
func top(key rein.StepKey) int {
	first, _, _ := strings.Cut(string(key), ".")
	n, _ := strconv.Atoi(first) // keys are made by the engine
	return n
}

// passed is called when the root goes its own way. Its children may still be behind.
func (w *way) passed(ctx context.Context) error {
	score := w.score.Load()
	if score == nil {
		return nil
	}
	for child, err := range w.forks.Store.Runs(ctx, store.Filter{Tree: w.root, Unfinished: true}) {
		if err != nil {
			return err
		}
		if child.ID != w.root {
			w.forget(score, w.root)
			return nil
		}
	}
	w.let()
	return nil
}

// forget drops what is known of a run that goes its own way.
func (w *way) forget(score *cassette.Score, run rein.RunID) {
	if !score.Forget(run) {
		w.let()
	}
}

// let lets go of everything.
func (w *way) let() {
	w.past.Store(true)
	w.forks.kept.drop(w)
}

// body reads the event that ends a step.
func (w *way) body(ctx context.Context, run rein.RunID, key rein.StepKey, seq int64) (*rein.StepEnd, error) {
	end := &rein.StepEnd{}
	if w.edited && run == w.root && key == w.Step {
		start, err := startOf(ctx, w.forks.Store, w.root)
		if err != nil {
			return nil, err
		}
		return end, json.Unmarshal(start.Task.Fork.Edit, end)
	}
	e, err := w.event(ctx, run, seq)
	if err != nil {
		return nil, cannotRead(err)
	}
	*end, err = rein.Payload[rein.StepEnd](e)
	return end, err
}

// result is what a tool returned in the run before, with the images that its log only names.
func (w *way) result(ctx context.Context, inv rein.Invocation, end *rein.StepEnd) (rein.Done, error) {
	done, err := cassette.Result(ctx, inv, end)
	if err != nil || len(done.Images) == 0 {
		return done, err
	}
	done.Images = slices.Clone(done.Images)
	for i := range done.Images {
		data, err := w.forks.Store.Kept(ctx, w.before(inv.Run), done.Images[i].SHA256)
		if err != nil {
			return done, cannotRead(err)
		}
		done.Images[i].Data = data
	}
	return done, nil
}

// calls returns what the tool of a step asked of its tree in the run before.
func (w *way) calls(ctx context.Context, run rein.RunID, key rein.StepKey) (calls []rein.StepStart, err error) {
	for e, err := range w.forks.Store.Events(ctx, w.before(run), 0) {
		if err != nil {
			return nil, err
		}
		if e.Kind != rein.SubStarted || e.Step.Step() != key || e.Erased {
			continue
		}
		e.Data = cassette.Renamed(e.Data, w.Run, w.root)
		start, err := rein.Payload[rein.StepStart](e)
		if err != nil {
			return nil, err
		}
		if start.Tree != nil {
			calls = append(calls, start)
		}
	}
	return calls, nil
}

// before is the run whose way a run of the fork goes.
func (w *way) before(run rein.RunID) rein.RunID { return w.Run + run[len(w.root):] }

// event reads an event of the run before, as if it were the fork's.
func (w *way) event(ctx context.Context, run rein.RunID, seq int64) (rein.Event, error) {
	e, err := w.forks.Store.Event(ctx, w.before(run), seq)
	if err == nil && e.Erased {
		err = rein.Errorf(rein.CodeNotFound, "run %s was erased", e.Run)
	}
	e.Run, e.Data = run, cassette.Renamed(e.Data, w.Run, w.root)
	return e, err
}

// read goes through the log of the run before, if that has not been done.
func (w *way) read(ctx context.Context) (*cassette.Score, error) {
	w.making.Lock()
	defer w.making.Unlock()
	if score := w.score.Load(); score != nil {
		return score, nil
	}
	score, err := w.makeScore(ctx)
	if err != nil {
		return nil, err
	}
	w.score.Store(score)
	w.forks.kept.add(w, score.Size())
	if _, says := score.Next(); says && !w.silent.Load() {
		go w.speak(score)
	} else {
		score.Free()
	}
	return score, nil
}

// makeScore reads the whole log, when it is its turn.
func (w *way) makeScore(ctx context.Context) (*cassette.Score, error) {
	done, err := w.forks.takeTurn(ctx)
	if err != nil {
		return nil, err
	}
	defer done()
	tape, err := outlines(ctx, w.forks.Store, w.Run, w.worker)
	if err != nil {
		return nil, err
	}
	fork := w.Fork
	if w.edited {
		fork.Edit = json.RawMessage(`{}`) // that there is one, not what it is
	}
	if tape, err = Prefix(tape, w.root, fork); err != nil {
		return nil, err
	}
	return cassette.NewScore(tape), nil
}

// maxEvents bounds how long the logs of a tree may be that is forked: each event takes a few hundred
// bytes while the fork looks for its place.
const maxEvents = 100_000

// outlines makes a tape without texts of a run and everything below it.
func outlines(ctx context.Context, s store.Reader, run rein.RunID, w *work.Worker) (*cassette.Tape, error) {
	log, err := outlinesOf(ctx, s, run)
	if err != nil {
		return nil, err
	}
	return TapeOf(log, run, w, rein.Policy{})
}

// outlinesOf reads the logs of a run and everything below it, without texts.
func outlinesOf(ctx context.Context, s store.Reader, run rein.RunID) (log []rein.Event, err error) {
	for info, err := range s.Runs(ctx, store.Filter{Tree: run}) {
		if err != nil {
			return nil, err
		}
		for e, err := range s.Events(ctx, info.ID, 0) {
			if err != nil {
				return nil, err
			}
			if len(log) == maxEvents {
				return nil, rein.Errorf(rein.CodeLimit, "run %s and those below it have more than %d events, too many for a fork", run, maxEvents)
			}
			if !e.Erased {
				if e, err = cassette.Outline(e); err != nil {
					return nil, err
				}
			}
			log = append(log, e)
		}
	}
	return log, nil
}
