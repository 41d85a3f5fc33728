package engine

import (
	"errors"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/args"
	"rein/internal/logtext"
	"rein/internal/visible"
)

// A decision is whether a call needs a person, and who says so.
type decision struct {
	guard.Decision
	mode rein.Mode // in which it was taken
	view *view     // of the call, if it had to be looked at
}

// decide judges a call: by the run's frozen policy, which the live one may make stricter, by the mode of the session,
// and by what the tool says of this call, if it rules on each of them or if a mode may let it through.
func (s *toolStep) decide(o *order) (decision, error) {
	d := decision{mode: s.run.mode()}
	c := guard.Case{Tool: o.tool, Policy: s.run.policy(), Mode: d.mode, Guessed: o.mended != ""}
	if (o.tool.Rules || o.tool.Undoable) && !c.Policy.Denies(o.tool) && !guard.BarredByPlan(o.tool, d.mode) {
		var err error
		if d.view, err = s.look(o); err != nil {
			return d, err
		}
		c.Ruling, c.Hazard = d.view.ruling, d.view.hazard
	}
	d.Decision = guard.Decide(c)
	return d, nil
}

// awaitApproval asks a person where one must agree, and waits for the answer, for days if need be. A result
// means that the call is not to be sent.
//
// An approval is of what was shown: if the tool, its schema, the arguments, the text shown or what pins it
// are different by now, it is void and the person is asked again. What a person was asked waits for that
// person, even if nobody would be asked today.
func (s *toolStep) awaitApproval(o *order) (*rein.ToolResult, error) {
	if s.rec.countAsks(rein.AskApproval) > 0 {
		return s.awaitAgreement(o, nil)
	}
	d, err := s.decide(o)
	switch {
	case err != nil:
		return s.notShown(err)
	case d.Verdict == rein.Denied:
		return over(s.finishTool(rein.ToolRefused, logtext.Denied+because(d.Why)))
	case d.Verdict == rein.Allowed:
		o.allowed, o.mode = d.By, d.mode
		return s.pin(o, d.view)
	}
	return s.awaitAgreement(o, d.view)
}

// awaitAgreement asks a person about the order until one agrees or refuses. now is the order as it would be sent; nil: it
// was not looked at.
func (s *toolStep) awaitAgreement(o *order, now *view) (*rein.ToolResult, error) {
	s.beginTool(o)
	for n := 0; ; n++ {
		if n == s.rec.countAsks(rein.AskApproval) {
			if err := s.openApproval(o, now); err != nil {
				return s.notShown(err)
			}
		}
		ask := s.rec.nthAsk(rein.AskApproval, n)
		answer, err := s.awaitAnswer(ask)
		if err != nil {
			return over(s.cutTool(err, rein.Amount{}))
		}
		if refusal := refusalOf(answer); refusal != "" {
			return over(s.finishTool(rein.ToolRefused, refusal))
		}
		var agreed bool
		if now, agreed, err = s.heed(o, ask, answer, n+1 < s.rec.countAsks(rein.AskApproval)); err != nil {
			return s.notShown(err)
		}
		if agreed {
			s.keepRules(o, ask, answer)
			o.send(now)
			o.allowed, o.mode = guard.ByAsk, s.run.mode()
			return nil, nil
		}
	}
}

// pin pins a call that nobody need agree to: what it is done to is what there is now.
func (s *toolStep) pin(o *order, now *view) (result *rein.ToolResult, err error) {
	if len(o.tool.Pinned) == 0 {
		return nil, nil
	}
	if now == nil {
		if now, err = s.look(o); err != nil {
			return s.notShown(err)
		}
	}
	o.send(now)
	return nil, nil
}

// openApproval asks a person to agree to the order.
func (s *toolStep) openApproval(o *order, now *view) (err error) {
	if now == nil {
		if now, err = s.look(o); err != nil {
			return err
		}
	}
	if err := now.whole(); err != nil {
		return err
	}
	s.address(&now.ask)
	return s.openAsk("ask", now.ask)
}

// refusalOf is what the model is told of an answer that does not allow the call.
func refusalOf(answer rein.Answer) string {
	switch answer.State {
	case rein.AskApproved, rein.AskEdited:
		return ""
	case rein.AskExpired:
		return logtext.NotDecided + ", so it was not run"
	}
	return logtext.Declined + because(answer.Text)
}

// heed does what the person who agreed said, and tells whether the order, as it would be sent now, is
// what they agreed to. If they were asked again since, it is not. What a person writes in place of the
// arguments is theirs; but if these only name what the call is done to, they have not seen that yet.
func (s *toolStep) heed(o *order, ask rein.Ask, answer rein.Answer, again bool) (now *view, agreed bool, err error) {
	if !again {
		if now, err = s.look(o); err != nil {
			return nil, false, err
		}
		agreed = now.isOf(ask.Shown, ask.Offers) && (ask.Foreign || !now.ask.Foreign)
	}
	if answer.State != rein.AskEdited {
		return now, agreed, nil
	}
	before := o.plain
	if err := s.edit(o, answer); err != nil || again {
		return nil, false, err
	}
	if len(o.tool.Pinned) > 0 && canonical(before) != canonical(o.plain) {
		agreed = false
	}
	if now, err = s.look(o); err == nil && agreed {
		agreed = s.covers(answer.By, now) // the person's own arguments may reach further than they may
	}
	return now, agreed, err
}

// edit takes the arguments that a person wrote. They are checked like any.
func (s *toolStep) edit(o *order, answer rein.Answer) error {
	ready, err := args.Edited(o.tool, normalJSON(answer.Args), s.run.task)
	if err != nil {
		return badEdit{err}
	}
	o.plain, o.args, o.mended, o.edited = ready.Plain, ready.Args, "", true
	return nil
}

// badEdit says that what a person wrote cannot be sent.
type badEdit struct{ error }

// notShown ends a call that cannot be put to a person, or was interrupted on the way.
func (s *toolStep) notShown(err error) (*rein.ToolResult, error) {
	if interrupts(err) {
		return over(s.cutTool(err, rein.Amount{}))
	}
	if bad, ok := errors.AsType[badEdit](err); ok {
		return over(s.finishTool(rein.ToolRefused, "the user changed the arguments, but "+bad.Error()))
	}
	return over(s.finishTool(rein.ToolRefused, logtext.NotShown+err.Error()))
}

// approvalOf is the ask for an approval of the order, in these words, which offers this.
func (s *toolStep) approvalOf(o *order, words worded, offers rein.Offers) rein.Ask {
	call := o.call
	call.Name, call.Args = o.tool.Name, o.plain
	policy := s.run.policy()
	ask := rein.Ask{
		Kind: rein.AskApproval, Text: guard.Clip(visible.Lines(normalText(words.text)), maxShown), Call: &call, Schema: o.tool.Schema,
		Effect: o.tool.Effect, Family: o.tool.FamilyName(), Guessed: o.mended, OnExpiry: policy.OnExpiry, Offers: offers,
	}
	if mode := s.run.mode(); mode != rein.ModeAsk {
		ask.Mode = mode
	}
	if words.say != "" {
		ask.Say, ask.Reason, ask.Details = words.say, words.reason, guard.Clip(visible.Lines(normalText(words.details)), maxShown)
	}
	ask.Shown = shownOf(ask, o, ask.Text)
	if policy.Timeout > 0 {
		ask.Deadline = s.run.opts.Now().Add(policy.Timeout).UTC()
	}
	return ask
}

// because adds a person's reason, if there is one.
func because(text string) string {
	if text == "" {
		return ""
	}
	return ": " + text
}
