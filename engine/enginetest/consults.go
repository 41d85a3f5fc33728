package enginetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine"
)

// think is a tool that has the model write something while it runs. Its arguments may say how.
func (t *Tools) think(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
	if _, err := t.do(ctx, "think", inv); err != nil {
		return rein.Done{}, err
	}
	times, how := 1, string(inv.Args)
	switch {
	case strings.Contains(how, "greedy"):
		times = 25
	case strings.Contains(how, "gone"):
		go func() {
			_, _ = inv.Consult(context.WithoutCancel(ctx), []rein.Message{{Role: rein.User, Text: "Hello?"}}, 0)
		}()
		return rein.Done{Text: "gone"}, t.until(ctx, "asked")
	}
	said := []string{}
	for range times {
		reply, err := inv.Consult(ctx, []rein.Message{{Role: rein.User, Text: "What is " + secret + "?"}}, 1<<30)
		if err != nil {
			return rein.Done{Text: strings.Join(append(said, string(rein.CodeOf(err))), ",")}, nil
		}
		said = append(said, reply.Text)
	}
	return rein.Done{Text: strings.Join(said, ",")}, nil
}

// thinking is a run that calls the tool. What its task says is nobody else's business.
const thinking = "price in=1.00 out=2.00\nwhen phase=consult\nsay 42\nturn 1\ncall think {\"to\":\"ARGS\"}\nturn 2\nsay over"

func thought(world func(string) *World, args string) *World {
	return world(strings.Replace(thinking, "ARGS", args, 1))
}

// consulted returns how many consults of a run began and ended, and what those cost that ended.
func (w *World) consulted(run rein.RunID) (begun, ended int, micros int64) {
	w.Helper()
	for _, e := range w.Events(run) {
		switch e.Kind {
		case rein.SubStarted:
			start, err := rein.Payload[rein.StepStart](e)
			if err != nil || start.Phase != rein.PhaseConsult || start.Bound.Micros == 0 {
				w.Errorf("%+v: %v", start, err)
			}
			begun++
		case rein.SubDone:
			end, err := rein.Payload[rein.StepEnd](e)
			if err != nil {
				w.Fatal(err)
			}
			if ended++; end.Usage != nil {
				micros += end.Usage.Micros
			}
		}
	}
	return begun, ended, micros
}

// Covers: LAW-3 LAW-8 ENG-41
var consults = []test{
	{"a tool consults the model, and the run pays", func(t *testing.T, world func(string) *World) {
		w := thought(world, "once")
		w.Begin()
		w.Start("r1", task("loop", "the plans for Friday", "think"))
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "42")
		calls := w.Model.Calls()
		if len(calls) != 3 {
			t.Fatalf("the model was called %d times", len(calls))
		}
		r := calls[1].Request
		if r.Step != "2.consult" || len(r.Offered) != 0 || len(r.Tools) != 0 || r.MaxTokens != 4096 || len(r.Messages) != 1 {
			t.Errorf("%+v", r)
		}
		if text := r.Messages[0].Text; strings.Contains(text, "Friday") || strings.Contains(text, secret) || !strings.Contains(text, "[redacted: ") {
			t.Errorf("the model got %q", text)
		}
		if begun, ended, micros := w.consulted("r1"); begun != 1 || ended != 1 || micros == 0 {
			t.Errorf("%d began, %d ended, at %d", begun, ended, micros)
		}
		w.Verify()
	}},
	{"what a tool may ask the model has an end", func(t *testing.T, world func(string) *World) {
		w := thought(world, "greedy")
		w.Begin()
		w.Start("r1", task("loop", "go", "think"))
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, strings.Repeat("42,", 20)+"quota")
		if begun, ended, _ := w.consulted("r1"); begun != 20 || ended != 20 {
			t.Errorf("%d began, %d ended", begun, ended)
		}
		w.Verify()
	}},
	{"a budget that does not reach is not spent on a tool's questions", func(t *testing.T, world func(string) *World) {
		w := thought(world, "greedy")
		w.Begin()
		w.Start("r1", budget(task("loop", "go", "think"), func(b *rein.Budget) { b.Tokens = 4000 }))
		w.End("r1")
		w.wantTool("r1", "2", rein.ToolOK, "budget")
		if begun, _, _ := w.consulted("r1"); begun != 0 {
			t.Errorf("%d consults that could cost more than there is", begun)
		}
		w.Verify()
	}},
	{"a consult that nobody waits for ends with its call", func(t *testing.T, world func(string) *World) {
		w := thought(world, "gone")
		w.Tweak = func(o *engine.Options) { o.Worker.Models = map[string]rein.Model{"": slowMender{o.Worker.Models[""]}} }
		w.Tools.Hold("asked")
		w.Begin()
		w.Start("r1", task("loop", "go", "think"))
		w.UntilKind("r1", rein.SubStarted)
		w.Tools.Release()
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "gone")
		w.Verify()
	}},
	{"a run can be cancelled while a tool consults the model", func(t *testing.T, world func(string) *World) {
		w := thought(world, "once")
		w.Tweak = func(o *engine.Options) { o.Worker.Models = map[string]rein.Model{"": slowMender{o.Worker.Models[""]}} }
		w.Begin()
		w.Start("r1", task("loop", "go", "think"))
		w.UntilKind("r1", rein.SubStarted)
		w.Send(rein.Command{Kind: rein.CommandCancel, Run: "r1"})
		if end := w.End("r1"); end.End != rein.EndCancelled {
			t.Errorf("ended as %s", end.End)
		}
		w.Verify()
	}},
	{"after a crash in a consult a person decides about the call", func(t *testing.T, world func(string) *World) {
		w := thought(world, "once")
		hold := w.holdModel(2)
		w.Begin()
		w.Start("r1", task("loop", "go", "think"))
		hold.entered(w)
		hold.release()
		w.Kill()
		w.Begin()
		unknown := w.UntilAsk("r1", 1)
		if unknown.Kind != rein.AskUnknown {
			t.Fatalf("%+v", unknown)
		}
		w.Answer(unknown, rein.AskAnswered, rein.SkipIt)
		w.WantEnd("r1", rein.EndDone, "over")
		if begun, _, _ := w.consulted("r1"); begun != 1 {
			t.Errorf("%d began", begun)
		}
		w.Verify()
	}},
	{"a paused run's tool gets nothing of the model", func(t *testing.T, world func(string) *World) {
		w := thought(world, "once")
		w.Tools.Hold("think")
		w.Begin()
		w.Start("r1", task("loop", "go", "think"))
		w.Tools.Started(w)
		w.pause("r1")
		w.Tools.Release()
		w.Until("end of the call", func(e rein.Event) bool { return e.Kind == rein.StepDone && e.Step == "2" })
		w.resume("r1")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "unavailable")
	}},
	{"the model's time is not the tool's", func(t *testing.T, world func(string) *World) {
		w := thought(world, "once")
		w.Tweak = func(o *engine.Options) { o.Worker.ToolTimeout = time.Second }
		hold := w.holdModel(2)
		w.Begin()
		w.Start("r1", task("loop", "go", "think"))
		hold.entered(w)
		time.AfterFunc(1200*time.Millisecond, hold.release)
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantTool("r1", "2", rein.ToolOK, "42")
	}},
}
