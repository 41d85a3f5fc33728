package engine

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// A callBack is the rein.Tree of one call of a tool.
//
// The tool runs in a goroutine of its own and hands what it asks for to the step's, which waits for it. That one
// belongs to the run: it may record, park and exit as in a verb. What the tool asks for is recorded under keys of
// its own (7.fork, 7.wait, 7.fork2), in order, so that a tool which runs again is answered from the log.
type callBack struct {
	step     *toolStep
	ctx      context.Context // of the call
	requests chan func()
	watch    *stopwatch

	// What follows belongs to the goroutine of the step.

	made int           // how many calls the tool has made since it was started
	paid time.Duration // how much of the measured time is in the ledger
	cut  error         // the interruption of the run that ended a call
	lost error         // the calls are not those of the log: none is answered any more
}

var _ rein.Tree = (*callBack)(nil)

// maxTreeCalls is how many calls to its tree one call of a tool may make: each is in the log.
const maxTreeCalls = 1000

// invokeInTree calls a tool that may call back, and serves it. If this goroutine exits, because the run is parked or
// let go of, the tool is ended first: nothing of it is left when another drive runs it again.
func (s *toolStep) invokeInTree(tool rein.Tool, inv rein.Invocation, limit time.Duration) returned {
	ctx, c := s.run.beginCall()
	defer c.release()
	t := &callBack{step: s, ctx: ctx, requests: make(chan func()), watch: startWatch(limit, func() { c.cut(errTimeout) })}
	inv.Tree = t
	over := make(chan returned, 1)
	go func() {
		done, err := s.run.opts.Worker.Invoke(ctx, &s.run.workers, tool, inv)
		over <- returned{done: done, err: err}
	}()
	isOver := false
	defer func() {
		t.watch.stop()
		if !isOver {
			c.cut(errLetGo)
			<-over
		}
	}()
	for {
		select {
		case r := <-over:
			isOver = true
			t.watch.stop()
			return t.settle(r)
		case serve := <-t.requests:
			serve()
		}
	}
}

// settle completes what a tool returned. A tool that did not make the calls of the log has failed, whatever it
// returned.
func (t *callBack) settle(r returned) returned {
	r.cause, r.took, r.paid = context.Cause(t.ctx), t.watch.measured(), t.paid
	if r.cause == nil && r.err != nil {
		r.cause = t.cut
	}
	rec := t.step.rec
	if t.lost == nil && r.err == nil && t.made < len(rec.calls) {
		t.lost = unlike(rec.subs[rec.calls[t.made]].start.Sig, "nothing")
	}
	if t.lost != nil && r.cause == nil {
		r.done, r.err = rein.Done{}, t.lost
	}
	return r
}

// serve has the step's goroutine do something, and waits for it. The error is the end of the call.
func (t *callBack) serve(ctx context.Context, do func()) error {
	done := make(chan struct{})
	select {
	case t.requests <- func() { do(); close(done) }:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-t.ctx.Done():
		return context.Cause(t.ctx)
	}
	select {
	case <-done:
		return nil
	case <-t.ctx.Done():
		return context.Cause(t.ctx)
	}
}

// Fork implements rein.Tree.
func (t *callBack) Fork(ctx context.Context, prompt string) (rein.Forked, error) {
	if err := checkWords("a fork needs a prompt", prompt); err != nil {
		return rein.Forked{}, err
	}
	var forked rein.Forked
	var err error
	if over := t.serve(ctx, func() { forked, err = t.fork(prompt) }); over != nil {
		return rein.Forked{}, over
	}
	return forked, err
}

// Wait implements rein.Tree.
func (t *callBack) Wait(ctx context.Context, handle int) (rein.Outcome, error) {
	var outcome rein.Outcome
	var err error
	if over := t.serve(ctx, func() { outcome, err = t.wait(handle) }); over != nil {
		return rein.Outcome{}, over
	}
	return outcome, err
}

// Send implements rein.Tree.
func (t *callBack) Send(ctx context.Context, to rein.RunID, text string) (rein.Receipt, error) {
	self := t.step.run.id
	if err := cmp.Or(to.Check(), checkWords("a message needs a text", text)); err != nil {
		return rein.Receipt{}, err
	}
	if to.Root() != self.Root() || to == self {
		return rein.Receipt{}, rein.Errorf(rein.CodeForbidden, "run %s can send messages to the other runs of its own tree (%s), and %s is none of them", self, self.Root(), to)
	}
	var receipt rein.Receipt
	var err error
	if over := t.serve(ctx, func() { receipt, err = t.send(to, text) }); over != nil {
		return rein.Receipt{}, over
	}
	return receipt, err
}

func checkWords(what, text string) error {
	if strings.TrimSpace(text) == "" || len(text) > maxMail {
		return rein.Errorf(rein.CodeInvalid, "%s, of at most %d bytes", what, maxMail)
	}
	return nil
}

// A treeCall is one call of a tool to its tree.
type treeCall struct {
	key   rein.StepKey
	start rein.StepStart
	begun bool          // the log has its beginning
	done  *rein.StepEnd // the log has its end
}

// next finds the place of the tool's next call. If the log holds another call there, the tool is not doing what it
// did before: then nothing that it asks for is done or answered any more.
func (t *callBack) next(verb rein.Verb, name, sig string, asked rein.TreeCall) (*treeCall, error) {
	if t.lost != nil {
		return nil, t.lost
	}
	c := &treeCall{start: rein.StepStart{Sig: sig, Verb: verb, Tree: &asked}}
	rec := t.step.rec
	switch {
	case t.made < len(rec.calls):
		c.key = rec.calls[t.made]
		was := rec.subs[c.key]
		if c.begun, c.done = true, was.done; was.start.Sig != sig {
			t.lost = unlike(was.start.Sig, sig)
			return nil, t.lost
		}
	case len(rec.calls) >= maxTreeCalls:
		t.lost = rein.Errorf(rein.CodeLimit, "one call of a tool makes at most %d forks, waits and messages", maxTreeCalls)
		return nil, t.lost
	default:
		c.key = t.step.key.Sub(name, 1+rec.countCalls(verb))
	}
	t.made++
	return c, nil
}

// unlike says that a tool which runs again does something else than it did.
func unlike(was, now string) error {
	return rein.Errorf(rein.CodeConflict, "the tool was run again after an interruption, and its calls must be the same again: the log has %q where it now asks for %q. "+
		"What it asks for must not depend on the time, on chance or on threads", was, now)
}

// mayGoOn waits while the run is paused and says why nothing new may begin, if so.
func (t *callBack) mayGoOn() error {
	d := t.step.run
	t.watch.stop()
	defer t.watch.run()
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waitWhilePausedLocked()
	if err := d.mail.interruption(); err != nil {
		t.cut = err
		return err
	}
	if d.purse.spent {
		return rein.ErrBudget
	}
	return nil
}

// begin is the event that begins the call.
func (c *treeCall) begin() store.Draft {
	return store.Draft{Kind: rein.SubStarted, Step: c.key, Data: &c.start}
}

// end is what the log still needs of the call.
func (c *treeCall) end(e rein.StepEnd) []store.Draft {
	end := store.Draft{Kind: rein.SubDone, Step: c.key, Data: &e}
	if c.begun {
		return []store.Draft{end}
	}
	return []store.Draft{c.begin(), end}
}

// fail records a call that failed.
func (t *callBack) fail(c *treeCall, err error) error {
	failure := rein.FailureOf(err)
	t.step.run.note(c.end(rein.StepEnd{Failure: failure})...)
	return failure.Err() // as it will be answered from the log
}

// wait waits for a fork. The run may be parked meanwhile.
func (t *callBack) wait(handle int) (rein.Outcome, error) {
	c, err := t.next(rein.VerbWait, "wait", fmt.Sprintf("wait %d", handle), rein.TreeCall{Handle: handle})
	if err != nil {
		return rein.Outcome{}, err
	}
	if c.done != nil {
		return outcomeOf(c.done), c.done.Failure.Err()
	}
	d := t.step.run
	child := d.mail.fork(handle)
	if child == "" {
		return rein.Outcome{}, t.fail(c, rein.Errorf(rein.CodeNotFound, "wait: there is no handle %d in run %s: fork returns handles, from 1", handle, d.id))
	}
	// An end that came while it waited counts, whatever came after it.
	if !c.begun || !d.mail.hasEnded(child) {
		if err := t.mayGoOn(); err != nil {
			return rein.Outcome{}, t.fail(c, err)
		}
	}
	if c.start.Child = child; !c.begun {
		if err := t.pay(c); err != nil {
			return rein.Outcome{}, t.fail(c, err)
		}
	}
	t.watch.stop()
	defer t.watch.run()
	outcome, err := d.awaitChild(child)
	if err != nil {
		t.cut = err
		return rein.Outcome{}, t.fail(c, err)
	}
	d.note(c.end(rein.StepEnd{Outcome: &outcome})...)
	return outcome, nil
}

// pay begins a wait, and pays for the driven time that the tool has taken: should the run be parked, the tool runs
// again and takes as much again. The whole of the call stays reserved meanwhile.
func (t *callBack) pay(c *treeCall) error {
	draft := c.begin()
	draft.Spend.DrivenMS = (t.watch.measured() - t.paid).Milliseconds()
	draft.Reserve = draft.Spend.DrivenMS > 0
	if err := t.step.run.write(draft); err != nil {
		return err
	}
	c.begun = true
	t.paid += time.Duration(draft.Spend.DrivenMS) * time.Millisecond
	return nil
}

func outcomeOf(end *rein.StepEnd) rein.Outcome {
	if end.Outcome == nil {
		return rein.Outcome{}
	}
	return *end.Outcome
}
