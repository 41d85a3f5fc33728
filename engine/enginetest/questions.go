package enginetest

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine"
)

// survey is a tool that asks a person while it runs. Its arguments may say how: what it writes to "to" is what they said.
func (t *Tools) survey(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
	if _, err := t.do(ctx, "survey", inv); err != nil {
		return rein.Done{}, err
	}
	question := rein.Question{Text: "Which colour? " + secret, Choices: []string{"red", "blue"}}
	switch {
	case strings.Contains(string(inv.Args), "soon"):
		question.Timeout = 30 * time.Millisecond
	case strings.Contains(string(inv.Args), "later"):
		question.Timeout = 1200 * time.Millisecond
	case strings.Contains(string(inv.Args), "gone"):
		go func() { _, _ = inv.Ask(ctx, question) }()
		return rein.Done{Text: "gone"}, t.until(ctx, "asked")
	}
	answer, err := inv.Ask(ctx, question)
	if err != nil {
		return rein.Done{}, err
	}
	return rein.Done{Text: fmt.Sprintf("%s %s", answer.State, answer.Text)}, nil
}

// until waits until a test says so.
func (t *Tools) until(ctx context.Context, what string) error {
	t.mu.Lock()
	held := t.held[what]
	t.mu.Unlock()
	select {
	case <-held:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// surveyed is a world in which a run calls the tool.
func surveyed(world func(string) *World, args string) *World {
	w := world("turn 1\ncall survey {\"to\":\"" + args + "\"}\nturn 2\nsay over")
	w.Tools.Hold("asked")
	w.Begin()
	w.Start("r1", task("loop", "go", "survey"))
	return w
}

// wantClosed wants nobody to be asked any more.
func (w *World) wantClosed(ask rein.Ask) {
	w.Helper()
	_, err := w.Engine.Command(context.Background(), ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "red", By: "ann"}))
	if rein.CodeOf(err) != rein.CodeClosed {
		w.Errorf("a late answer: %v", err)
	}
}

// Covers: LAW-3 ENG-41
var questions = []test{
	{"a tool asks a person and uses the answer", func(t *testing.T, world func(string) *World) {
		w := surveyed(world, "ann")
		ask := w.UntilAsk("r1", 1)
		if ask.Kind != rein.AskQuestion || strings.Contains(ask.Text, secret) || !strings.HasPrefix(ask.Text, "Which colour? [redacted: ") || len(ask.Choices) != 2 || ask.Deadline.IsZero() {
			t.Errorf("%+v", ask)
		}
		w.Answer(ask, rein.AskAnswered, "red")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "answered red")
		w.WantCalls(2, "survey=1")
		for _, e := range w.Events("r1") {
			if e.Kind == rein.RunParked {
				t.Error("the run was parked in the middle of a call")
			}
		}
		w.Verify()
	}},
	{"a tool's question expires", func(t *testing.T, world func(string) *World) {
		w := surveyed(world, "soon")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "expired")
	}},
	{"a tool's question ends with its call", func(t *testing.T, world func(string) *World) {
		w := surveyed(world, "gone")
		ask := w.UntilAsk("r1", 1)
		w.Tools.Release()
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "gone")
		w.wantClosed(ask)
	}},
	{"after a crash nobody answers a tool's question", func(t *testing.T, world func(string) *World) {
		w := surveyed(world, "ann")
		ask := w.UntilAsk("r1", 1)
		w.Kill()
		w.Begin()
		unknown := w.UntilAsk("r1", 2)
		if unknown.Kind != rein.AskUnknown {
			t.Fatalf("%+v", unknown)
		}
		w.wantClosed(ask)
		w.Answer(unknown, rein.AskAnswered, rein.SkipIt)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "survey=1")
		w.Verify()
	}},
	{"a shutdown withdraws a tool's question", func(t *testing.T, world func(string) *World) {
		w := surveyed(world, "ann")
		ask := w.UntilAsk("r1", 1)
		w.Restart()
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "withdrawn")
		w.wantClosed(ask)
		w.WantCalls(2, "survey=1")
	}},
	{"a cancelled run asks nothing more", func(t *testing.T, world func(string) *World) {
		w := surveyed(world, "ann")
		ask := w.UntilAsk("r1", 1)
		w.Send(rein.Command{Kind: rein.CommandCancel, Run: "r1"})
		w.End("r1")
		w.wantClosed(ask)
		w.Verify()
	}},
	{"a paused run's tool asks nobody", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall survey {}\nturn 2\nsay over")
		w.Tools.Hold("survey")
		w.Begin()
		w.Start("r1", task("loop", "go", "survey"))
		w.Tools.Started(w)
		w.pause("r1")
		w.Tools.Release()
		w.Until("end of the call", func(e rein.Event) bool { return e.Kind == rein.StepDone && e.Step == "2" })
		w.resume("r1")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "withdrawn")
	}},
	{"waiting for an answer to a tool is free", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall survey {\"to\":\"later\"}\nturn 2\nsay over")
		w.Tweak = func(o *engine.Options) { o.Worker.ToolTimeout = time.Second }
		w.Begin()
		w.Start("r1", task("loop", "go", "survey"))
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "expired") // the question took longer than the call may take
	}},
}
