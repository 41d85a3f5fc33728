package enginetest

import (
	"context"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine"
)

func callOnce(tool string) string {
	return "turn 1\ncall " + tool + " {}\nturn 2\nsay over"
}

// cutOff kills the engine while the tool, having had its effect, has not returned.
func cutOff(w *World, tool string) {
	w.Tools.Hold(tool)
	w.Begin()
	w.Start("r1", task("loop", "go", tool))
	w.Tools.Started(w)
	w.Kill()
	w.Begin()
}

// Covers: LAW-3 ENG-1 ENG-2 ENG-32 ENG-44 ENG-45
var effects = []test{
	{"after a crash a pure call runs again", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("echo"))
		cutOff(w, "echo")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "echo=2")
	}},
	{"after a crash an idempotent call runs again under its key", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("add"))
		cutOff(w, "add")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "add=2")
		if n := w.Tools.Keys("add"); n != 1 {
			t.Errorf("%d keys", n)
		}
	}},
	{"after a crash a checkable call is asked whether it happened", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("post"))
		cutOff(w, "post")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "post=1 post?=1")
		if got := w.stepEnd("r1", "2"); got.Result.Text != "posted before" {
			t.Errorf("result %+v", got.Result)
		}
	}},
	{"a checkable call that did not happen runs again", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("post"))
		w.Tools.checks = rein.CheckNot
		cutOff(w, "post")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "post=2 post?=1")
	}},
	{"a checkable call that cannot tell is put to a person", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("post"))
		w.Tools.checks = rein.CheckUnknown
		cutOff(w, "post")
		ask := w.UntilAsk("r1", 1)
		w.Restart()
		w.Answer(ask, rein.AskAnswered, rein.ItHappened)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "post=1 post?=1")
	}},
	{"after a crash an unsafe call is put to a person: it happened", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		cutOff(w, "send")
		ask := w.UntilAsk("r1", 1)
		if ask.Kind != rein.AskUnknown || ask.Call.Name != "send" {
			t.Errorf("ask %+v", ask)
		}
		w.Restart()
		w.Answer(ask, rein.AskAnswered, rein.ItHappened)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "send=1")
		w.Verify()
	}},
	{"after a crash an unsafe call is put to a person: run it again", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		cutOff(w, "send")
		w.Answer(w.UntilAsk("r1", 1), rein.AskAnswered, rein.RunAgain)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "send=2")
	}},
	{"an unsafe call that is cut off twice is asked about twice", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		cutOff(w, "send")
		ask := w.UntilAsk("r1", 1)
		w.Tools.Hold("send")
		w.Answer(ask, rein.AskAnswered, rein.RunAgain)
		w.Tools.Started(w)
		w.Kill()
		w.Begin()
		second := w.UntilAsk("r1", 2)
		if second.ID == ask.ID {
			t.Fatalf("the same ask again: %s", ask.ID)
		}
		w.Answer(second, rein.AskAnswered, rein.SkipIt)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "send=2")
		if got := w.stepEnd("r1", "2"); got.Result.Status != rein.ToolUnknown {
			t.Errorf("result %+v", got.Result)
		}
		w.Verify()
	}},
	{"stopping an unknown outcome leaves it unknown", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		cutOff(w, "send")
		w.UntilAsk("r1", 1)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.End("r1")
		if got := w.stepEnd("r1", "2"); got.Result.Status != rein.ToolUnknown {
			t.Errorf("result %+v", got.Result)
		}
		w.WantCalls(1, "send=1")
	}},
	{"a shutdown in the middle of an unsafe call is an unknown outcome too", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		w.Tools.Hold("send")
		w.Tweak = func(o *engine.Options) { o.DrainGrace = engine.NoGrace }
		w.Begin()
		w.Start("r1", task("loop", "go", "send"))
		w.Tools.Started(w)
		w.Restart()
		if ask := w.UntilAsk("r1", 1); ask.Kind != rein.AskUnknown {
			t.Errorf("ask %+v", ask)
		}
		w.WantCalls(1, "send=1")
	}},
	{"time-outs: pure says so, unsafe is unknown, and repeating it needs a person", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall slow {}\ncall slowsend {}\nturn 2\ncall slowsend {}\nturn 3\nsay over")
		w.Tools.Hold("slow")
		w.Tools.Hold("slowsend")
		w.Begin()
		w.Start("r1", task("loop", "go", "slow", "slowsend"))
		ask := w.UntilAsk("r1", 1)
		for step, want := range map[rein.StepKey]rein.ToolStatus{"2": rein.ToolTimeout, "3": rein.ToolUnknown} {
			if got := w.stepEnd("r1", step); got.Result.Status != want {
				t.Errorf("step %s is %+v", step, got.Result)
			}
		}
		w.Restart()
		w.Answer(ask, rein.AskAnswered, rein.SkipIt)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(3, "slow=1 slowsend=1")
	}},
	{"repeating an idempotent call whose outcome is unknown uses its key", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall slowadd {\"n\":1}\nturn 2\ncall slowadd {\"n\": 1}\nturn 3\nsay over")
		w.Tools.Hold("slowadd")
		w.Begin()
		w.Start("r1", task("loop", "go", "slowadd"))
		w.Tools.Started(w)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(3, "slowadd=2")
		if n := w.Tools.Keys("slowadd"); n != 1 {
			t.Errorf("%d keys", n)
		}
	}},
	{"a tool that ignores its end does not hold the run up", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("stuck"))
		w.Begin()
		w.Start("r1", task("loop", "go", "stuck"))
		w.WantEnd("r1", rein.EndDone, "over")
		if got := w.stepEnd("r1", "2"); got.Result.Status != rein.ToolTimeout {
			t.Errorf("result %+v", got.Result)
		}
	}},
	{"tools that fail and panic are results", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall fail {}\ncall boom {}\ncall blast {}\nturn 2\nsay over")
		w.Begin()
		w.Start("r1", task("pair", "go", "fail", "boom", "blast"))
		end := w.End("r1")
		for i, want := range []string{"failed: no such file", "failed: panicked: boom", "unknown: panicked: blast"} {
			parts := strings.Split(end.Text, ",")
			if len(parts) != 3 || !strings.Contains(parts[i], want) {
				t.Errorf("got %q, want %q", end.Text, want)
			}
		}
		w.Verify()
	}},
	{"a result too large for the log is clipped, and does not hurt", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("flood"))
		w.Begin()
		w.Start("r1", task("loop", "go", "flood"))
		w.End("r1")
		got := w.stepEnd("r1", "2")
		if got.Result.Status != rein.ToolOK || len(got.Result.Text) > 5<<20 || !strings.HasPrefix(got.Result.Text, "é") || !strings.HasSuffix(got.Result.Text, "é") {
			t.Errorf("the result is %s with %d bytes", got.Result.Status, len(got.Result.Text))
		}
		w.Verify()
	}},
	{"a tool's own tables change with its result or not at all", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall keep {}\ncall keep {\"n\":\"bad\"}\nturn 2\nsay over")
		w.Tools.Hold("keep")
		w.Begin()
		w.Start("r1", task("loop", "go", "keep"))
		w.Tools.Started(w)
		w.Kill() // its commit never came: it is pure, and runs again
		w.Begin()
		w.WantEnd("r1", rein.EndDone, "over")
		if got := w.stepEnd("r1", "2"); got.Result.Status != rein.ToolOK {
			t.Errorf("result %+v", got.Result)
		}
		got := w.stepEnd("r1", "3")
		if got.Result.Status != rein.ToolFailed || !strings.Contains(got.Result.Text, "the list is full") {
			t.Errorf("result %+v", got.Result)
		}
		w.WantCalls(2, "keep=3")
		w.Verify()
	}},
	{"failures are recorded and replayed as they were", func(t *testing.T, world func(string) *World) {
		w := world(`
turn 1
call fail {}
call deploy {}
turn 2
fail provider "503 overloaded"
`)
		w.Begin()
		w.Start("r1", task("loop", "go", "fail", "deploy"))
		ask := w.UntilAsk("r1", 1)
		w.Restart()
		w.Answer(ask, rein.AskRejected, "no")
		end := w.End("r1")
		if end.End != rein.EndFailed || end.Failure.Code != rein.CodeProvider || !strings.Contains(end.Failure.Msg, "503 overloaded") {
			t.Errorf("ended as %+v %+v", end, end.Failure)
		}
		w.WantCalls(2, "fail=1")
	}},
	{"a model call that takes too long is a failure", func(t *testing.T, world func(string) *World) {
		w := world(hangUp)
		w.Tweak = func(o *engine.Options) { o.Worker.ModelSilence = 20 * time.Millisecond }
		w.Begin()
		w.Start("r1", task("once", "hi"))
		if end := w.End("r1"); end.End != rein.EndFailed || end.Failure.Code != rein.CodeTimeout {
			t.Errorf("ended as %+v", end)
		}
	}},
	{"a model call that a crash cut is sent again, says so, and costs twice", func(t *testing.T, world func(string) *World) {
		w := world("when attempt=1\nhang\n\nwhen\nsay hello")
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.UntilKind("r1", rein.StepStarted)
		w.Kill()
		w.Begin()
		w.WantEnd("r1", rein.EndDone, "hello")
		w.WantCalls(2, "")
		w.mu.Lock()
		attempt := w.deltas[len(w.deltas)-1].Attempt
		w.mu.Unlock()
		if attempt != 2 {
			t.Errorf("the text says attempt %d", attempt)
		}
		ledger, err := w.Store.Ledger(context.Background(), "r1")
		if err != nil || ledger.Used.Tokens < 118 {
			t.Errorf("the ledger has %+v %v; the first attempt's bound must stay spent", ledger.Used, err)
		}
		w.Verify()
	}},
}
