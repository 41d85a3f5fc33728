package engine

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/store"
)

// A toolStep is a step whose verb is CallTool.
type toolStep struct{ *step }

// An order is a call on its way to its tool. The stages of the pipeline fill it in; the log has what it
// became as a rein.Mend beside the call that the model wrote.
type order struct {
	call   rein.ToolCall // as the model wrote it
	tool   rein.Tool
	plain  json.RawMessage // the arguments as the tool's schema wants them: what a person is shown
	args   json.RawMessage // the same with the trusted fields and what pins it: what the tool is given
	mended string          // how the model's words were guessed, if they were
	edited bool            // a person wrote the arguments
	shown  string          // what the approval of it is of, if it has one; see Ask.Shown
	// allowed says who lets it be sent, and mode is the mode that was in force then; see rein.Intent.
	allowed string
	mode    rein.Mode
}

// mend is what the log keeps of the order's way.
func (o *order) mend() rein.Mend {
	m := rein.Mend{Mended: o.mended}
	if o.tool.Name != o.call.Name {
		m.Tool = o.tool.Name
	}
	if !bytes.Equal(o.args, o.call.Args) && canonical(o.args) != canonical(o.call.Args) {
		m.Args = o.args
	}
	if o.edited {
		m.Mended = byPerson
	}
	return m
}

// CallTool implements rein.Run. Every call goes the same way, whichever flow made it: known and
// allowed, arguments repaired and checked, loop guard, approval, budget, intent, the call itself, and
// its result redacted and clipped. Each of these may be where it was cut off, and where it goes on.
//
// A call that is not carried out has a result too, which says why: each call of a model's reply must have
// one in the next prompt. The error is the run's, and a flow can return it; a failed call is no error.
func (b *branch) CallTool(c rein.ToolCall) (rein.ToolResult, error) {
	c = normalCall(c)
	s := &toolStep{b.begin(toolRequest(c))}
	if s.rec.done != nil {
		return s.result(), s.rec.done.Failure.Err()
	}
	if s.rec.start != nil {
		c = *s.rec.start.Call
	}
	// An answer that came while it waited counts, whatever came after it.
	if s.rec.countAsks(rein.AskQuestion) == 0 || !s.run.mail.isAnswered(s.rec.lastAsk(rein.AskQuestion)) {
		if err := s.gate(false); err != nil {
			result := s.cutResult(err)
			s.refuse(err, rein.StepEnd{Result: &result})
			return result, err
		}
	}
	if s.rec.intent != nil {
		return s.recoverCall(c)
	}
	o, refusal := s.permit(c)
	if refusal != "" {
		if c.Internal {
			s.beginTool(o) // so that whoever reads the log knows it was no model's
		}
		return s.finishTool(rein.ToolRefused, refusal)
	}
	return s.carryOut(o)
}

// carryOut takes a call that has not been sent before through the pipeline. A stage that returns a result
// was the call's last. After a crash it starts at the first stage again, and each finds in the record what
// it did before.
func (s *toolStep) carryOut(o *order) (rein.ToolResult, error) {
	for _, stage := range []func(*order) (*rein.ToolResult, error){s.makeReady, s.refuseRepeat, s.awaitApproval, s.reserveCall} {
		if result, err := stage(o); result != nil {
			return *result, err
		}
	}
	if o.tool.Ask != nil {
		return s.askPerson(o)
	}
	return s.send(o)
}

// over says that a stage was the call's last.
func over(result rein.ToolResult, err error) (*rein.ToolResult, error) { return &result, err }

// result answers the step from the log.
func (s *toolStep) result() rein.ToolResult {
	if s.rec.done.Result == nil {
		return rein.ToolResult{Status: rein.ToolRefused}
	}
	return *s.rec.done.Result
}

// beginTool records that the step has begun, before anything is reserved for it: so an ask or a refusal
// in the log has the call that it is about.
func (s *toolStep) beginTool(o *order) {
	if s.rec.start == nil {
		s.run.note(s.beginDraft(o, rein.Amount{}))
		s.adopt()
	}
}

// beginDraft is the event that begins the step. What became of the arguments is part of it only when they
// are about to be sent.
func (s *toolStep) beginDraft(o *order, bound rein.Amount) store.Draft {
	start := &rein.StepStart{Sig: s.req.sig, Verb: s.req.verb, About: o.call.About, Call: &o.call, Bound: bound}
	if bound != (rein.Amount{}) {
		start.Mend = o.mend()
	}
	start.Tool, start.Server = o.tool.Name, o.tool.Server
	return store.Draft{Kind: rein.StepStarted, Step: s.key, Data: start}
}

// reserveCall reserves one call and the time it may take.
func (s *toolStep) reserveCall(o *order) (*rein.ToolResult, error) {
	if s.rec.attempts > 0 {
		return nil, nil // a crash came after it was reserved
	}
	if o.tool.Internal {
		s.beginTool(o)
		return nil, nil
	}
	bound := rein.Amount{ToolCalls: 1, DrivenMS: s.run.opts.Worker.ToolLimit(o.tool).Milliseconds()}
	if o.tool.Ask != nil {
		bound.DrivenMS = 0 // waiting for people is free
	}
	begin := func(bound rein.Amount) store.Draft { return s.beginDraft(o, bound) }
	// A pure call whose reservation was made ahead need not wait for the disk.
	if s.rec.start == nil && o.tool.Effect == rein.Pure && s.run.purse.paidRounds() >= o.call.Round && s.takeAhead(bound) {
		s.run.note(begin(bound))
		s.adopt()
		return nil, nil
	}
	if _, err := s.admit(o.call.About, bound, terms{begin: begin, mend: o.mend()}); err != nil {
		return over(s.cutTool(err, rein.Amount{}))
	}
	return nil, nil
}

// send sends a call that has not been sent before. If an equal one, of this step's run or another run of
// the session, may have happened, a person is asked first; an idempotent one is sent under the earlier
// call's key instead, so that it cannot happen twice.
func (s *toolStep) send(o *order) (rein.ToolResult, error) {
	if o.tool.Effect == rein.Pure {
		return s.dispatch(o, s.callKey())
	}
	before, err := s.precedent(o)
	if err != nil {
		return s.finishTool(rein.ToolRefused, "the call was not run, because it is not known whether an equal one happened: "+firstLine(err.Error()))
	}
	if before.Asked {
		ok, result, err := s.askOutcome(o, repeats(o.tool.Name, s.run.id, before.Earlier), before.Earlier)
		if !ok {
			return result, err
		}
		o.allowed = guard.ByAsk
	}
	return s.dispatch(o, cmp.Or(before.Key, s.callKey()))
}

// callKey names the step's call to its tool. It is the same for every attempt, so that a tool which keeps
// its keys does the work once.
func (s *toolStep) callKey() string { return string(s.run.id) + ":" + string(s.key) }

// invocation is the call as the tool sees it.
func (s *toolStep) invocation(o *order, key string) rein.Invocation {
	return rein.Invocation{Run: s.run.id, Step: s.key, Key: key, Args: o.args, Task: &s.run.task, Approved: o.allowed == guard.ByAsk}
}

// dispatch writes the intent of a call that is not pure, runs it, and records what came of it.
//
// The intent is durable before the tool is called. From then until the result is recorded, the outcome is
// unknown to whoever reads the log, and a crash leaves it to recoverCall. An interruption that came with
// the intent is still in time: the call is recorded as not sent.
func (s *toolStep) dispatch(o *order, key string) (rein.ToolResult, error) {
	if err := s.gate(false); err != nil {
		return s.cutTool(err, rein.Amount{})
	}
	if why := s.overtaken(o); why != "" {
		return s.finishTool(rein.ToolSkipped, why)
	}
	tool := o.tool
	limit := time.Duration(s.rec.bound.DrivenMS) * time.Millisecond
	if tool.Internal {
		limit = s.run.opts.Worker.ToolLimit(tool)
	}
	if tool.Effect != rein.Pure {
		defer s.run.history.markSending(s.key)()
		intent := &rein.Intent{Tool: tool.Name, Effect: tool.Effect, Key: key, Args: o.args, Timeout: limit, Allowed: o.allowed}
		if o.mode != rein.ModeAsk {
			intent.Mode = o.mode
		}
		if s.rec.countAsks(rein.AskApproval) > 0 {
			intent.Shown = o.shown
		}
		if s.rec.countAsks(rein.AskUnknown) > 0 {
			intent.Earlier = s.rec.nthAsk(rein.AskUnknown, 0).Earlier
		}
		if err := s.run.write(store.Draft{Kind: rein.StepIntent, Step: s.key.Sub("intent", s.rec.intents+1), Data: intent}); err != nil {
			s.run.fail(err)
		}
	}
	// The write of the intent reads what came before it. A stop that is in the log before the call is sent
	// must not be followed by the call.
	if err := s.run.mail.interruptedNow(); err != nil {
		return s.finishToolAt(rein.ToolSkipped, "the call was not run: "+reason(err), err, s.unused(), 0)
	}
	// Nor must one that a mode let through follow a command that took that mode back.
	if why := s.overtaken(o); why != "" {
		return s.finishTool(rein.ToolSkipped, why)
	}
	inv, said := s.invocation(o, key), s.utter()
	if said != nil {
		inv.Say = said.say
	}
	r := s.invoke(tool, inv, limit)
	said.close()
	change, _ := guard.Settle(s.rec.bound, nil, r.took)
	change.DrivenMS -= r.paid.Milliseconds()
	if r.err == nil {
		return s.gotDone(r.done, tool, change, r.took)
	}
	if r.cause == errLetGo {
		exit()
	}
	return s.gotError(r.err, r.cause, tool, change, r.took)
}

// returned is what came of the call of a tool.
type returned struct {
	done  rein.Done
	err   error
	cause error         // why the call was cut, if it was
	took  time.Duration // driven time
	paid  time.Duration // the part of it that is in the ledger already
}

// invoke calls the tool.
func (s *toolStep) invoke(tool rein.Tool, inv rein.Invocation, limit time.Duration) (r returned) {
	if tool.Tree {
		return s.invokeInTree(tool, inv, limit)
	}
	if tool.Asks || tool.Consults {
		return s.invokeAsking(tool, inv, limit)
	}
	ctx, release := s.run.beginTimed(limit)
	defer release()
	began := time.Now()
	r.done, r.err = s.run.opts.Worker.Invoke(ctx, &s.run.workers, tool, inv)
	r.cause, r.took = context.Cause(ctx), time.Since(began)
	return r
}
