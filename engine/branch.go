package engine

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"rein"
	"rein/store"
	"rein/work"
	"rein/work/pace"
)

// branch is the rein.Run of this engine: the flow itself, or one branch of a Parallel. Steps are
// counted per branch, so branches may race without disturbing each other's replay.
type branch struct {
	run   *drive
	path  string // "" or "7.2."
	steps int
	last  talk
	idle  int // verbs that were answered without being recorded, since the run is ending
}

var _ rein.Run = (*branch)(nil)

// A step is one verb of one branch, with what the log holds of it.
type step struct {
	run    *drive
	branch *branch
	key    rein.StepKey
	req    request
	rec    *record
	flight *pace.Flight // the place of its call among those under way; nil: it has none
}

// A request is what a flow asks for with a verb, as the log names it.
type request struct {
	verb rein.Verb
	sig  string
	tool string // the name that the flow gives, of VerbTool
}

// begin takes the next key and finds the step's record. If the log holds something else at this
// place, the run is blocked.
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

// isNew reports whether the log holds nothing of the step yet.
func (s *step) isNew() bool { return s.rec.start == nil && s.rec.done == nil }

// maxIdle is how many verbs a flow may still ask for after it was told that the run has ended, or
// that it must read its Inbox.
const maxIdle = 1000

// gate decides whether a step that is not done may go on, and waits while the run is paused. If not it returns the error for the flow
// and, for a step that the log already knows, the failure to record.
func (s *step) gate(closing bool) error {
	s.run.mu.Lock()
	defer s.run.mu.Unlock()
	s.run.exitIfLeaving()
	if !s.isAsking() {
		s.run.waitWhilePausedLocked()
	}
	var err *rein.Error
	switch {
	case s.run.mail.ending != "":
		err = sticky(s.run.mail.ending)
	case s.run.purse.spent && !(closing && (!s.run.purse.reserveUse || s.rec.start != nil)):
		err = rein.ErrBudget
	case s.run.history.stuck && !closing:
		err = errStuck
	case s.run.mail.interrupted:
		err = rein.ErrInterrupted
	default:
		return nil
	}
	if s.branch.idle++; s.branch.idle > maxIdle {
		s.endStubborn(err)
	}
	return err
}

// endStubborn ends a run whose flow does not listen. It is called with mu held.
func (s *step) endStubborn(err *rein.Error) {
	if s.run.mail.ending == "" {
		panic(fmt.Sprintf("the flow made %d steps without heeding %q", maxIdle, err))
	}
	s.run.stubborn = true
	s.run.unwindLocked(letGo, nil)
	exit()
}

// end records how the step ended, with the change of the ledger that goes with it. A step that has
// not been started is recorded whole.
func (s *step) end(e rein.StepEnd, spend rein.Amount) {
	s.run.note(s.doneDraft(e, spend))
}

func (s *step) doneDraft(e rein.StepEnd, spend rein.Amount) store.Draft {
	if s.rec.start == nil {
		e.Sig, e.Verb, e.Tool = s.req.sig, s.req.verb, s.req.tool
	}
	return store.Draft{Kind: rein.StepDone, Step: s.key, Data: &e, Spend: spend}
}

// refuse ends a step that gate did not let pass. What is new and must be read again (the run is
// ending, the budget is spent) is not recorded: the log says it already.
func (s *step) refuse(err error, e rein.StepEnd) {
	if s.isNew() && rein.CodeOf(err) != rein.CodeInterrupted {
		return
	}
	e.Failure = rein.FailureOf(err)
	s.end(e, rein.Amount{})
}

const parallelSig = "parallel"

// parallelOf returns the Parallel that a branch's step belongs to: "7.2.3" is of "7".
func parallelOf(key rein.StepKey) (rein.StepKey, bool) {
	parts := strings.Split(string(key), ".")
	if len(parts) < 3 {
		return "", false
	}
	return rein.StepKey(strings.Join(parts[:len(parts)-2], ".")), true
}

// sideBySide reports whether two steps are in different branches of one Parallel: then neither knows
// of the other.
func sideBySide(a, b rein.StepKey) bool {
	as, bs := strings.Split(string(a), "."), strings.Split(string(b), ".")
	for i := range min(len(as), len(bs)) {
		if as[i] != bs[i] {
			return i%2 == 1 // a step's number, a branch's, a step's …
		}
	}
	return false
}

// Parallel implements rein.Run.
func (b *branch) Parallel(branches ...func(rein.Run) error) error {
	b.steps++
	key := rein.StepKey(b.path + strconv.Itoa(b.steps))
	b.enterParallel(key, len(branches))
	if len(branches) == 0 {
		return nil
	}
	p := &parallel{run: b.run, errs: make([]error, len(branches)), left: len(branches)}
	for i, f := range branches {
		child := &branch{run: b.run, path: fmt.Sprintf("%s.%d.", key, i+1), last: b.last.fork()}
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

// enterParallel counts the branches as running in place of the one that waits for them.
func (b *branch) enterParallel(key rein.StepKey, n int) {
	b.run.mu.Lock()
	defer b.run.mu.Unlock()
	b.run.exitIfOver()
	if r := b.run.log.steps[key]; r != nil {
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

func isCommitFailure(err error) bool { return errors.Is(err, store.ErrCommit) }

var errTimeout = rein.Errorf(rein.CodeTimeout, "it took too long")

// brokeOff reports whether a call ended in a way that says nothing of what it did.
func brokeOff(err error) bool {
	return errors.Is(err, work.ErrPanic) || errors.Is(err, work.ErrAbandoned) || errors.Is(err, rein.ErrOutcomeUnknown)
}
