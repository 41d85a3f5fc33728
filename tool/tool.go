// Package tool makes tools from Go functions. The fields of a struct are the arguments, and New
// derives the JSON Schema for the model from them. Declare the tool's effect honestly: rein relies
// on it after a crash. docs/write-a-tool.md shows one tool for each effect.
//
// The packages below have rein's own tools.
package tool

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"rein"
	"rein/internal/toolname"
)

// Spec is what a tool says of itself. Name, Text and Effect are required; the zero value of every
// other field is useful.
type Spec struct {
	Name     string      // lower-case letters, digits and '_', in parts that dots may separate; at most 64 in all
	Text     string      // for the model: what it does, when to use it, its limits
	Effect   rein.Effect // stated, because whoever forgets it would get calls that run twice
	Timeout  time.Duration
	Approval bool
	Polling  bool
	Rules    bool   // its Show rules on each call; see rein.Tool.Rules
	Undoable bool   // rein can undo it; see rein.Tool.Undoable
	Code     bool   // it can look into code; see rein.Tool.Code
	Tree     bool   // it may start runs, wait for them and send them messages; see rein.Tool.Tree
	Writes   bool   // a pure tool that writes rein's own tables; see rein.Tool.Writes
	Family   string // the group of tools for roles; see rein.Tool.Family
	Like     string // a tool that shows the same; see rein.Tool.Like
}

// New makes a tool of a function over a struct whose fields are the arguments:
//
//	json:"name"            its name; with omitempty, or a pointer, it is optional
//	jsonschema:"…"         its description for the model
//	enum:"a,b"             the values it can have (of a list: that each element can have)
//	min:"1" max:"9"        bounds of a number, of the length of a text or of a list
//	default:"1"            the value of an optional argument that is not given
//	trusted:"user"         filled in by the runtime, and not in the schema (rein.TrustedFields)
//	pinned:"true"          filled in by the tool's Show, and not in the schema (rein.Tool.Pinned)
//
// The function gets arguments that were checked against the schema. A checkable tool's Check is set
// on what New returns.
func New[Args any](s Spec, do func(ctx context.Context, inv rein.Invocation, args Args) (rein.Done, error)) (rein.Tool, error) {
	if do == nil {
		return rein.Tool{}, s.wrong("it has no function")
	}
	t, read, err := build[Args](s)
	if err != nil {
		return rein.Tool{}, err
	}
	t.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		args, err := read(inv.Args)
		if err != nil {
			return rein.Done{}, err
		}
		return do(ctx, inv, args)
	}
	return t, nil
}

// Question makes a tool whose call is a question to a person; the answer is its result. Asking is
// pure, so its Spec may leave Effect out.
func Question[Args any](s Spec, ask func(Args) (rein.Question, error)) (rein.Tool, error) {
	switch {
	case ask == nil:
		return rein.Tool{}, s.wrong("it has no function")
	case s.Effect != "" && s.Effect != rein.Pure:
		return rein.Tool{}, s.wrong("a question has no effect: leave Effect empty, not %q", s.Effect)
	case s.Approval:
		return rein.Tool{}, s.wrong("a question is put to a person anyway: leave Approval out")
	}
	s.Effect = rein.Pure
	t, read, err := build[Args](s)
	if err != nil {
		return rein.Tool{}, err
	}
	t.Ask = func(raw json.RawMessage) (rein.Question, error) {
		args, err := read(raw)
		if err != nil {
			return rein.Question{}, err
		}
		return ask(args)
	}
	return t, nil
}

// Must is for tables of tools in a program's wiring: an error there is a mistake in the source, and
// it panics.
func Must(t rein.Tool, err error) rein.Tool {
	if err != nil {
		panic(err)
	}
	return t
}

// build makes all of a tool but its function, and what reads its arguments.
func build[Args any](s Spec) (rein.Tool, func(json.RawMessage) (Args, error), error) {
	if err := s.check(); err != nil {
		return rein.Tool{}, nil, err
	}
	shape, err := shapeOf[Args]()
	if err != nil {
		return rein.Tool{}, nil, s.wrong("%w", err)
	}
	t := rein.Tool{
		Name: s.Name, Description: strings.TrimSpace(strings.ReplaceAll(s.Text, "\r\n", "\n")), Schema: shape.schema, Trusted: shape.trusted, Pinned: shape.pinned,
		Effect: s.Effect, Timeout: s.Timeout, Approval: s.Approval, Polling: s.Polling, Rules: s.Rules, Undoable: s.Undoable, Code: s.Code, Tree: s.Tree, Writes: s.Writes, Family: s.Family, Like: s.Like,
	}
	read := func(raw json.RawMessage) (Args, error) { return decode[Args](s.Name, shape, raw) }
	_, err = read(nil) // the defaults fit the fields
	return t, read, err
}

func (s Spec) check() error {
	switch {
	case !toolname.Good(s.Name):
		return badName(s.Name)
	case strings.TrimSpace(s.Text) == "":
		return s.wrong("it has no Text: say for the model what it does and when to use it")
	case s.Timeout < 0:
		return s.wrong("timeout %s is negative; zero takes the default", s.Timeout)
	}
	if err := s.Effect.Check(); err != nil {
		return s.wrong("%w", err)
	}
	return nil
}

func (s Spec) wrong(format string, args ...any) error {
	return rein.Errorf(rein.CodeInvalid, "tool %q: "+format, append([]any{s.Name}, args...)...)
}

func badName(name string) error {
	return rein.Errorf(rein.CodeInvalid, "tool name %.80q must be "+toolname.Rule, name)
}
