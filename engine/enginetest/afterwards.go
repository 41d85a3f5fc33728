package enginetest

import (
	"context"
	"strings"
	"testing"

	"rein"
	"rein/engine"
)

// afterwards is about what only shows later: after a crash, an upgrade, a long time, or in the
// ledger.
//
// Covers: ENG-10 ENG-53 LAW-3 LAW-8
var afterwards = []test{
	{"what a person wrote is no guess of ours, also after a crash", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nmalformed add \"{'n': 1}\"\nturn 2\nsay over")
		w.Tools.Hold("add")
		w.Tweak = change("add", func(tool *rein.Tool) { tool.Approval = true })
		w.loop("add")
		w.Send(edit(w.UntilAsk("r1", 1), `{"n":2}`))
		w.Tools.Started(w)
		w.Kill()
		w.Begin()
		w.WantEnd("r1", rein.EndDone, "over") // nobody is asked again: what was agreed to is the same
		w.wantResult(1, rein.ToolOK, `add {"n":2}`)
		if n := w.Tools.Keys("add"); n != 1 {
			t.Errorf("it was sent under %d keys", n)
		}
	}},
	{"a question that waits is reserved once, and its waiting is free", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall question {\"text\":\"Which?\"}\nturn 2\nsay over")
		w.loop("question")
		ask := w.UntilAsk("r1", 1)
		w.Restart()
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "over")
		ledger, err := w.Store.Ledger(context.Background(), "r1")
		if err != nil || ledger.Used.ToolCalls != 1 || ledger.Used.DrivenMS > 10_000 {
			t.Errorf("it used %+v %v", ledger.Used, err)
		}
		if n := count(w.Events("r1"), rein.StepAttempt); n != 0 {
			t.Errorf("it was reserved %d times more", n)
		}
	}},
	{"what was put to a person is not refused as a repetition", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall add {}\ncall add {}\ncall add {}\nturn 2\nsay over")
		polling := func(is bool) func(*engine.Options) {
			return change("add", func(tool *rein.Tool) { tool.Approval, tool.Polling = true, is })
		}
		w.Tweak = polling(true)
		w.loop("add")
		w.Answer(w.UntilAsk("r1", 1), rein.AskApproved, "")
		w.Answer(w.UntilAsk("r1", 2), rein.AskApproved, "")
		third := w.UntilAsk("r1", 3)
		w.stop()
		w.Tweak = polling(false) // by an upgrade
		w.Begin()
		w.Answer(third, rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "add=3")
	}},
	{"a recovered call does not go to a tool whose name is only like it", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("add"))
		w.Tools.Hold("add")
		w.Tweak = func(o *engine.Options) { // the run may use both
			twin := o.Worker.Tools["add"]
			twin.Name = "ADD"
			o.Worker.Tools["ADD"] = twin
		}
		w.loop("add", "ADD")
		w.Tools.Started(w)
		w.Kill()
		w.Tweak = func(o *engine.Options) {
			twin := o.Worker.Tools["add"]
			twin.Name = "ADD"
			twin.Do = func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{Text: "another tool"}, nil }
			o.Worker.Tools["ADD"] = twin
			delete(o.Worker.Tools, "add")
		}
		w.Begin()
		ask := w.UntilAsk("r1", 1)
		if ask.Kind != rein.AskUnknown {
			t.Errorf("asked %+v", ask)
		}
		w.Answer(ask, rein.AskAnswered, rein.RunAgain)
		w.End("r1")
		w.wantResult(1, rein.ToolRefused, `no tool "add" any more`)
	}},
	{"reads of the flow do not make the loop guard forget", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Tweak = change("recall", func(tool *rein.Tool) {
			tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) { return rein.Done{Text: "a memory"}, nil }
		})
		w.flow("reader", func(run rein.Run, _ rein.Task) (rein.Outcome, error) {
			look := rein.ToolCall{ID: "c", Name: "look", Args: []byte(`{"n":1}`)}
			for range 2 {
				if _, err := run.CallTool(look); err != nil {
					return rein.Outcome{}, err
				}
			}
			for range 260 {
				if _, err := run.CallTool(rein.ToolCall{Name: "recall", Args: []byte(`{}`), Internal: true}); err != nil {
					return rein.Outcome{}, err
				}
			}
			result, err := run.CallTool(look)
			return rein.Outcome{Text: string(result.Status)}, err
		})
		w.Begin()
		w.Start("r1", task("reader", "hi", "look"))
		w.WantEnd("r1", rein.EndDone, string(rein.ToolRefused))
		w.WantCalls(0, "look=2")
	}},
	{"who cannot read the rest of a result is not told how", func(t *testing.T, world func(string) *World) {
		for name, c := range map[string]struct {
			tools []string
			told  bool
		}{"with": {[]string{"long", "read_result"}, true}, "without": {[]string{"long"}, false}} {
			w := world(callOnce("long"))
			w.loop(c.tools...)
			w.WantEnd("r1", rein.EndDone, "over")
			if text := w.result("r1", 1).Result.Text; strings.Contains(text, "read_result") != c.told || !strings.Contains(text, "left out") {
				t.Errorf("%s: %.300q", name, text[len(text)/2-150:])
			}
			w.stop()
		}
	}},
}
