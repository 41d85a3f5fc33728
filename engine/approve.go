package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"rein"
	"rein/guard"
	"rein/internal/visible"
	"rein/work/args"
)

// verdict judges a call by the run's frozen policy, which the live one may make stricter. What was
// guessed for a tool that cannot be undone always needs a person.
func (s *step) verdict(o *order) rein.Verdict {
	v := s.policy().Judge(o.tool)
	if o.mended != "" && o.tool.Effect == rein.Unsafe {
		v = max(v, rein.MustAsk)
	}
	return v
}

// isApproved asks a person where one must agree. An approval is of what was shown: if the tool, its
// schema, the arguments or the text shown are different by now, it is void and the person is asked
// again. What was put to a person waits for that person, even if nobody would be asked today.
func (s *step) isApproved(o *order) (*rein.ToolResult, error) {
	if s.verdict(o) == rein.Allowed && s.countAsks(rein.AskApproval) == 0 {
		return nil, nil
	}
	s.beginTool(o)
	for {
		now := s.approvalOf(o)
		if ask := s.lastAsk(rein.AskApproval); ask.ID == "" || s.isVoid(ask, now, o) {
			if err := s.open("ask", now); err != nil {
				return over(s.cutTool(err, rein.Amount{}))
			}
		}
		ask := s.lastAsk(rein.AskApproval)
		answer, err := s.awaitAnswer(ask)
		if err != nil {
			return over(s.cutTool(err, rein.Amount{}))
		}
		switch answer.State {
		case rein.AskApproved, rein.AskEdited:
			if s.isVoid(ask, s.approvalOf(o), o) { // it may have changed while the person thought
				continue
			}
			return s.heed(o, answer)
		case rein.AskExpired:
			return over(s.finishTool(rein.ToolRefused, "no answer: nobody said whether this call is allowed, so it was not run"))
		}
		return over(s.finishTool(rein.ToolRefused, "the user refused this call"+because(answer.Text)))
	}
}

// isVoid reports whether an ask was answered about something else than would now be asked.
func (s *step) isVoid(ask, now rein.Ask, o *order) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	_, closed := s.answers[ask.ID]
	return closed && !isOf(ask.Shown, now, o, now.Text)
}

// heed does what the person who agreed said. Arguments that a person wrote are checked like any.
func (s *step) heed(o *order, answer rein.Answer) (*rein.ToolResult, error) {
	if answer.State != rein.AskEdited {
		return nil, nil
	}
	ready, err := args.Edited(o.tool, normalJSON(answer.Args), s.task)
	if err != nil {
		return over(s.finishTool(rein.ToolRefused, "the user changed the arguments, but "+err.Error()))
	}
	o.plain, o.args, o.mended, o.edited = ready.Plain, ready.Args, "", true
	return nil, nil
}

// approvalOf is the ask for an approval of the order. What it shows is read once, so that the digest is
// of exactly this text.
func (s *step) approvalOf(o *order) rein.Ask {
	call := o.call
	call.Name, call.Args = o.tool.Name, o.plain
	policy := s.policy()
	ask := rein.Ask{
		Kind: rein.AskApproval, Text: s.approvalText(o), Call: &call, Schema: o.tool.Schema,
		Effect: o.tool.Effect, Guessed: o.mended, OnExpiry: policy.OnExpiry,
	}
	ask.Shown = shownOf(ask, o, ask.Text)
	if policy.Timeout > 0 {
		ask.Deadline = s.Now().Add(policy.Timeout).UTC()
	}
	return ask
}

// maxShown is the most that a person is shown in the text of an approval; all arguments are in its
// call. Both must be able to grow when they are written as JSON; see maxText.
const maxShown = maxText / 4

// approvalText is what the person is shown.
func (s *step) approvalText(o *order) string {
	text := fmt.Sprintf("Allow %s %s?", o.tool.Name, o.plain)
	if shown, ok := s.Worker.Show(o.tool, o.args); ok {
		text = fmt.Sprintf("Allow %s?\n%s", o.tool.Name, shown)
	}
	if o.mended != "" {
		text += fmt.Sprintf("\nrein guessed this (%s) from what the model wrote: %s %s", o.mended, o.call.Name, o.call.Args)
	}
	return guard.Clip(visible.Lines(normalText(text)), maxShown)
}

// digest identifies a list of texts.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

func callDigest(tool string, args json.RawMessage) string { return digest(tool, canonical(args)) }

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
