package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"rein"
)

// parallelSig stands for a Parallel where signatures are compared. A Parallel is not recorded: its branches
// are, with keys below its own.
const parallelSig = "parallel"

// Parallel implements rein.Run. It returns when all branches have, with their errors joined. If one of them
// unwinds, so does this branch; if one panics, the panic is raised again here, where the flow's caller
// makes it the run's failure.
func (b *branch) Parallel(branches ...func(rein.Run) error) error {
	b.steps++
	key := rein.StepKey(b.path + strconv.Itoa(b.steps))
	b.enterParallel(key, len(branches))
	if len(branches) == 0 {
		return nil
	}
	p := &parallel{run: b.run, errs: make([]error, len(branches)), left: len(branches)}
	for i, f := range branches {
		child := &branch{run: b.run, path: fmt.Sprintf("%s.%d.", key, i+1)}
		b.last.forkTo(&child.last)
		p.all.Go(func() { p.play(i, f, child) })
	}
	p.all.Wait()
	if p.unwound {
		exit() // a branch let go of the run, and so must this one
	}
	if p.panicked != nil {
		panic(p.panicked)
	}
	return errors.Join(p.errs...)
}

// enterParallel counts the branches as running in place of the one that waits for them, which is blocked
// in Parallel and must not keep the run from being parked.
func (b *branch) enterParallel(key rein.StepKey, n int) {
	b.run.mu.Lock()
	defer b.run.mu.Unlock()
	b.run.exitIfOver()
	if r := b.run.log.steps[key]; r != nil {
		// mismatch takes mu and exits; the deferred calls then run in reverse and find mu held.
		b.run.mu.Unlock()
		defer b.run.mu.Lock()
		b.run.mismatch(rein.Blocked{
			Reason: fmt.Sprintf("step %s of the log is %q, but flow %s now asks for branches", key, r.sig, b.run.task.Flow),
			Step:   key, Was: r.sig, Now: parallelSig,
		})
	}
	if n > 0 {
		b.run.waits.running += n - 1
	}
}

// parallel is a Parallel under way.
type parallel struct {
	run      *drive
	all      sync.WaitGroup
	errs     []error
	left     int // guarded by mu
	unwound  bool
	panicked any
}

// play runs one branch and notes how it ended: it returned, it panicked, or neither, which means that it
// unwound.
func (p *parallel) play(i int, f func(rein.Run) error, b *branch) {
	returned := false
	defer func() {
		v := recover()
		p.run.mu.Lock()
		defer p.run.mu.Unlock()
		if v != nil {
			p.panicked = v
		} else if !returned {
			p.unwound = true
		}
		// The last branch hands its place back to the one that waits.
		if p.left--; p.left > 0 {
			p.run.waits.rest()
		}
	}()
	p.errs[i] = f(b)
	returned = true
}

// parallelOf returns the Parallel that a branch's step belongs to: "7.2.3" is of "7".
func parallelOf(key rein.StepKey) (rein.StepKey, bool) {
	branch := strings.LastIndexByte(string(key), '.')
	if branch < 0 {
		return "", false
	}
	parallel := strings.LastIndexByte(string(key[:branch]), '.')
	if parallel < 0 {
		return "", false
	}
	return key[:parallel], true
}

// sideBySide reports whether two steps are in different branches of one Parallel: then neither knows
// of the other.
func sideBySide(a, b rein.StepKey) bool {
	for part := 0; ; part++ {
		one, restA, moreA := strings.Cut(string(a), ".")
		other, restB, moreB := strings.Cut(string(b), ".")
		if one != other {
			return part%2 == 1 // a step's number, a branch's, a step's …
		}
		if !moreA || !moreB {
			return false
		}
		a, b = rein.StepKey(restA), rein.StepKey(restB)
	}
}
