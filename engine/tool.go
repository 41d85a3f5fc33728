package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"rein"
	"rein/guard"
	"rein/store"
)

// CallTool implements rein.Run. The step goes through its states in order, each of them recorded:
// begun, approved, intended, done. It may be cut off in any of them and goes on from there.
func (b *branch) CallTool(c rein.ToolCall) (rein.ToolResult, error) {
	s := b.begin(toolSig(c))
	if s.done != nil {
		return s.result(), s.done.Failure.Err()
	}
	if s.start != nil {
		c = *s.start.Call
	}
	if err := s.gate(false); err != nil {
		result := s.cutResult(err)
		s.refuse(err, rein.StepEnd{Result: &result})
		return result, err
	}
	tool, refusal := s.toolFor(c)
	if refusal != "" && s.intent == nil {
		return s.finishTool(rein.ToolRefused, refusal)
	}
	if s.start == nil {
		if err := s.admitTool(c, tool); err != nil {
			return s.cutTool(err, rein.Amount{})
		}
	}
	if s.intent != nil {
		return s.recoverCall(c, tool, refusal)
	}
	return s.dispatchNew(c, tool)
}

// result answers the step from the log.
func (s *step) result() rein.ToolResult {
	if s.done.Result == nil {
		return rein.ToolResult{Status: rein.ToolRefused}
	}
	return *s.done.Result
}

// toolFor finds the tool, or says why the call is refused.
func (s *step) toolFor(c rein.ToolCall) (tool rein.Tool, refusal string) {
	tool, ok := s.Worker.Tools[c.Name]
	switch {
	case !ok:
		return tool, fmt.Sprintf("there is no tool %q", c.Name)
	case !slices.Contains(s.task.Tools, c.Name):
		return tool, fmt.Sprintf("tool %q is not allowed here", c.Name)
	case len(c.Args) > 0 && !json.Valid(c.Args):
		return tool, fmt.Sprintf("the arguments of %q are not valid JSON", c.Name)
	}
	return tool, ""
}

// admitTool reserves one call and the time it may take, and records the request.
func (s *step) admitTool(c rein.ToolCall, tool rein.Tool) error {
	c.Args = normalJSON(c.Args)
	bound := rein.Amount{ToolCalls: 1, DrivenMS: s.Worker.ToolLimit(tool).Milliseconds()}
	begin := func(bound rein.Amount) store.Draft {
		return store.Draft{Kind: rein.StepStarted, Step: s.key, Data: &rein.StepStart{Sig: s.sig, About: c.About, Call: &c, Bound: bound}}
	}
	// A pure call whose reservation was made ahead need not wait for the disk.
	if tool.Effect == rein.Pure && s.roundsPaid() >= c.Round && s.takeAhead(bound) {
		s.note(begin(bound))
		s.adopt()
		return nil
	}
	_, err := s.admit(c.About, bound, terms{begin: begin})
	return err
}

// dispatchNew sends a call that has not been sent before, if a person agrees where one must.
func (s *step) dispatchNew(c rein.ToolCall, tool rein.Tool) (rein.ToolResult, error) {
	// What was put to a person waits for that person, even if nobody would be asked today.
	if tool.Approval || s.countAsks(rein.AskApproval) > 0 {
		ok, result, err := s.approve(&c, tool)
		if !ok {
			return result, err
		}
	}
	key := string(s.id) + ":" + string(s.key)
	if earlier, ok := s.unknownCall(c); ok {
		if tool.Effect == rein.Idempotent {
			key = earlier // the same call under the same key cannot happen twice
		} else if tool.Effect != rein.Pure {
			ok, result, err := s.decide(c, fmt.Sprintf("An earlier call of %s with the same arguments may have happened. Run it again?", c.Name))
			if !ok {
				return result, err
			}
		}
	}
	return s.dispatch(c, tool, key)
}

// approve asks a person. It changes the arguments if the person did.
func (s *step) approve(c *rein.ToolCall, tool rein.Tool) (ok bool, result rein.ToolResult, err error) {
	if s.countAsks(rein.AskApproval) == 0 {
		if err := s.open("ask", rein.Ask{
			Kind: rein.AskApproval, Text: fmt.Sprintf("Allow %s %s?", c.Name, c.Args), Call: c, Schema: tool.Schema,
		}); err != nil {
			result, err = s.cutTool(err, rein.Amount{})
			return false, result, err
		}
	}
	answer, err := s.awaitAnswer(s.lastAsk(rein.AskApproval))
	if err != nil {
		result, err = s.cutTool(err, rein.Amount{})
		return false, result, err
	}
	switch answer.State {
	case rein.AskApproved:
		return true, result, nil
	case rein.AskEdited:
		c.Args = normalJSON(answer.Args)
		return true, result, nil
	case rein.AskExpired:
		result, err = s.finishTool(rein.ToolRefused, "nobody answered whether this call is allowed, so it was not run")
	default:
		result, err = s.finishTool(rein.ToolRefused, "the user refused this call"+because(answer.Text))
	}
	return false, result, err
}

func because(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}

func (s *step) lastAsk(kind rein.AskKind) rein.Ask {
	var last rein.Ask
	for _, a := range s.asks {
		if a.Kind == kind {
			last = a
		}
	}
	return last
}

// dispatch writes the intent of a call that is not pure, runs it, and records what came of it.
func (s *step) dispatch(c rein.ToolCall, tool rein.Tool, key string) (rein.ToolResult, error) {
	if err := s.gate(false); err != nil {
		return s.cutTool(err, rein.Amount{})
	}
	limit := time.Duration(s.bound.DrivenMS) * time.Millisecond
	if tool.Effect != rein.Pure {
		intent := &rein.Intent{Effect: tool.Effect, Key: key, Args: c.Args, Timeout: limit}
		if err := s.write(store.Draft{Kind: rein.StepIntent, Step: s.key.Sub("intent", s.intents+1), Data: intent}); err != nil {
			s.fail(err)
		}
	}
	if err := s.interruptedNow(); err != nil { // it came before the call was sent
		return s.finishToolAt(rein.ToolSkipped, "the call was not run: "+err.Error(), err, s.unused(), 0)
	}
	ctx, release := s.beginCall(limit)
	defer release()
	began := time.Now()
	done, err := s.Worker.Invoke(ctx, tool, rein.Invocation{Run: s.id, Step: s.key, Key: key, Args: c.Args})
	took := time.Since(began)
	change, _ := guard.Settle(s.bound, nil, took)
	if err == nil {
		return s.gotDone(done, tool.Effect, change, took)
	}
	cause := context.Cause(ctx)
	if cause == errLetGo {
		exit()
	}
	return s.gotError(err, cause, tool.Effect, change, took)
}

// gotDone records a result, together with what the tool writes to our own tables. The result of a
// call that is not pure is worth waiting for: until it is durable, its outcome is unknown.
func (s *step) gotDone(done rein.Done, effect rein.Effect, change rein.Amount, took time.Duration) (rein.ToolResult, error) {
	result := normalResult(rein.ToolResult{Status: rein.ToolOK, Text: done.Text, Data: done.Data})
	draft := s.doneDraft(rein.StepEnd{Result: &result, Duration: took}, change)
	if done.Commit == nil && effect == rein.Pure {
		s.note(draft)
		return result, nil
	}
	draft.Commit = done.Commit
	err := s.write(draft)
	if err == nil {
		return result, nil
	}
	if !isCommitFailure(err) {
		s.fail(err)
	}
	status := rein.ToolFailed
	if effect != rein.Pure {
		status = rein.ToolUnknown
	}
	return s.finishToolAt(status, err.Error(), nil, change, took)
}

// gotError records a call that did not succeed. If it may have had an effect, that is what it says.
func (s *step) gotError(err, cause error, effect rein.Effect, change rein.Amount, took time.Duration) (rein.ToolResult, error) {
	pure := effect == rein.Pure
	switch {
	case cause == errTimeout && pure:
		return s.finishToolAt(rein.ToolTimeout, "the call took too long and was cancelled", nil, change, took)
	case cause == errTimeout:
		return s.finishToolAt(rein.ToolUnknown, "the call took too long and was cancelled; "+notKnown, nil, change, took)
	case cause != nil && pure:
		return s.finishToolAt(rein.ToolSkipped, "the call was cancelled: "+cause.Error(), cause, change, took)
	case cause != nil:
		return s.finishToolAt(rein.ToolUnknown, "the call was cancelled: "+cause.Error()+"; "+notKnown, cause, change, took)
	case brokeOff(err) && !pure:
		return s.finishToolAt(rein.ToolUnknown, firstLine(err.Error())+"; "+notKnown, nil, change, took)
	}
	return s.finishToolAt(rein.ToolFailed, firstLine(err.Error()), nil, change, took)
}

const notKnown = "it is not known whether it took effect"

// finishTool records a result that cost no time.
func (s *step) finishTool(status rein.ToolStatus, text string) (rein.ToolResult, error) {
	return s.finishToolAt(status, text, nil, s.unused(), 0)
}

// unused is the change of the ledger for a call that was admitted and not sent.
func (s *step) unused() rein.Amount { return rein.Amount{DrivenMS: -s.bound.DrivenMS} }

func (s *step) finishToolAt(status rein.ToolStatus, text string, failure error, change rein.Amount, took time.Duration) (rein.ToolResult, error) {
	result := normalResult(rein.ToolResult{Status: status, Text: text})
	end := rein.StepEnd{Result: &result, Failure: rein.FailureOf(failure), Duration: took}
	draft := s.doneDraft(end, change)
	if s.intent == nil {
		s.note(draft)
	} else if err := s.write(draft); err != nil {
		s.fail(err)
	}
	return result, end.Failure.Err()
}

// cutTool records a call that was interrupted before it was sent, or after a crash hid its outcome.
func (s *step) cutTool(err error, change rein.Amount) (rein.ToolResult, error) {
	result := s.cutResult(err)
	s.end(rein.StepEnd{Result: &result, Failure: rein.FailureOf(err)}, s.unused().Plus(change))
	return result, err
}

// cutResult is the result of a call that is not carried on.
func (s *step) cutResult(err error) rein.ToolResult {
	if s.intent != nil {
		return rein.ToolResult{Status: rein.ToolUnknown, Text: "the call was cut off: " + err.Error() + "; " + notKnown}
	}
	return rein.ToolResult{Status: rein.ToolSkipped, Text: "the call was not run: " + err.Error()}
}
