package engine

import (
	"fmt"
	"strconv"

	"rein"
)

// branch is the rein.Run of this engine: the flow itself, or one branch of a Parallel. Steps are
// counted per branch, so branches may race without disturbing each other's replay.
//
// A branch belongs to one goroutine, so its own fields need no lock.
type branch struct {
	run   *drive
	path  string // "" or "7.2."
	steps int
	last  talk         // as the log knows it
	talk  conversation // as it is sent
	reply rein.Message // the model's newest
	idle  int          // verbs that were answered without being recorded, since the run is ending
}

var _ rein.Run = (*branch)(nil)

// begin takes the next key and finds the step's record. If the log holds something else at this
// place, the run is blocked: this is not the flow that made the log, and whatever it does next could be
// done a second time.
func (b *branch) begin(want request) *step {
	b.steps++
	key := rein.StepKey(b.path + strconv.Itoa(b.steps))
	r, was := b.find(key)
	if r == nil && was == "" {
		return b.step(key, want, &record{})
	}
	if was != want.sig {
		b.run.mismatch(rein.Blocked{
			Reason: fmt.Sprintf("step %s of the log is %q, but flow %s now asks for %q", key, was, b.run.task.Flow, want.sig),
			Step:   key, Was: was, Now: want.sig,
		})
	}
	return b.step(key, want, r)
}

// step makes the step with this key. A step that the log does not know has an empty record, and gets the
// one of the log with adopt once something of it is recorded.
func (b *branch) step(key rein.StepKey, want request, r *record) *step {
	return &step{run: b.run, branch: b, key: key, req: want, rec: r}
}

// find returns the record of a step and its signature, if the log holds either.
func (b *branch) find(key rein.StepKey) (*record, string) {
	b.run.mu.Lock()
	defer b.run.mu.Unlock()
	b.run.exitIfOver()
	if b.run.log.forks[key] {
		return nil, parallelSig
	}
	r := b.run.log.steps[key]
	if r == nil {
		return nil, ""
	}
	r.used = true
	return r, r.sig
}
