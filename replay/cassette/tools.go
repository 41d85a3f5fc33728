package cassette

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"rein"
	"rein/internal/logtext"
)

// brief is the deadline of a tool that did not answer in time. It is waited for, so it is short.
const brief = time.Second

// Tools returns the tools of the tape. They give what was recorded and do nothing.
func (p *Player) Tools() map[string]rein.Tool {
	tools := map[string]rein.Tool{}
	for _, t := range p.tape.Tools {
		tool := rein.Tool{
			Name: t.Name, Description: t.Description, Schema: json.RawMessage(t.Schema), Effect: t.Effect, Timeout: t.Timeout,
			Approval: t.Approval, Undoable: t.Undoable, Polling: t.Polling, Writes: t.Writes, Family: t.Family, Internal: t.Internal, Trusted: t.Trusted, Pinned: t.Pinned, Rules: t.Rules, Tree: t.Tree, Do: p.do,
		}
		if t.Asks {
			tool.Do, tool.Ask = nil, func(args json.RawMessage) (rein.Question, error) { return p.question(t.Name, args) }
		}
		if len(t.Pinned) > 0 || t.Rules || p.shows(t.Name) {
			tool.Show = func(_ context.Context, inv rein.Invocation) (rein.Shown, error) { return p.show(tool, inv) }
		}
		if t.Effect == rein.Checkable {
			tool.Check = func(context.Context, rein.Invocation) (rein.CheckState, rein.Done, error) {
				return rein.CheckUnknown, rein.Done{}, nil
			}
		}
		if p.late(t.Name) {
			tool.Timeout = brief
		}
		tools[t.Name] = tool
	}
	return tools
}

// late reports whether a call of the tool took too long.
func (p *Player) late(tool string) bool {
	for _, s := range p.steps {
		if s.isOf(tool) && s.done != nil && s.done.Result != nil && (s.done.Result.Status == rein.ToolTimeout || strings.Contains(s.done.Result.Text, logtext.TookTooLong)) {
			return true
		}
	}
	return false
}

func (s *entry) isOf(tool string) bool {
	return s.start != nil && s.start.Call != nil && (s.start.Call.Name == tool || s.start.Tool == tool)
}

// do gives what the call gave.
func (p *Player) do(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
	s := p.steps[stepAt{inv.Run, inv.Step}]
	switch {
	case s == nil:
		return rein.Done{}, rein.Errorf(rein.CodeNotFound, "the recording has no step %s of run %s", inv.Step, inv.Run)
	case s.done == nil:
		<-ctx.Done()
		return rein.Done{}, context.Cause(ctx)
	}
	p.enter(s)
	CallAgain(ctx, inv, s.calls)
	if err := p.wait(ctx, s.rank); err != nil {
		return rein.Done{}, err
	}
	return Result(ctx, inv, s.done)
}

// CallAgain makes the calls that a tool made to its tree, in their order. What comes of them is recorded again, and
// what the tool made of that is its result.
func CallAgain(ctx context.Context, inv rein.Invocation, calls []rein.StepStart) {
	for _, c := range calls {
		if inv.Tree == nil || c.Tree == nil || ctx.Err() != nil {
			return
		}
		switch c.Verb {
		case rein.VerbSpawn:
			_, _ = inv.Tree.Fork(ctx, c.Tree.Prompt)
		case rein.VerbWait:
			_, _ = inv.Tree.Wait(ctx, c.Tree.Handle)
		case rein.VerbSend:
			_, _ = inv.Tree.Send(ctx, c.Tree.Run, c.Tree.Text)
		}
	}
}

// Result is what a tool returned at a step that ended so: the engine has recorded what it made of it.
func Result(ctx context.Context, inv rein.Invocation, end *rein.StepEnd) (rein.Done, error) {
	r := end.Result
	if r == nil {
		return rein.Done{}, rein.Errorf(rein.CodeNotFound, "the recording has no result at step %s of run %s", inv.Step, inv.Run)
	}
	text := cmp.Or(end.Whole, r.Text)
	switch r.Status {
	case rein.ToolOK:
		return rein.Done{Text: text, Data: r.Data, FromPerson: r.FromPerson, Evidence: cmp.Or(r.Evidence, rein.EvidenceUnsaid), Images: r.Images, Files: r.Files}, nil
	case rein.ToolFailed, rein.ToolRefused: // refused then; today it was let through
		return rein.Done{}, errors.New(text)
	case rein.ToolUnknown:
		if !logtext.IsEngines(text) {
			return rein.Done{}, unknown{strings.TrimSuffix(text, "; "+logtext.NotKnown)}
		}
	}
	<-ctx.Done() // it was cut, or took too long
	if _, own, ok := strings.Cut(text, logtext.NotKnown+"\n"); ok {
		return rein.Done{}, unknown{own} // what the tool said of it
	}
	return rein.Done{}, context.Cause(ctx)
}

// unknown is the error of a call that may have happened.
type unknown struct{ text string }

func (u unknown) Error() string { return u.text }
func (u unknown) Unwrap() error { return rein.ErrOutcomeUnknown }

// question is what the tool asked with these arguments.
func (p *Player) question(tool string, args json.RawMessage) (rein.Question, error) {
	for _, s := range p.steps {
		if !s.isOf(tool) || !same(s.given(), args) {
			continue
		}
		for _, ask := range s.asks {
			if ask.Kind != rein.AskQuestion {
				continue
			}
			q := rein.Question{Text: ask.Text, Choices: ask.Choices, For: ask.For, OnExpiry: ask.OnExpiry}
			if !ask.Deadline.IsZero() {
				q.Timeout = ask.Deadline.Sub(ask.Opened)
			}
			return q, nil
		}
		if s.done != nil && s.done.Result != nil && s.done.Result.Status == rein.ToolFailed {
			return rein.Question{}, errors.New(s.done.Result.Text)
		}
	}
	return rein.Question{}, rein.Errorf(rein.CodeNotFound, "the recording has no question of %s %s", tool, args)
}

// given is what the tool was given.
func (s *entry) given() json.RawMessage {
	if s.sent != nil {
		return s.sent
	}
	return s.start.Call.Args
}

// same compares JSON, whatever its spelling.
func same(a, b json.RawMessage) bool {
	var x, y any
	if json.Unmarshal(a, &x) != nil || json.Unmarshal(b, &y) != nil {
		return bytes.Equal(a, b)
	}
	ax, err1 := json.Marshal(x)
	by, err2 := json.Marshal(y)
	return err1 == nil && err2 == nil && bytes.Equal(ax, by)
}
