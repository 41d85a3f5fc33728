package enginetest

import (
	"context"
	"strings"
	"testing"

	"rein"
	"rein/engine/enginetest/flows"
)

// sayHello answers whatever it is asked.
const sayHello = `
when
say hello
`

// useEcho calls one tool and then answers.
const useEcho = `
turn 1
say Let me see.
call echo {"n":1}

turn 2
say It said so.
`

// Covers: LAW-1 ENG-22 ENG-34 ENG-39 ENG-49 ENG-50 ENG-53 ENG-54
var starts = []test{
	{"a run does exactly its calls", func(t *testing.T, world func(string) *World) {
		w := world(useEcho)
		w.Begin()
		w.Start("r1", task("loop", "look", "echo"))
		w.WantEnd("r1", rein.EndDone, "It said so.")
		w.WantCalls(2, "echo=1")
		w.Verify()
	}},
	{"starting twice runs once", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.Start("r1", task("once", "hi"))
		w.WantEnd("r1", rein.EndDone, "hello")
		w.Start("r1", task("once", "hi"))
		w.WantCalls(1, "")
		w.refused(rein.CodeConflict, "r1", task("once", "other"))
	}},
	{"bad tasks are refused and leave nothing", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.refused(rein.CodeInvalid, "", task("once", "hi"))
		w.refused(rein.CodeInvalid, "a b", task("once", "hi"))
		w.refused(rein.CodeInvalid, "a:b", task("once", "hi"))
		w.refused(rein.CodeInvalid, "a..b", task("once", "hi"))
		w.refused(rein.CodeInvalid, "a.b", task("once", "hi")) // a child's
		w.refused(rein.CodeInvalid, rein.RunID(strings.Repeat("a", 100)), task("once", "hi"))
		w.refused(rein.CodeInvalid, "r1", task("nosuchflow", "hi"))
		w.refused(rein.CodeInvalid, "r1", task("once", "hi", "nosuchtool"))
		bad := task("once", "hi")
		bad.Model = "nosuchmodel"
		w.refused(rein.CodeInvalid, "r1", bad)
		bad = task("once", "hi")
		bad.Settings = []byte("{")
		w.refused(rein.CodeInvalid, "r1", bad)
		if _, err := w.Store.Run(context.Background(), "r1"); rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("a refused start left a run: %v", err)
		}
	}},
	{"a run goes on after a restart", func(t *testing.T, world func(string) *World) {
		w := world(useEcho)
		w.Tools.Hold("echo")
		w.Begin()
		w.Start("r1", task("loop", "look", "echo"))
		w.Tools.Started(w)
		w.Kill()
		w.Begin()
		w.WantEnd("r1", rein.EndDone, "It said so.")
		w.WantCalls(2, "echo=2") // a pure call is run again, a recorded model call is not
		w.Verify()
	}},
	{"starting a run again while it is recovered changes nothing", func(t *testing.T, world func(string) *World) {
		w := world(useEcho)
		w.Tools.Hold("echo")
		w.Begin()
		w.Start("r1", task("loop", "look", "echo"))
		w.Tools.Started(w)
		w.Kill()
		w.Begin()
		for range 50 {
			w.Start("r1", task("loop", "look", "echo"))
		}
		w.WantEnd("r1", rein.EndDone, "It said so.")
		w.refused(rein.CodeConflict, "r1", task("loop", "other", "echo"))
		w.WantCalls(2, "echo=2")
		w.Verify()
	}},
	{"what is under way at a shutdown is recorded", func(t *testing.T, world func(string) *World) {
		w := world(useEcho)
		w.Tools.Hold("echo")
		w.Begin()
		w.Start("r1", task("loop", "look", "echo"))
		w.Tools.Started(w)
		go w.Tools.Release()
		w.Restart()
		w.WantEnd("r1", rein.EndDone, "It said so.")
		w.WantCalls(2, "echo=1")
	}},
	{"a flow that panics fails its run and nothing else", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", task("panic", "hi"))
		if end := w.End("r1"); end.End != rein.EndFailed || !strings.Contains(end.Failure.Msg, "panicked") {
			t.Errorf("ended as %+v", end)
		}
		w.Start("r2", task("once", "hi"))
		w.WantEnd("r2", rein.EndDone, "hello")
	}},
	{"text is shown as it comes", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		w.Start("r1", task("once", "hi"))
		w.End("r1")
		w.mu.Lock()
		defer w.mu.Unlock()
		var text strings.Builder
		for _, d := range w.deltas {
			if d.Offset != text.Len() || d.Attempt != 1 || d.Step != "1" {
				t.Errorf("delta %+v after %d bytes", d, text.Len())
			}
			text.WriteString(d.Text)
		}
		if text.String() != "hello" {
			t.Errorf("deltas make %q", text.String())
		}
	}},
	{"branches run side by side and are recorded in their places", func(t *testing.T, world func(string) *World) {
		w := world(`
turn 1
call echo {"n":1}
call add {"n":2}
call send {"n":3}
turn 2
say done
`)
		w.Begin()
		w.Start("r1", task("pair", "go", "echo", "add", "send"))
		w.WantEnd("r1", rein.EndDone, `done | echo {"n":1},add {"n":2},send {"n":3}`)
		w.WantCalls(2, "add=1 echo=1 send=1")
		w.Verify()
	}},
	{"a hundred runs at once", func(t *testing.T, world func(string) *World) {
		w := world(useEcho)
		w.Begin()
		ids := make([]rein.RunID, 100)
		for i := range ids {
			ids[i] = rein.RunID("r" + strings.Repeat("x", i%7) + "-" + string(rune('a'+i%26)) + "-" + strings.Repeat("y", i/26))
		}
		for _, id := range ids {
			w.Start(id, task("loop", "look", "echo"))
		}
		for _, id := range ids {
			w.End(id)
		}
		w.Verify()
	}},
	{"a message to a session starts or steers", func(t *testing.T, world func(string) *World) {
		w := world("when phase=act user=wait\nsay ok\nslow 1ms\n\nwhen\nsay hello")
		w.Begin()
		ctx := context.Background()
		first := task("ask", "")
		first.Messages, first.Session = nil, "s1"
		r, err := w.Engine.Say(ctx, "m1", first, "ann", "hi")
		if err != nil || r.State != rein.ReceiptStarted || r.Started != "m1" {
			t.Fatalf("first message: %+v %v", r, err)
		}
		ask := w.UntilAsk("m1", 1)
		r, err = w.Engine.Say(ctx, "m2", first, "ann", "and more")
		if err != nil || r.State != rein.ReceiptPending {
			t.Fatalf("second message: %+v %v", r, err)
		}
		again, err := w.Engine.Say(ctx, "m2", first, "ann", "and more")
		if err != nil || !again.Again || again.Command != r.Command {
			t.Fatalf("second message sent twice: %+v %v", again, err)
		}
		w.Answer(ask, rein.AskAnswered, "blue")
		w.WantEnd("m1", rein.EndDone, "answered blue by ann")
		next := w.receipt("m1", r.Command)
		if next.State != rein.ReceiptStarted || next.Started == "" {
			t.Fatalf("the unread message's receipt is %+v", next)
		}
		w.UntilAsk(next.Started, 1)
		_, err = w.Engine.Say(ctx, "m3", rein.Task{Flow: "once", Session: "s1"}, "ann", " ")
		if rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("an empty message: %v", err)
		}
	}},
}

// refused wants a start to be refused with a code.
func (w *World) refused(code rein.Code, id rein.RunID, t rein.Task) {
	w.Helper()
	if _, err := w.Engine.Start(context.Background(), id, t); rein.CodeOf(err) != code {
		w.Errorf("start %q: got %v, want code %s", id, err, code)
	}
}

// receipt returns the receipt of a command as it stands.
func (w *World) receipt(run rein.RunID, id rein.CommandID) rein.Receipt {
	w.Helper()
	receipts, err := w.Store.Receipts(context.Background(), run)
	if err != nil {
		w.Fatal(err)
	}
	for _, r := range receipts {
		if r.Command == id {
			return r
		}
	}
	w.Fatalf("run %s has no receipt for %s: %+v", run, id, receipts)
	return rein.Receipt{}
}

func askTask(q rein.Question) rein.Task {
	return with(task("ask", "hi"), flows.Settings{Question: q})
}
