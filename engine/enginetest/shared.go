package enginetest

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/store"
)

// inSession puts a task into session s.
func inSession(t rein.Task) rein.Task {
	t.Session = "s"
	return t
}

// cutInSession leaves run r1 of session s with a call that a crash cut off, and begins again.
func cutInSession(w *World, tool string) {
	w.Tools.Hold(tool)
	w.Begin()
	w.Start("r1", inSession(task("loop", "go", tool)))
	w.Tools.Started(w)
	w.Kill()
	w.Begin()
}

// unsureOnce makes the first calls of these tools have their effect and not tell.
func unsureOnce(w *World, tools ...string) {
	var told sync.Map
	w.Tweak = func(o *engine.Options) {
		for _, name := range tools {
			tool := o.Worker.Tools[name]
			do := tool.Do
			tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
				done, err := do(ctx, inv)
				if _, again := told.LoadOrStore(name, true); !again {
					return rein.Done{}, rein.ErrOutcomeUnknown
				}
				return done, err
			}
			o.Worker.Tools[name] = tool
		}
	}
}

// wantEarlier wants an ask about the call of another run.
func wantEarlier(t *testing.T, ask rein.Ask, earlier ...string) {
	t.Helper()
	run, _, _ := strings.Cut(earlier[0], ":")
	if ask.Kind != rein.AskUnknown || !slices.Equal(ask.Earlier, earlier) || !strings.Contains(ask.Text, "by run "+run) {
		t.Errorf("the ask is %+v, want one about %q", ask, earlier)
	}
}

// What is not known of a call is not known to any run of the session.
//
// Covers: LAW-3 ENG-2 ENG-44
var shared = []test{
	{"a call that a crash cut off is unknown to the next run of the session", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		cutInSession(w, "send")
		w.UntilAsk("r1", 1)
		w.Start("r2", inSession(task("loop", "go", "send")))
		ask := w.UntilAsk("r2", 1)
		wantEarlier(t, ask, "r1:2")
		w.Restart()
		w.Answer(ask, rein.AskAnswered, rein.ItHappened)
		w.WantEnd("r2", rein.EndDone, "over")
		if got := w.Tools.Counts(); got != "send=1" {
			t.Errorf("tools were called %q", got)
		}
		w.Restart() // what the person said is known to everybody
		w.Start("r3", inSession(task("loop", "go", "send")))
		w.WantEnd("r3", rein.EndDone, "over")
		w.WantCalls(5, "send=2")
		w.Verify()
	}},
	{"a call that a crash cut off is unknown to the other runs of the tree", func(t *testing.T, world func(string) *World) {
		w := world("when turn=1 user=late\ncall echo {}\nwhen turn=1\ncall send {}\nwhen turn=2 user=late\ncall send {}\nwhen\nsay over")
		w.Tools.Hold("send")
		w.Tools.Hold("echo")
		w.Begin()
		parent := family(task("loop", "go", "send"), task("loop", "late", "echo", "send"))
		parent.Tools = []string{"echo", "send"}
		w.Start("r1", parent)
		w.Tools.Started(w)
		w.Tools.Started(w)
		w.Kill()
		w.Begin()
		first, second := w.UntilAsk("r1.1", 1), w.UntilAsk("r1.2", 1)
		wantEarlier(t, second, "r1.1:2")
		w.Kill()
		w.Begin()
		w.Answer(second, rein.AskAnswered, rein.RunAgain)
		w.End("r1.2")
		w.Answer(first, rein.AskAnswered, rein.ItHappened)
		w.WantEnd("r1", rein.EndDone, "done over,done over")
		if got := w.Tools.Counts(); got != "echo=2 send=2" {
			t.Errorf("tools were called %q", got)
		}
		w.Verify()
	}},
	{"what people leave open stays unknown after the run has ended", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		cutInSession(w, "send")
		w.UntilAsk("r1", 1)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.End("r1")
		w.Restart()
		for _, run := range []rein.RunID{"r2", "r3"} {
			w.Start(run, inSession(task("loop", "go", "send")))
			ask := w.UntilAsk(run, 1)
			wantEarlier(t, ask, "r1:2")
			w.Answer(ask, rein.AskAnswered, rein.SkipIt)
			w.WantEnd(run, rein.EndDone, "over")
		}
		w.Start("r4", inSession(task("loop", "go", "send")))
		w.Answer(w.UntilAsk("r4", 1), rein.AskAnswered, rein.RunAgain)
		w.WantEnd("r4", rein.EndDone, "over")
		w.Start("r5", inSession(task("loop", "go", "send")))
		w.WantEnd("r5", rein.EndDone, "over")
		w.WantCalls(9, "send=3")
		w.Verify()
	}},
	{"an outcome that is known is known to the next run", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		cutInSession(w, "send")
		w.Answer(w.UntilAsk("r1", 1), rein.AskAnswered, rein.ItHappened)
		w.WantEnd("r1", rein.EndDone, "over")
		w.Start("r2", inSession(task("loop", "go", "send")))
		w.WantEnd("r2", rein.EndDone, "over")
		w.WantCalls(4, "send=2")
	}},
	{"other sessions and other arguments are not asked about", func(t *testing.T, world func(string) *World) {
		w := world("when turn=1 user=other\ncall send {\"n\":1}\nwhen turn=1\ncall send {}\nwhen\nsay over")
		cutInSession(w, "send")
		w.UntilAsk("r1", 1)
		w.Start("r2", task("loop", "go", "send"))
		w.WantEnd("r2", rein.EndDone, "over")
		w.Start("r3", inSession(task("loop", "other", "send")))
		w.WantEnd("r3", rein.EndDone, "over")
	}},
	{"a call that is under way is not unknown", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		w.Tools.Hold("send")
		w.Begin()
		w.Start("r1", inSession(task("loop", "go", "send")))
		w.Tools.Started(w)
		w.Start("r2", inSession(task("loop", "go", "send")))
		w.Tools.Started(w)
		w.Tools.Release()
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantEnd("r2", rein.EndDone, "over")
		w.WantCalls(4, "send=2")
	}},
	{"repeating an idempotent call of another run uses its key", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("add"))
		unsureOnce(w, "add")
		w.Begin()
		w.Start("r1", inSession(task("loop", "go", "add")))
		w.WantEnd("r1", rein.EndDone, "over")
		w.Restart()
		w.Start("r2", inSession(task("loop", "go", "add")))
		w.WantEnd("r2", rein.EndDone, "over")
		if n := w.Tools.Keys("add"); n != 1 {
			t.Errorf("%d keys", n)
		}
	}},
	{"who repeats a call of another run can make it once more", func(t *testing.T, world func(string) *World) {
		w := world("when turn=1\ncall add {}\ncall send {}\nwhen turn=2 user=twice\ncall add {}\ncall send {}\nwhen\nsay over")
		unsureOnce(w, "add", "send")
		w.Begin()
		w.Start("r1", inSession(task("loop", "go", "add", "send")))
		w.WantEnd("r1", rein.EndDone, "over")
		w.Start("r2", inSession(task("loop", "twice", "add", "send")))
		w.Answer(w.UntilAsk("r2", 1), rein.AskAnswered, rein.RunAgain)
		w.WantEnd("r2", rein.EndDone, "over")
		w.WantCalls(5, "add=3 send=3")
		if n := w.Tools.Keys("add"); n != 2 {
			t.Errorf("%d keys: the second call of r2 is its own", n)
		}
	}},
	{"one answer is enough for all equal calls of a run", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall send {}\nturn 2\ncall send {}\nturn 3\ncall send {}\nturn 4\nsay over")
		unsureOnce(w, "send")
		w.Begin()
		w.Start("r1", inSession(task("loop", "go", "send")))
		ask := w.UntilAsk("r1", 1)
		if ask.Text != "An earlier call of send with the same arguments may have happened. Run it again?" {
			t.Errorf("it asks %q", ask.Text)
		}
		w.Answer(ask, rein.AskAnswered, rein.ItHappened)
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(4, "send=2")
	}},
	{"a branch does not repeat what a crash cut off in another", func(t *testing.T, world func(string) *World) {
		w := world("when phase=act\ncall deploy {}\ncall deploy {}\nwhen\nsay over")
		w.Tools.Hold("deploy")
		w.Begin()
		w.Start("r1", inSession(task("pair", "go", "deploy")))
		first, second := w.UntilAsk("r1", 1), w.UntilAsk("r1", 2)
		w.Answer(first, rein.AskApproved, "")
		w.Tools.Started(w)
		w.Kill()
		w.Begin()
		cut := w.UntilAsk("r1", 3)
		w.Answer(second, rein.AskApproved, "")
		again := w.UntilAsk("r1", 4)
		if again.Step != second.Step || !slices.Equal(again.Earlier, []string{"r1:" + string(first.Step)}) {
			t.Errorf("the ask is %+v", again)
		}
		w.Answer(again, rein.AskAnswered, rein.SkipIt)
		w.Answer(cut, rein.AskAnswered, rein.ItHappened)
		w.End("r1")
		w.WantCalls(2, "deploy=1")
		w.Verify()
	}},
	{"an older program's unknown calls count too", func(t *testing.T, world func(string) *World) {
		w := world(callOnce("send"))
		w.Begin()
		oldUnknown(w, "r1")
		w.Start("r2", inSession(task("loop", "go", "send")))
		ask := w.UntilAsk("r2", 1)
		wantEarlier(t, ask, "r1:1")
		w.Answer(ask, rein.AskAnswered, rein.SkipIt)
		w.WantEnd("r2", rein.EndDone, "over")
		w.WantCalls(2, "")
	}},
}

// oldUnknown writes the log of an ended run with a call whose outcome is not known, as a program wrote it
// whose intents do not name their tool.
func oldUnknown(w *World, run rein.RunID) {
	w.Helper()
	ctx, now := context.Background(), time.Now()
	budget := rein.DefaultBudget()
	old := inSession(task("loop", "go", "send"))
	old.Household, old.User, old.Budget, old.Start = "home", "owner", &budget, now
	if _, _, err := w.Store.Start(ctx, store.Start{Run: run, Start: rein.RunStart{Task: old}, At: now, Claim: true}); err != nil {
		w.Fatal(err)
	}
	call := rein.ToolCall{ID: "c1", Name: "send", Args: json.RawMessage(`{}`)}
	end := &rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}}
	_, err := w.Store.Append(ctx, store.Batch{Run: run, Epoch: 1, Drafts: []store.Draft{
		{Kind: rein.StepStarted, Step: "1", At: now, Data: &rein.StepStart{Sig: "tool", Call: &call}},
		{Kind: rein.StepIntent, Step: "1.intent", At: now, Data: &rein.Intent{Effect: rein.Unsafe, Key: string(run) + ":1", Args: call.Args}},
		{Kind: rein.StepDone, Step: "1", At: now, Data: &rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolUnknown}}},
		{Kind: rein.RunCompleted, At: now, Data: end, Status: rein.Status(rein.EndDone), Outcome: end},
	}})
	if err != nil {
		w.Fatal(err)
	}
}
