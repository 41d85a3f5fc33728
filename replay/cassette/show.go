package cassette

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"rein"
	"rein/internal/logtext"
)

// shows reports whether the tool had words of its own for approvals. The recording knows better than
// whoever describes the tool today.
func (p *Player) shows(tool string) bool {
	for _, s := range p.steps {
		if _, refused := s.notShown(); refused && s.isOf(tool) {
			return true
		}
		for _, ask := range s.asks {
			if _, ok := ownWords(tool, ask); ok {
				return true
			}
		}
	}
	return false
}

// show gives what a person was shown of the call, and what pinned it.
func (p *Player) show(tool rein.Tool, inv rein.Invocation) (rein.Shown, error) {
	s := p.steps[stepAt{inv.Run, inv.Step}]
	if s == nil {
		return rein.Shown{}, rein.Errorf(rein.CodeNotFound, "the recording has no step %s of run %s", inv.Step, inv.Run)
	}
	asks := slices.DeleteFunc(slices.Clone(s.asks), func(a rein.Ask) bool { return a.Kind != rein.AskApproval })
	n := p.countShown(s)
	if why, refused := s.notShown(); refused && n >= len(asks) {
		return rein.Shown{}, errors.New(why)
	}
	shown := ShownThen(tool, asks, s.sent, n)
	if why, denied := s.denied(); denied {
		shown.Ruling = rein.Ruling{Verdict: rein.Denied, Why: why}
	}
	if strings.HasPrefix(s.allowed, "mode ") { // such a call is contained
		shown.Ruling = rein.Ruling{Verdict: rein.MustAsk, Contained: true}
	}
	return shown, nil
}

// countShown counts how often the call was shown, and returns how often before.
func (p *Player) countShown(s *entry) int {
	p.counting.Lock()
	defer p.counting.Unlock()
	s.shown++
	return s.shown - 1
}

// ShownThen is what a person was shown of a call whose approvals and whose arguments, if it was sent, are
// these, after it was shown n times. Whoever was asked again was shown something else each time.
func ShownThen(tool rein.Tool, asks []rein.Ask, sent json.RawMessage, n int) rein.Shown {
	shown := rein.Shown{Pin: pinned(tool, sent)}
	if len(asks) == 0 {
		return shown // nobody had to agree
	}
	ask := asks[min(n, len(asks)-1)]
	shown.Ruling = rein.Ruling{Verdict: rein.MustAsk, Session: ask.Offers.Session, Always: ask.Offers.Always}
	if shown.Text, _ = ownWords(tool.Name, ask); ask.Say != "" {
		shown.Say, shown.Text = ask.Say, ask.Details
	}
	if tool.Undoable && ask.Mode != "" { // no mode let it through then
		shown.Hazard = "a person was asked in mode " + string(ask.Mode)
	}
	if n < len(asks)-1 { // what pinned it then is not known, only that it was something else
		for name := range shown.Pin {
			shown.Pin[name] = ask.Shown
		}
	}
	return shown
}

// pinned is what pinned a call that was sent.
func pinned(tool rein.Tool, sent json.RawMessage) map[string]string {
	var args map[string]any
	if json.Unmarshal(sent, &args) != nil {
		return nil
	}
	pin := map[string]string{}
	for _, name := range tool.Pinned {
		if value, ok := args[name].(string); ok { // an older program did not pin
			pin[name] = value
		}
	}
	return pin
}

// ownWords are what a tool showed in an approval, in place of the arguments.
func ownWords(tool string, ask rein.Ask) (text string, ok bool) {
	if ask.Kind != rein.AskApproval {
		return "", false
	}
	if ask.Say != "" {
		return ask.Details, true
	}
	return logtext.Shown(tool, ask.Text)
}

// denied tells why the call was denied, if it was.
func (s *entry) denied() (why string, denied bool) {
	if s.done == nil || s.done.Result == nil || s.done.Result.Status != rein.ToolRefused {
		return "", false
	}
	why, denied = strings.CutPrefix(s.done.Result.Text, logtext.Denied)
	return strings.TrimPrefix(why, ": "), denied
}

// notShown tells why the call could not be shown, if it could not.
func (s *entry) notShown() (why string, refused bool) {
	if s.done == nil || s.done.Result == nil || s.done.Result.Status != rein.ToolRefused {
		return "", false
	}
	return strings.CutPrefix(s.done.Result.Text, logtext.NotShown)
}
