package engine

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"rein"
)

// questions are what one call of a tool asks people, and the model, before it is over; see rein.Tool.Asks and
// rein.Tool.Consults.
//
// The call cannot be taken up again, so the run is not parked while it waits. The step's goroutine, which may record,
// serves the tool's and counts as running.
type questions struct {
	step     *toolStep
	ctx      context.Context // of the call
	requests chan func()
	over     chan struct{} // closed when the call has returned
	watch    *stopwatch
	asked    int
	thought  int // how often it consulted the model
}

// An inquiry is a question on its way to a person.
type inquiry struct {
	rein.Question
	given <-chan struct{} // closed when nobody wants the answer any more
}

const (
	maxQuestions = 60               // of one call
	maxAnswering = 10 * time.Minute // for one question: the call is held up meanwhile
)

// invokeAsking calls a tool that may ask people or the model something, and has them asked.
func (s *toolStep) invokeAsking(tool rein.Tool, inv rein.Invocation, limit time.Duration) (r returned) {
	s.closeQuestions()
	ctx, c := s.run.beginCall()
	defer c.release()
	q := &questions{step: s, ctx: ctx, requests: make(chan func()), over: make(chan struct{}), watch: startWatch(limit, func() { c.cut(errTimeout) })}
	if tool.Asks {
		inv.Ask = q.ask
	}
	if tool.Consults {
		inv.Consult = q.consult
	}
	go func() {
		defer close(q.over)
		r.done, r.err = s.run.opts.Worker.Invoke(ctx, &s.run.workers, tool, inv)
	}()
	defer func() { // this goroutine may exit while it has a person asked
		q.watch.stop()
		select {
		case <-q.over:
		default:
			c.cut(errLetGo)
			<-q.over
		}
	}()
	for {
		select {
		case <-q.over:
			q.watch.stop()
			r.cause, r.took = context.Cause(ctx), q.watch.measured()
			return r
		case serve := <-q.requests:
			q.watch.stop()
			serve()
			q.watch.run()
		}
	}
}

// ask is rein.Invocation.Ask.
func (q *questions) ask(ctx context.Context, question rein.Question) (rein.Answer, error) {
	if err := checkQuestion(question); err != nil {
		return *withdrawn, err
	}
	answer := *withdrawn
	if err := q.hand(ctx, func() { answer = q.serve(inquiry{question, ctx.Done()}) }); err != nil {
		return *withdrawn, err
	}
	return answer, nil
}

// hand has the step's goroutine do something, and waits for it. The error is the end of the call or of the wish.
func (q *questions) hand(ctx context.Context, do func()) error {
	done := make(chan struct{})
	select {
	case q.requests <- func() { do(); close(done) }:
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-q.ctx.Done():
		return context.Cause(q.ctx)
	}
	select {
	case <-done:
		return nil
	case <-q.ctx.Done():
		return context.Cause(q.ctx)
	}
}

// serve has a person answer, in the goroutine of the step. A paused run asks nothing: the call would wait with it.
func (q *questions) serve(i inquiry) rein.Answer {
	s := q.step
	if q.asked++; q.asked > maxQuestions || s.run.mail.heldNow() || s.run.isLeaving() {
		return *withdrawn
	}
	i.Text = s.redacted(strings.ToValidUTF8(i.Text, "\uFFFD"))
	i.Choices = slices.Clone(i.Choices)
	for n, choice := range i.Choices {
		i.Choices[n] = s.redacted(choice)
	}
	i.Timeout = min(cmp.Or(i.Timeout, maxAnswering), maxAnswering)
	if err := s.openAsk("ask", s.questionOf(i.Question)); err != nil {
		return *withdrawn
	}
	return q.await(s.rec.lastAsk(rein.AskQuestion), i.given)
}

// await waits for the answer to an ask, without letting the run be parked. A question that nobody waits for is closed.
func (q *questions) await(ask rein.Ask, given <-chan struct{}) rein.Answer {
	d := q.step.run
	late, stop := alarm(ask.Deadline, d.opts.Now)
	defer stop()
	for {
		d.mu.Lock()
		answer, closed := d.mail.answers[ask.ID]
		interrupted, now, changed := d.mail.interruption(), d.state, d.waits.changed
		d.mu.Unlock()
		switch {
		case closed:
			return answer
		case interrupted != nil, now > draining:
			return *withdrawn // by the store already, or left to the next drive
		case now == draining:
			q.step.withdraw(ask)
			return *withdrawn
		}
		select {
		case <-changed:
		case <-late:
			q.step.expire(ask)
		case <-given:
			q.step.withdraw(ask)
			return *withdrawn
		case <-q.over:
			q.step.withdraw(ask)
			return *withdrawn
		case <-q.ctx.Done(): // the run was interrupted, which withdraws what it asks, or is let go of
			if context.Cause(q.ctx) == errTimeout {
				q.step.withdraw(ask)
			}
			return *withdrawn
		}
	}
}

// closeQuestions closes what an earlier attempt at the call asked: nobody waits for the answer any more.
func (s *toolStep) closeQuestions() {
	for _, ask := range s.rec.asks {
		if ask.Kind == rein.AskQuestion && !s.run.mail.isClosed(ask) {
			s.withdraw(ask)
		}
	}
}

// withdraw closes a question that nobody waits for any more, as if it was declined. If a person was faster, their answer
// is in the log and reaches nobody.
func (s *step) withdraw(ask rein.Ask) {
	c := ask.Reply(rein.Answer{State: rein.AskDeclined, By: bySystem, Text: "what asked this does not wait for an answer any more"})
	c.Key = "withdraw " + ask.ID.Sub()
	_, err := s.run.engine.command(context.Background(), c)
	switch rein.CodeOf(err) {
	case "", rein.CodeClosed:
		s.run.refresh()
	default:
		s.run.fail(err)
	}
}
