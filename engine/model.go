package engine

import (
	"cmp"
	"context"
	"slices"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/pace"
	"rein/engine/work/render"
	"rein/store"
)

// A modelStep is a step whose verb is CallModel.
type modelStep struct{ *step }

// CallModel implements rein.Run. A call that fails may be tried again, with a summary or by another model;
// the flow sees one step, with the reply or the last failure.
func (b *branch) CallModel(p rein.Prompt) (reply rein.Message, err error) {
	defer func() { b.reply = reply }() // a run that is let go of has no next call
	s := &modelStep{b.begin(modelRequest(p))}
	if s.rec.start != nil && s.rec.start.Prompt != nil {
		s.recall(&p)
	}
	if s.rec.done != nil {
		return s.reply()
	}
	if err := s.gate(p.Closing); err != nil {
		s.refuse(err, rein.StepEnd{})
		return rein.Message{}, err
	}
	for {
		reply, again, err := s.try(p)
		if !again {
			return reply, err
		}
	}
}

// try sends the prompt once. again means that it failed, and that there is another way to try it: what
// that is stands in the record, so that a replay goes the same way.
//
// It waits for the call's turn, looks up the model, has the history summarised if it is too long, reserves
// what the call may cost and sends it. Until it is sent, an error ends the step.
func (s *modelStep) try(p rein.Prompt) (reply rein.Message, again bool, err error) {
	defer s.land() // also when the run is let go of
	var m rein.Model
	var tools []rein.Tool
	var folds *rein.Folded
	var limit time.Duration
	var request *sending
	s.branch.talk.take(p.Messages)
	if err = s.awaitTurn(); err == nil {
		m, tools, err = s.lookUp(p, cmp.Or(s.rec.model, p.Model), s.branch.talk.bound)
	}
	if err == nil {
		folds, err = s.foldsOf(p, m)
	}
	if err == nil {
		request, limit, err = s.admitModel(p, folds, m.Info(), tools)
	}
	if err != nil {
		s.end(rein.StepEnd{Failure: rein.FailureOf(err)}, rein.Amount{})
		return rein.Message{}, false, err
	}
	return s.generate(m, request, limit)
}

// foldsOf returns the summary that is sent in place of older messages, if there is one.
func (s *modelStep) foldsOf(p rein.Prompt, m rein.Model) (*rein.Folded, error) {
	switch {
	case s.rec.folds != nil:
		return s.rec.folds, nil
	case s.rec.start != nil:
		return s.rec.start.Prompt.Folds, nil
	case p.Compact == nil:
		return nil, nil
	}
	return s.fold(p, *p.Compact, m.Info())
}

// recall makes the prompt the one that was recorded: an unfinished step dispatches what it said it
// would, and later prompts are recorded as differences from it. That is why the prompt may be written
// differently by a newer program without disturbing runs under way.
func (s *modelStep) recall(p *rein.Prompt) {
	messages, err := s.branch.last.unpack(s.rec.start.Prompt, s.run.log.messagesOf)
	if err != nil {
		s.run.mismatch(rein.Blocked{Reason: "step " + string(s.key) + " of the log is damaged: " + err.Error(), Step: s.key})
	}
	*p = s.rec.start.Prompt.Prompt
	p.About = s.rec.start.About
	p.Messages = messages
	s.branch.last.sent(s.key, messages)
}

// reply answers the step from the log.
func (s *modelStep) reply() (rein.Message, error) {
	if s.rec.done.Message == nil {
		return rein.Message{}, s.rec.done.Failure.Err()
	}
	reply := *s.rec.done.Message
	reply.Redacted = s.rec.done.Redacted
	return reply, s.rec.done.Failure.Err()
}

// lookUp finds a model and the tools that it is to be offered, and refuses a prompt that no model can be
// sent.
//
// bound is guard.InputBound of its messages.
func (s *step) lookUp(p rein.Prompt, model string, bound int64) (rein.Model, []rein.Tool, error) {
	m, err := s.run.opts.Worker.Model(model)
	if err != nil {
		return nil, nil, err
	}
	if p.Closing && len(p.Tools) > 0 {
		return nil, nil, rein.Errorf(rein.CodeInvalid, "a closing call has no tools")
	}
	if n := bound + int64(len(p.Schema)); n > maxText {
		return nil, nil, rein.Errorf(rein.CodeInvalid, "the prompt has %d bytes, more than can be recorded", n)
	}
	tools, err := s.run.opts.Worker.Offered(&s.run.task, s.present(p.Tools))
	if len(tools) == 0 {
		return m, tools, err
	}
	return m, slices.DeleteFunc(tools, s.barred()), err
}

// present leaves out the tools that the run started with and that are gone by now, such as those of a server that was
// removed: the run continues without them. A name that it never had is a mistake of its flow.
func (s *step) present(names []string) []string {
	gone := func(name string) bool {
		_, known := s.run.tool(name)
		return !known && slices.Contains(s.run.task.Tools, name)
	}
	if !slices.ContainsFunc(names, gone) {
		return names
	}
	return slices.DeleteFunc(slices.Clone(names), gone)
}

// barred reports whether the run may not use a tool: then it is not offered. A tool that is denied
// between the offer and the call is refused by permit.
func (s *step) barred() func(rein.Tool) bool {
	policy, mode := s.run.policy(), s.run.mode()
	return func(t rein.Tool) bool {
		return t.Internal || !slices.Contains(s.run.task.Tools, t.Name) || policy.Denies(t) || guard.BarredByPlan(t, mode) || !s.run.history.leaves(t.Name)
	}
}

// A sending is a prompt as the model is given it: rendered for that model, with a summary in place of what is
// too long. The log keeps the prompt as the flow wants it, so that another model can be tried with it.
type sending struct {
	rein.ModelRequest
	prompt rein.Prompt   // as the flow wants it
	ticket pace.Ticket   // its turn at the provider
	turn   int           // of the model in the transcript, which the messages sent may be a part of
	bound  int64         // guard.InputBound of what is sent
	talk   *conversation // that is sent; nil: it has a summary
	unfit  error         // why it is not sent, though it is recorded as if it were; nil: it is
}

// rendered writes a prompt for the model. The conversation is the prompt's.
func (s *modelStep) rendered(p rein.Prompt, c *conversation, folds *rein.Folded, info rein.ModelInfo, tools []rein.Tool) *sending {
	r := &sending{ModelRequest: rein.ModelRequest{Prompt: p, Run: s.run.id, Step: s.key}, prompt: p, turn: c.turns + 1}
	if folds == nil {
		r.Prompt.Messages, r.Offered, r.bound = c.write(p, info, tools)
		r.talk, r.Talk = c, c.talk
	} else { // it is as short as its summary makes it
		r.Prompt.Messages, r.Offered = render.For(p.Rendering, info, s.run.unfolded(c, folds), tools)
		r.bound = guard.InputBound(r.Prompt.Messages, nil, nil)
	}
	r.bound += guard.InputBound(nil, r.Offered, p.Schema)
	return r
}

// admitModel reserves what the call may cost and records that it is about to be sent. It returns the
// request and how much time is reserved for it: as long as a provider may be silent. While it is not, its
// timing reserves more.
func (s *modelStep) admitModel(p rein.Prompt, folds *rein.Folded, info rein.ModelInfo, tools []rein.Tool) (*sending, time.Duration, error) {
	request, bound, t, err := s.ready(p, folds, info, tools)
	if err != nil {
		return request, 0, err
	}
	limit, err := s.admit(request.prompt.About, bound, t)
	if err == nil {
		s.branch.last.sent(s.key, slices.Clip(request.prompt.Messages))
	} else {
		request.ticket.Done(0, nil)
	}
	request.Attempt = s.rec.attempts
	return request, limit, err
}

// ready makes the request, waits for its turn, and returns on which terms it is to be admitted. It is apart from
// admitModel because what it needs for a moment is large, and would be on the stack while the log is written.
func (s *modelStep) ready(p rein.Prompt, folds *rein.Folded, info rein.ModelInfo, tools []rein.Tool) (*sending, rein.Amount, terms, error) {
	fromReserve := s.rec.start == nil && p.Closing && s.run.purse.takeReserve()
	talk := &s.branch.talk
	if fromReserve {
		p.Messages, folds = described(s.run.unfolded(talk, folds)), nil // what fits is of what would be sent
		s.fitReserve(&p, info)
		talk = &conversation{}
		talk.take(p.Messages)
	}
	request := s.rendered(p, talk, folds, info, tools)
	if s.rec.start == nil && !fromReserve && s.run.purse.isSpent() {
		return request, rein.Amount{}, terms{}, rein.ErrBudget // another branch was faster, or there is no reserve
	}
	// The bound is of what is sent: a summary and the rendering change how long that is.
	silence, _ := s.run.opts.Worker.ModelLimits(info)
	bound := guard.BoundOf(request.bound, request.Prompt, info, silence)
	if fromReserve {
		bound = s.run.purse.reserve // and the prompt was made to fit
	} else {
		request.unfit = s.unfit(request, info)
	}
	if request.unfit == nil {
		if err := s.queue(request, info); err != nil {
			return request, bound, terms{}, err
		}
	}
	t := terms{reserved: fromReserve, begin: func(bound rein.Amount) store.Draft {
		record := s.branch.last.pack(request.prompt)
		record.Folds = folds
		start := &rein.StepStart{Sig: s.req.sig, Verb: s.req.verb, About: request.prompt.About, Bound: bound, Prompt: record}
		return store.Draft{Kind: rein.StepStarted, Step: s.key, Data: start}
	}}
	if len(tools) > 0 && s.rec.start == nil {
		t.ahead = s.run.purse.need(rein.Amount{ToolCalls: 1, DrivenMS: s.run.opts.Worker.ToolLimit(rein.Tool{}).Milliseconds()})
	}
	return request, bound, t, nil
}

// fitReserve makes a closing call as small as the reserve. How much a prompt grows when it is written for
// the model depends on its messages, so it is tried; what is too long by then is cut off at the next try.
func (s *modelStep) fitReserve(p *rein.Prompt, info rein.ModelInfo) {
	p.MaxTokens = min(guard.OutputBound(*p, info), max(s.run.purse.reserve.Tokens/4, 1))
	most := s.run.purse.reserve.Tokens - p.MaxTokens
	for room, tries := most, 0; tries < 8; tries++ {
		p.Messages = guard.Fit(p.Messages, room)
		sent, _ := render.For(p.Rendering, info, p.Messages, nil)
		over := guard.InputBound(sent, nil, nil) - most // what the rendering adds
		if over <= 0 {
			break
		}
		room -= over
	}
}

// generate calls the model and records what came of it. The call is cut by the timing at its limits, by
// people, and when the run is let go of: then nothing is recorded, for the step will be asked for again.
func (s *modelStep) generate(m rein.Model, request *sending, limit time.Duration) (message rein.Message, again bool, err error) {
	ctx, call := s.run.beginCall()
	defer call.release()
	timing := s.beginTiming(call, m.Info(), limit)
	defer timing.stop()
	speech := s.listen(request.Prompt, m.Info())
	began := time.Now()
	reply, err := rein.ModelReply{}, request.unfit
	if err == nil {
		request.Heard, request.Said, request.Load = timing.heard, speech.said, s.run.loadImage
		reply, err = s.run.opts.Worker.Generate(ctx, &s.run.workers, m, request.ModelRequest, func(text string) {
			timing.heard()
			speech.say(text)
		})
		// The place is given back before anything is recorded: others need not wait for our disk.
		s.settlePace(request, reply, err)
	}
	took := time.Since(began)
	timing.stop()
	if err != nil {
		cause := context.Cause(ctx)
		if cause == errLetGo {
			exit()
		}
		if cause != nil {
			err = cause
		}
		partial := speech.cut()
		if s.planRetry(request, m.Info(), err, partial, took) {
			return rein.Message{}, true, nil
		}
		message, err = s.cutModel(err, partial, usedBy(s.rec.bound, request.ModelRequest, m.Info(), err, partial), took)
		return message, false, err
	}
	speech.end()
	reply.Message = render.Calls(request.Prompt.Rendering, m.Info(), reply.Message, request.turn)
	message, err = s.gotReply(m.Info(), reply, took)
	return message, false, err
}

// gotReply records a reply: without secrets, in the form that a replay will return, and with what it cost in
// place of what was reserved.
func (s *modelStep) gotReply(info rein.ModelInfo, reply rein.ModelReply, took time.Duration) (rein.Message, error) {
	if n := guard.InputBound([]rein.Message{reply.Message}, nil, nil); n > maxText {
		err := rein.Errorf(rein.CodeProvider, "the model's reply has %d bytes, more than can be recorded", n)
		return s.cutModel(err, "", spentOf(s.rec.bound, info, reply.Usage), took)
	}
	message, secrets := s.clean(normalMessage(reply.Message))
	message.Role = rein.Assistant
	reply.Usage = spentOf(s.rec.bound, info, reply.Usage)
	change, overrun := guard.Settle(s.rec.bound, reply.Usage, took)
	s.end(rein.StepEnd{
		Message: &message, Model: reply.Model, Usage: reply.Usage, Overrun: overrun != rein.Amount{}, Duration: took, Redacted: secrets,
	}, change)
	message.Redacted = secrets
	return message, nil
}

// cutModel records a call that gave no reply, with what people saw of it and what it cost. An error that
// has no code of its own becomes a provider's: flows decide by codes.
func (s *modelStep) cutModel(err error, partial string, used *rein.Usage, took time.Duration) (rein.Message, error) {
	switch rein.CodeOf(err) {
	case rein.CodeStopped, rein.CodeCancelled, rein.CodeDeleted, rein.CodeInterrupted, rein.CodeTimeout, rein.CodeInvalid:
	case rein.CodeProvider, rein.CodeOverloaded, rein.CodeUnreachable, rein.CodeRateLimited, rein.CodeTooLong, rein.CodeUnauthorized:
	default:
		err = rein.Errorf(rein.CodeProvider, "the model call failed: %w", err)
	}
	change, _ := guard.Settle(s.rec.bound, used, took)
	end := rein.StepEnd{Failure: s.failure(err), Partial: normalText(partial), Usage: used, Duration: took}
	s.end(end, change)
	return rein.Message{}, end.Failure.Err()
}
