package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/args"
	"rein/internal/logtext"
	"rein/internal/visible"
	"rein/store"
)

// recoverCall takes up a call whose intent is in the log and whose result is not: a crash, or a
// shutdown, came between. What is known of it depends on the effect that was declared then.
//
// An idempotent call is sent again under the same key. A checkable one is looked up. Of any other only a
// person can tell, and the same holds if the tool is gone, declares another effect by now, or would have to
// be approved again.
func (s *toolStep) recoverCall(c rein.ToolCall) (rein.ToolResult, error) {
	s.closeQuestions()
	effect, key := s.rec.intent.Effect, s.rec.intent.Key
	o, refusal := s.sentOrder(c)
	if refusal != "" || o.tool.Effect != effect || !s.reviewRecovery(o) {
		effect = rein.Unsafe // the tool is gone or has changed: only a person can tell
	}
	switch effect {
	case rein.Idempotent:
		return s.resend(o, key)
	case rein.Checkable:
		return s.check(o, key)
	}
	ok, result, err := s.askOutcome(o, fmt.Sprintf("%s was being run when rein was interrupted. Did it happen?", describe(o)), nil)
	if !ok {
		return result, err
	}
	if refusal != "" {
		return s.finishTool(rein.ToolRefused, refusal)
	}
	o.shown = s.lookAnyway(o).ask.Shown // a person has agreed to it as it is today
	o.allowed, o.mode = guard.ByAsk, s.run.mode()
	return s.approveAndResend(o, key)
}

// sentOrder is the order that was sent, to the very tool that it was sent to.
func (s *toolStep) sentOrder(c rein.ToolCall) (o *order, refusal string) {
	named := c
	named.Name = s.rec.toolName()
	o, refusal = s.permit(named)
	if refusal == "" && o.tool.Name != named.Name {
		refusal = fmt.Sprintf("there is no tool %q any more", named.Name)
	}
	if refusal != "" {
		o.tool = rein.Tool{Name: named.Name}
	}
	o.call, o.args, o.plain, o.shown = c, s.rec.intent.Args, args.Plain(o.tool, s.rec.intent.Args), s.rec.intent.Shown
	o.allowed, o.mode = s.rec.intent.Allowed, s.rec.intent.Mode.Or(rein.ModeAsk)
	if o.edited = s.rec.mend.Mended == byPerson; !o.edited {
		o.mended = s.rec.mend.Mended
	}
	return o, refusal
}

// reviewRecovery reports whether the call can be taken up without asking. Looking up whether it happened
// needs nobody if what is sent after that is agreed to anew, which a pinned call is: so it can be looked
// up even if what it was pinned to has changed since, or an older program did not pin it.
func (s *toolStep) reviewRecovery(o *order) bool {
	return o.tool.Effect == rein.Checkable && len(o.tool.Pinned) > 0 || s.reviewAgreement(o)
}

// reviewAgreement reports whether the call may be sent once more without asking: what a person agreed to
// is the same today, or nobody need agree. It has the tool show the call again, which may take a while.
func (s *toolStep) reviewAgreement(o *order) bool {
	if s.rec.countAsks(rein.AskApproval) > 0 {
		o.allowed = guard.ByAsk
		now, err := s.look(o)
		return err == nil && now.isOf(s.rec.intent.Shown, s.rec.lastAsk(rein.AskApproval).Offers)
	}
	d, err := s.decide(o)
	o.allowed, o.mode = d.By, d.mode
	return err == nil && d.Verdict == rein.Allowed
}

// describe is the call in a question to a person.
func describe(o *order) string {
	const most = 200
	return strings.TrimSpace(o.tool.Name + " " + rein.Clip(string(o.plain), most))
}

// approveAndResend sends a call that did not happen, or that a person wants to be run again. A pinned one needs
// what any call needs that has not been sent: it is pinned to what there is now, and if that is not what
// a person agreed to, they are asked.
func (s *toolStep) approveAndResend(o *order, key string) (rein.ToolResult, error) {
	if len(o.tool.Pinned) > 0 {
		if result, err := s.awaitApproval(o); result != nil {
			return *result, err
		}
	}
	return s.resend(o, key)
}

// resend sends the call once more, under the same key. What the first attempt reserved stays spent: nobody
// knows whether it was used.
func (s *toolStep) resend(o *order, key string) (rein.ToolResult, error) {
	bound := rein.Amount{ToolCalls: 1, DrivenMS: s.run.opts.Worker.ToolLimit(o.tool).Milliseconds()}
	if _, err := s.admit(o.call.About, bound, terms{mend: o.mend()}); err != nil {
		return s.cutTool(err, rein.Amount{})
	}
	return s.dispatch(o, key)
}

// check asks the tool whether the call happened.
func (s *toolStep) check(o *order, key string) (rein.ToolResult, error) {
	if s.rec.checked != nil && s.rec.checked.State == rein.CheckUnknown {
		return s.askWhetherAgain(o, key)
	}
	ctx, release := s.run.beginTimed(s.run.opts.Worker.ToolLimit(o.tool))
	defer release()
	began := time.Now()
	state, done, err := s.run.opts.Worker.CheckCall(ctx, o.tool, s.invocation(o, key))
	if context.Cause(ctx) == errLetGo {
		exit()
	}
	checked := &rein.Checked{State: state}
	if err != nil {
		checked.State, checked.Error = rein.CheckUnknown, s.redacted(firstLine(err.Error()))
	}
	s.run.note(store.Draft{Kind: rein.StepChecked, Step: s.key.Sub("check", s.rec.intents), Data: checked})
	switch checked.State {
	case rein.CheckHappened:
		return s.gotDone(done, o.tool, s.unused(), time.Since(began))
	case rein.CheckNot:
		return s.approveAndResend(o, key)
	}
	return s.askWhetherAgain(o, key)
}

// askWhetherAgain asks a person about a call whose tool cannot tell.
func (s *toolStep) askWhetherAgain(o *order, key string) (rein.ToolResult, error) {
	ok, result, err := s.askOutcome(o, fmt.Sprintf("%s was being run when rein was interrupted, and the tool cannot tell whether it happened. Did it?", describe(o)), nil)
	if !ok {
		return result, err
	}
	return s.approveAndResend(o, key)
}

// askOutcome puts an unknown outcome to a person: of this call, or of the earlier ones. ok means: run it
// again. That is of what was shown, as an approval is.
func (s *toolStep) askOutcome(o *order, question string, earlier []string) (ok bool, result rein.ToolResult, err error) {
	c := o.call
	c.Name, c.Args = o.tool.Name, o.plain
	ask := rein.Ask{
		Kind: rein.AskUnknown, Text: visible.Lines(question), Call: &c, Choices: []string{rein.ItHappened, rein.RunAgain, rein.SkipIt},
		Effect: o.tool.Effect, Family: o.tool.FamilyName(), Guessed: o.mended, Earlier: earlier,
	}
	would := s.lookAnyway(o)
	ask.Foreign = would.ask.Foreign
	said, err := s.outcomeOf(ask, would, s.rec.countAsks(rein.AskUnknown) == s.rec.asked)
	if err != nil {
		result, err = s.cutTool(err, rein.Amount{})
		return false, result, err
	}
	switch said {
	case rein.RunAgain:
		return true, result, nil
	case rein.ItHappened:
		s.settle(earlier)
		result, err = s.finishTool(rein.ToolOK, "a person says that this call took effect; its output is not known")
	default:
		result, err = s.finishTool(rein.ToolUnknown, logtext.Skipped+"; "+notKnown)
	}
	return false, result, err
}

// outcomeOf returns what a person says of an unknown outcome, who is asked anew if nobody was asked
// about this dispatch or what would be run again is not what was shown.
func (s *toolStep) outcomeOf(ask rein.Ask, would *view, anew bool) (said string, err error) {
	ask.Shown = shownOf(ask, &would.order, would.ask.Text)
	for {
		if anew {
			s.address(&ask)
			if err := s.openAsk("unknown", ask); err != nil {
				return "", err
			}
		}
		last := s.rec.lastAsk(rein.AskUnknown)
		answer, err := s.awaitAnswer(last)
		if err != nil || answer.State != rein.AskAnswered {
			return "", err
		}
		if anew = answer.Text == rein.RunAgain && !isOf(last.Shown, ask, &would.order, would.ask.Text); !anew {
			return answer.Text, nil
		}
	}
}

// firstLine is what is kept of an error that may go on with a stack or a page.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
