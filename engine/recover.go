package engine

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/store"
)

// recoverCall takes up a call whose intent is in the log and whose result is not: a crash, or a
// shutdown, came between. What is known of it depends on the effect that was declared then.
func (s *step) recoverCall(c rein.ToolCall, tool rein.Tool, refusal string) (rein.ToolResult, error) {
	effect, key := s.intent.Effect, s.intent.Key
	c.Args = s.intent.Args
	if refusal != "" || tool.Effect != effect {
		effect = rein.Unsafe // the tool is gone or has changed: only a person can tell
	}
	switch effect {
	case rein.Idempotent:
		return s.again(c, tool, key)
	case rein.Checkable:
		return s.check(c, tool, key)
	}
	ok, result, err := s.decide(c, fmt.Sprintf("%s was being run when rein was interrupted. Did it happen?", describe(c)))
	if !ok {
		return result, err
	}
	if refusal != "" {
		return s.finishTool(rein.ToolRefused, refusal)
	}
	return s.again(c, tool, key)
}

func describe(c rein.ToolCall) string {
	const most = 200
	args := string(c.Args)
	if len(args) > most {
		args = strings.ToValidUTF8(args[:most], "") + "…"
	}
	return strings.TrimSpace(c.Name + " " + args)
}

// again sends the call once more, under the same key. What the first attempt reserved stays spent.
func (s *step) again(c rein.ToolCall, tool rein.Tool, key string) (rein.ToolResult, error) {
	bound := rein.Amount{ToolCalls: 1, DrivenMS: s.Worker.ToolLimit(tool).Milliseconds()}
	if _, err := s.admit(c.About, bound, terms{}); err != nil {
		return s.cutTool(err, rein.Amount{})
	}
	return s.dispatch(c, tool, key)
}

// check asks the tool whether the call happened.
func (s *step) check(c rein.ToolCall, tool rein.Tool, key string) (rein.ToolResult, error) {
	if s.checked != nil && s.checked.State == rein.CheckUnknown {
		return s.askWhetherAgain(c, tool, key)
	}
	ctx, release := s.beginCall(s.Worker.ToolLimit(tool))
	defer release()
	began := time.Now()
	state, done, err := s.Worker.CheckCall(ctx, tool, rein.Invocation{Run: s.id, Step: s.key, Key: key, Args: c.Args})
	if context.Cause(ctx) == errLetGo {
		exit()
	}
	checked := &rein.Checked{State: state}
	if err != nil {
		checked.State, checked.Error = rein.CheckUnknown, firstLine(err.Error())
	}
	s.note(store.Draft{Kind: rein.StepChecked, Step: s.key.Sub("check", s.intents), Data: checked})
	switch checked.State {
	case rein.CheckHappened:
		return s.gotDone(done, tool.Effect, s.unused(), time.Since(began))
	case rein.CheckNot:
		return s.again(c, tool, key)
	}
	return s.askWhetherAgain(c, tool, key)
}

func (s *step) askWhetherAgain(c rein.ToolCall, tool rein.Tool, key string) (rein.ToolResult, error) {
	ok, result, err := s.decide(c, fmt.Sprintf("%s was being run when rein was interrupted, and the tool cannot tell whether it happened. Did it?", describe(c)))
	if !ok {
		return result, err
	}
	return s.again(c, tool, key)
}

// decide puts an unknown outcome to a person. ok means: run it again.
func (s *step) decide(c rein.ToolCall, question string) (ok bool, result rein.ToolResult, err error) {
	if s.countAsks(rein.AskUnknown) == s.asked { // not yet asked about this dispatch
		if err := s.open("unknown", rein.Ask{
			Kind: rein.AskUnknown, Text: question, Call: &c, Choices: []string{rein.ItHappened, rein.RunAgain, rein.SkipIt},
		}); err != nil {
			result, err = s.cutTool(err, rein.Amount{})
			return false, result, err
		}
	}
	answer, err := s.awaitAnswer(s.lastAsk(rein.AskUnknown))
	if err != nil {
		result, err = s.cutTool(err, rein.Amount{})
		return false, result, err
	}
	said := ""
	if answer.State == rein.AskAnswered {
		said = answer.Text
	}
	switch said {
	case rein.RunAgain:
		return true, result, nil
	case rein.ItHappened:
		result, err = s.finishTool(rein.ToolOK, "a person says that this call took effect; its output is not known")
	default:
		result, err = s.finishTool(rein.ToolUnknown, "the call was skipped; "+notKnown)
	}
	return false, result, err
}

// learnUnknown remembers a call whose outcome is not known. It is called with mu held.
func (d *drive) learnUnknown(r *record) {
	if r.done == nil || r.done.Result == nil || r.start == nil || r.start.Call == nil || r.intent == nil {
		return
	}
	what := join(r.start.Call.Name, argsDigest(r.intent.Args)) // a person may have edited them
	if r.done.Result.Status == rein.ToolUnknown {
		d.unknowns[what] = r.intent.Key
	} else if r.done.Result.Status == rein.ToolOK {
		delete(d.unknowns, what)
	}
}

func (s *step) unknownCall(c rein.ToolCall) (key string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.unknowns) == 0 {
		return "", false
	}
	key, ok = s.unknowns[join(c.Name, argsDigest(c.Args))]
	return key, ok
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
