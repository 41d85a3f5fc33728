package enginetest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/store"
)

// modal has tools of every kind that modes tell apart.
func (w *World) modal() {
	before := w.Tweak
	w.flow("calls", calls)
	named := w.Tweak
	w.Tweak = func(o *engine.Options) {
		if before != nil {
			before(o)
		}
		named(o)
		for _, tool := range []rein.Tool{
			{Name: "edit", Effect: rein.Idempotent, Approval: true, Undoable: true, Show: hazards},
			{Name: "sh", Effect: rein.Unsafe, Rules: true, Show: rules},
		} {
			tool.Polling = true
			tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
				return w.Tools.do(ctx, tool.Name, inv)
			}
			o.Worker.Tools[tool.Name] = tool
		}
		keep := o.Worker.Tools["keep"]
		keep.Writes = true
		o.Worker.Tools["keep"] = keep
	}
}

// rules judges a line of a shell by its first word.
func rules(_ context.Context, inv rein.Invocation) (rein.Shown, error) {
	var args struct{ Do string }
	if err := json.Unmarshal(inv.Args, &args); err != nil {
		return rein.Shown{}, err
	}
	shown := rein.Shown{Text: "run " + args.Do, Ruling: rein.Ruling{Verdict: rein.MustAsk, Why: "it is " + args.Do}}
	switch args.Do {
	case "read":
		shown.Ruling.Verdict = rein.Allowed
	case "rm":
		shown.Ruling.Verdict = rein.Denied
	case "build":
		shown.Ruling.Contained = true
	}
	return shown, nil
}

// hazards shows an edit, and warns of hooks.
func hazards(_ context.Context, inv rein.Invocation) (rein.Shown, error) {
	shown := rein.Shown{Text: "edit " + string(inv.Args)}
	if strings.Contains(string(inv.Args), "hook") {
		shown.Hazard = "a program runs it later"
	}
	return shown, nil
}

// calls makes the calls that its first message names, one after the other: "edit; sh build".
func calls(run rein.Run, task rein.Task) (rein.Outcome, error) {
	var said []string
	for i, line := range strings.Split(task.Messages[0].Text, "; ") {
		name, do, _ := strings.Cut(line, " ")
		call := rein.ToolCall{
			About: rein.About{Phase: "act", Round: 1}, ID: fmt.Sprint("c", len(task.Messages), "-", i), Name: name,
			Args: json.RawMessage(fmt.Sprintf(`{"do":%q}`, do)),
		}
		result, err := run.CallTool(call)
		if result.Status == rein.ToolSkipped && err == nil { // as a model would that reads why
			call.ID += "-again"
			result, err = run.CallTool(call)
		}
		if err != nil {
			return rein.Outcome{Text: strings.Join(said, ", ")}, err
		}
		said = append(said, line+" "+string(result.Status))
	}
	return rein.Outcome{Text: strings.Join(said, ", ")}, nil
}

// inMode is a task of the flow calls.
func inMode(m rein.Mode, lines string) rein.Task {
	t := task("calls", lines, "echo", "edit", "sh", "deploy", "send", "keep")
	t.Mode, t.Session = m, "s1"
	return t
}

func (w *World) mode(run rein.RunID, m rein.Mode) rein.Receipt {
	w.Helper()
	return w.Send(rein.Command{Kind: rein.CommandMode, Run: run, Mode: m})
}

// approving answers every approval with yes until the run has ended, and returns what was asked.
func (w *World) approving(run rein.RunID) (asked []string) {
	w.Helper()
	for n := 1; ; n++ {
		ev := w.Until("an ask or the end", func(e rein.Event) bool {
			return e.Run == run && (e.Kind.Ends() || e.Kind == rein.AskOpened && count(w.Events(run), rein.AskOpened) >= n)
		})
		if ev.Kind.Ends() && count(w.Events(run), rein.AskOpened) < n {
			return asked
		}
		ask := w.UntilAsk(run, n)
		asked = append(asked, ask.Call.Name+" "+string(ask.Mode))
		w.Answer(ask, rein.AskApproved, "")
	}
}

// allowed lists the calls that were sent, and why.
func (w *World) allowed(run rein.RunID) string {
	var list []string
	for _, intent := range w.intents(run) {
		list = append(list, strings.TrimSpace(intent.Tool+": "+intent.Allowed+" "+string(intent.Mode)))
	}
	return strings.Join(list, ", ")
}

// wantMode compares the mode that a run has, as its row says.
func (w *World) wantMode(run rein.RunID, want rein.Mode) {
	w.Helper()
	info, err := w.Store.Run(context.Background(), run)
	if err != nil || info.Mode.Or(rein.ModeAsk) != want {
		w.Errorf("run %s is in mode %q (%v), want %s", run, info.Mode, err, want)
	}
}

// beforeDraft does something once, right before a driver's event of the kind is written.
func (w *World) beforeDraft(is func(rein.RunID, store.Draft) bool, do func(engine.Store)) {
	before := w.Tweak
	var once sync.Once
	w.Tweak = func(o *engine.Options) {
		before(o)
		s := o.Store
		o.Store = tap{Store: s, before: func(run rein.RunID, d store.Draft) {
			if is(run, d) {
				once.Do(func() { do(s) })
			}
		}}
	}
}

// Covers: NEU-55 SD-33 LAW-3
var modes = slices.Concat(modesDecide, modesChange, modesPlan)

const everyCall = "edit a; sh read; sh build; sh rm; sh push; deploy; keep"

var modesDecide = []test{
	{"a mode lets through what it says, and the log names it", func(t *testing.T, world func(string) *World) {
		for mode, want := range map[rein.Mode][3]string{
			"":               {"edit , sh , sh , deploy ", "edit: ask, sh: rule, sh: ask, sh: ask, deploy: ask"},
			rein.ModeAsk:     {"edit , sh , sh , deploy ", "edit: ask, sh: rule, sh: ask, sh: ask, deploy: ask"},
			rein.ModeEdits:   {"sh edits, sh edits, deploy edits", "edit: mode edits edits, sh: rule edits, sh: ask edits, sh: ask edits, deploy: ask edits"},
			rein.ModeSandbox: {"sh sandbox, deploy sandbox", "edit: mode sandbox sandbox, sh: rule sandbox, sh: mode sandbox sandbox, sh: ask sandbox, deploy: ask sandbox"},
		} {
			w := world(sayHello)
			w.modal()
			w.Begin()
			w.Start("r1", inMode(mode, everyCall))
			if asked := strings.Join(w.approving("r1"), ", "); asked != want[0] {
				t.Errorf("mode %q asks %q, want %q", mode, asked, want[0])
			}
			if allowed := w.allowed("r1"); allowed != want[1] {
				t.Errorf("mode %q allows %q, want %q", mode, allowed, want[1])
			}
			w.WantEnd("r1", rein.EndDone, "edit a ok, sh read ok, sh build ok, sh rm refused, sh push ok, deploy ok, keep ok")
			w.WantCalls(0, "deploy=1 edit=1 keep=1 sh=3")
			w.Verify()
		}
	}},
	{"no mode beats a deny, nor a policy that asks by name", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		w.Begin()
		task := inMode(rein.ModeSandbox, "edit; sh build")
		task.Policy = rein.Policy{Deny: []string{"edit"}, Ask: []string{"sh"}}
		w.Start("r1", task)
		if asked := strings.Join(w.approving("r1"), ", "); asked != "sh sandbox" {
			t.Errorf("asked %q", asked)
		}
		w.WantEnd("r1", rein.EndDone, "edit refused, sh build ok")
		w.WantCalls(0, "sh=1")
	}},
	{"a call with a hazard is asked in every mode, unless a policy allows its tool", func(t *testing.T, world func(string) *World) {
		for _, mode := range []rein.Mode{rein.ModeAsk, rein.ModeEdits, rein.ModeSandbox} {
			for _, policy := range []rein.Policy{{}, {Allow: []string{"edit"}}} {
				w := world(sayHello)
				w.modal()
				w.Begin()
				task := inMode(mode, "edit hook")
				task.Policy = policy
				w.Start("r1", task)
				want := 1 - len(policy.Allow)
				if asked := w.approving("r1"); len(asked) != want {
					t.Errorf("mode %s, policy %v: asked %q", mode, policy, asked)
				}
				w.WantEnd("r1", rein.EndDone, "edit hook ok")
				w.Verify()
			}
		}
	}},
	{"a policy that allows commands allows those that their sandbox contains", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		w.Begin()
		task := inMode(rein.ModeAsk, "sh build; sh push; sh rm")
		task.Policy.Allow = []string{"sh"}
		w.Start("r1", task)
		ask := w.UntilAsk("r1", 1)
		if !ask.InPerson || ask.Text != "Allow sh?\nrun push" {
			t.Errorf("asked %+v", ask)
		}
		w.Answer(ask, rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "sh build ok, sh push ok, sh rm refused")
		if asked := count(w.Events("r1"), rein.AskOpened); asked != 1 {
			t.Errorf("asked %d times", asked)
		}
	}},
	{"the loosest mode that is allowed holds for starts, commands and runs under way", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		before, loosest := w.Tweak, rein.ModeSandbox
		var mu sync.Mutex
		w.Tweak = func(o *engine.Options) {
			before(o)
			o.Modes = func() (rein.Mode, rein.Mode) {
				mu.Lock()
				defer mu.Unlock()
				return rein.ModeEdits, loosest
			}
		}
		w.Begin()
		w.Start("r1", inMode("", "edit 1; deploy; edit 2"))
		ask := w.UntilAsk("r1", 1)
		mu.Lock()
		loosest = rein.ModeAsk
		mu.Unlock()
		w.refused(rein.CodeInvalid, "r2", inMode(rein.ModeEdits, "edit"))
		w.refused(rein.CodeInvalid, "r2", inMode("yolo", "edit"))
		for mode, code := range map[rein.Mode]rein.Code{rein.ModeSandbox: rein.CodeInvalid, "yolo": rein.CodeInvalid, "": rein.CodeInvalid} {
			if _, err := w.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandMode, Run: "r1", Mode: mode}); rein.CodeOf(err) != code {
				t.Errorf("mode %q: %v", mode, err)
			}
		}
		w.Answer(ask, rein.AskApproved, "")
		w.Answer(w.UntilAsk("r1", 2), rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "edit 1 ok, deploy ok, edit 2 ok")
		if got := w.allowed("r1"); got != "edit: mode edits edits, deploy: ask, edit: ask" {
			t.Errorf("allowed %s", got)
		}
		w.Start("r3", inMode("", "echo"))
		w.End("r3")
		w.wantMode("r3", rein.ModeAsk)
	}},
}

var modesChange = []test{
	{"a change takes effect for the next call, once, and names who made it", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		w.Begin()
		w.Start("r1", inMode("", "edit 1; edit 2; deploy; edit 3"))
		ask := w.UntilAsk("r1", 1)
		c := rein.Command{Kind: rein.CommandMode, Run: "r1", Mode: rein.ModeEdits, By: "ann", Key: "k"}
		first := w.Send(c)
		if again := w.Send(c); first.State != rein.ReceiptApplied || again.Command != first.Command || !again.Again {
			t.Errorf("receipts %+v and %+v", first, again)
		}
		if again := w.mode("r1", rein.ModeEdits); again.Command != first.Command {
			t.Errorf("setting it again is %+v", again)
		}
		w.wantMode("r1", rein.ModeEdits)
		w.Restart()
		w.Answer(ask, rein.AskApproved, "") // who was asked is waited for
		second := w.UntilAsk("r1", 2)
		w.mode("r1", rein.ModeAsk)
		w.Answer(second, rein.AskApproved, "")
		w.Answer(w.UntilAsk("r1", 3), rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "edit 1 ok, edit 2 ok, deploy ok, edit 3 ok")
		if got := w.allowed("r1"); got != "edit: ask edits, edit: mode edits edits, deploy: ask, edit: ask" {
			t.Errorf("allowed %s", got)
		}
		if ev := w.UntilKind("r1", rein.CommandMode.EventKind()); ev.By != "ann" {
			t.Errorf("it was changed by %q", ev.By)
		}
		if n := count(w.Events("r1"), rein.CommandMode.EventKind()); n != 2 {
			t.Errorf("%d changes in the log", n)
		}
		w.Verify()
	}},
	{"a call is not sent after the mode that let it through was taken back", func(t *testing.T, world func(string) *World) {
		for _, m := range []rein.Mode{rein.ModeAsk, rein.ModePlan} {
			w := world(sayHello)
			w.modal()
			w.beforeDraft(func(_ rein.RunID, d store.Draft) bool { return d.Kind == rein.StepIntent }, func(s engine.Store) {
				if _, err := s.Command(context.Background(), rein.Command{Kind: rein.CommandMode, Run: "r1", Mode: m, By: "ann"}, now()); err != nil {
					t.Error(err)
				}
			})
			w.Begin()
			w.Start("r1", inMode(rein.ModeEdits, "edit"))
			w.Answer(w.UntilAsk("r1", 1), rein.AskRejected, "") // the call, or the plan
			w.End("r1")
			w.wantResult(1, rein.ToolSkipped, "the call was not run: ")
			w.wantResult(2, rein.ToolRefused, "")
			w.WantCalls(0, "")
			w.Verify()
		}
	}},
	{"what a person agreed to is sent in any mode", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		w.Begin()
		w.Start("r1", inMode("", "deploy"))
		ask := w.UntilAsk("r1", 1)
		w.mode("r1", rein.ModePlan)
		w.Answer(ask, rein.AskApproved, "")
		w.Answer(w.UntilAsk("r1", 2), rein.AskRejected, "")
		w.WantEnd("r1", rein.EndDeclined, "deploy ok")
	}},
	{"children follow, also one that starts at the moment of the change", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		w.beforeDraft(func(run rein.RunID, d store.Draft) bool { return d.Starts != nil && d.Starts.Run == "r1.2" }, func(s engine.Store) {
			if _, err := s.Command(context.Background(), rein.Command{Kind: rein.CommandMode, Run: "r1", Mode: rein.ModeAsk, By: "ann"}, now()); err != nil {
				t.Error(err)
			}
		})
		w.Begin()
		loose := inMode(rein.ModeSandbox, "edit")
		root := with(inMode(rein.ModeEdits, "go"), flows.Settings{Children: []rein.Task{loose, inMode("", "edit")}})
		root.Flow = "family"
		w.Start("r1", root)
		w.Answer(w.UntilAsk("r1.2", 1), rein.AskApproved, "")
		if len(w.approving("r1.1")) == 0 && w.allowed("r1.1") != "edit: mode edits edits" { // whichever came first
			t.Errorf("the first child: %s", w.allowed("r1.1"))
		}
		w.WantEnd("r1", rein.EndDone, "done edit ok,done edit ok")
		if start := w.started("r1.1"); start.Task.Mode != rein.ModeEdits {
			t.Errorf("the first child starts in mode %q", start.Task.Mode)
		}
		w.wantMode("r1.2", rein.ModeAsk)
		if _, err := w.Engine.Command(context.Background(), rein.Command{Kind: rein.CommandMode, Run: "r1.1", Mode: rein.ModeEdits}); rein.CodeOf(err) == "" {
			t.Error("a child has a mode of its own")
		}
		w.Verify()
	}},
	{"later runs of the session start in its mode", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		w.Begin()
		w.Start("r1", inMode("", "deploy"))
		ask := w.UntilAsk("r1", 1)
		w.mode("r1", rein.ModeEdits)
		receipt := w.Send(rein.Command{Kind: rein.CommandMessage, Run: "r1", Text: "edit"})
		w.Answer(ask, rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "deploy ok")
		next := w.receipt("r1", receipt.Command).Started
		w.WantEnd(next, rein.EndDone, "edit ok")
		w.Start("r2", inMode("", "edit"))
		w.WantEnd("r2", rein.EndDone, "edit ok")
		for _, id := range []rein.RunID{next, "r2"} {
			if start := w.started(id); start.Task.Mode != rein.ModeEdits {
				t.Errorf("run %s starts in mode %q", id, start.Task.Mode)
			}
		}
		w.Start("r3", inMode(rein.ModeSandbox, "edit"))
		w.WantEnd("r3", rein.EndDone, "edit ok")
		w.Start("r4", inMode("", "echo"))
		w.WantEnd("r4", rein.EndDone, "echo ok")
		w.wantMode("r4", rein.ModeSandbox)
		other := inMode("", "echo")
		other.Session = "s2"
		w.Start("r5", other)
		w.WantEnd("r5", rein.EndDone, "echo ok")
		w.wantMode("r5", rein.ModeAsk)
		w.Verify()
	}},
}

var modesPlan = []test{
	{"plan mode offers and runs only what changes nothing", func(t *testing.T, world func(string) *World) {
		w := world("when offered=edit\nsay wrong\n\nwhen offered=keep\nsay wrong\n\nwhen offered=echo\nsay the plan")
		w.modal()
		w.Begin()
		task := inMode(rein.ModePlan, "go")
		task.Flow = "loop"
		w.Start("r1", task)
		ask := w.UntilAsk("r1", 1)
		if ask.Kind != rein.AskConfirmation || !strings.Contains(ask.Text, "the plan") || fmt.Sprint(ask.Modes) != "[ask edits sandbox]" {
			t.Errorf("the plan is asked as %+v", ask)
		}
		w.Answer(ask, rein.AskRejected, "")
		w.WantEnd("r1", rein.EndDeclined, "the plan")
		task = inMode(rein.ModePlan, "echo; edit; sh read; send; keep; deploy")
		w.Start("r2", task)
		w.Answer(w.UntilAsk("r2", 1), rein.AskRejected, "not like that")
		w.WantEnd("r2", rein.EndDeclined, "echo ok, edit refused, sh read refused, send refused, keep refused, deploy refused")
		w.WantCalls(1, "echo=1")
		w.Verify()
	}},
	{"a tool that writes without saying so writes nothing in plan mode", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		before := w.Tweak
		w.Tweak = func(o *engine.Options) {
			before(o)
			keep := o.Worker.Tools["keep"]
			keep.Writes = false
			o.Worker.Tools["keep"] = keep
		}
		w.Begin()
		w.Start("r1", inMode(rein.ModePlan, "keep"))
		w.Answer(w.UntilAsk("r1", 1), rein.AskRejected, "")
		w.WantEnd("r1", rein.EndDeclined, "keep refused")
	}},
	{"an accepted plan is carried out in the mode that was chosen", func(t *testing.T, world func(string) *World) {
		for chosen, want := range map[rein.Mode]string{"": "edit: ask", rein.ModeAsk: "edit: ask", rein.ModeEdits: "edit: mode edits edits"} {
			w := world(sayHello)
			w.modal()
			w.Begin()
			w.Start("r1", inMode(rein.ModePlan, "edit"))
			ask := w.UntilAsk("r1", 1)
			w.Restart()
			reply := ask.Reply(rein.Answer{State: rein.AskApproved, Mode: chosen, By: "ann"})
			w.Send(reply)
			if chosen.Or(rein.ModeAsk) == rein.ModeAsk {
				w.Answer(w.UntilAsk("r1", 2), rein.AskApproved, "")
			}
			w.WantEnd("r1", rein.EndDone, "edit ok")
			if got := w.allowed("r1"); got != want {
				t.Errorf("chosen %q: %s", chosen, got)
			}
			ev := w.UntilKind("r1", rein.CommandMode.EventKind())
			if c, err := rein.Payload[rein.Command](ev); err != nil || ev.By != "ann" || c.Cause == "" || c.Mode != chosen.Or(rein.ModeAsk) {
				t.Errorf("the change is %+v by %q (%v)", c, ev.By, err)
			}
			w.Verify()
		}
	}},
	{"a plan is accepted only in a mode that it offers", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		before := w.Tweak
		w.Tweak = func(o *engine.Options) {
			before(o)
			o.Modes = func() (rein.Mode, rein.Mode) { return rein.ModePlan, rein.ModeEdits }
		}
		w.Begin()
		w.Start("r1", inMode("", "edit"))
		ask := w.UntilAsk("r1", 1)
		for _, answer := range []rein.Answer{
			{State: rein.AskApproved, Mode: rein.ModeSandbox},
			{State: rein.AskApproved, Mode: rein.ModePlan},
			{State: rein.AskRejected, Mode: rein.ModeEdits},
		} {
			answer.By = "ann"
			if _, err := w.Engine.Command(context.Background(), ask.Reply(answer)); rein.CodeOf(err) != rein.CodeInvalid {
				t.Errorf("answer %+v: %v", answer, err)
			}
		}
		w.Send(ask.Reply(rein.Answer{State: rein.AskApproved, Mode: rein.ModeEdits, By: "ann"}))
		w.WantEnd("r1", rein.EndDone, "edit ok")
	}},
	{"a plan that nobody accepts in time is not carried out", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		w.Begin()
		task := inMode(rein.ModePlan, "edit")
		task.Policy.Timeout = 300 * time.Millisecond
		w.Start("r1", task)
		w.WantEnd("r1", rein.EndDeclined, "edit refused")
		w.WantCalls(0, "")
		w.Verify()
	}},
	{"what people want instead of a plan is planned", func(t *testing.T, world func(string) *World) {
		w := world("when user=two\nsay second plan\n\nwhen user~accept\nsay carried out\n\nwhen\nsay first plan")
		w.modal()
		w.Begin()
		task := inMode(rein.ModePlan, "one")
		task.Flow = "once"
		w.Start("r1", task)
		w.UntilAsk("r1", 1)
		w.Send(rein.Command{Kind: rein.CommandModify, Run: "r1", Text: "two"})
		ask := w.UntilAsk("r1", 2)
		if !strings.Contains(ask.Text, "second plan") {
			t.Errorf("asked %q", ask.Text)
		}
		w.Answer(ask, rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "carried out")
		w.Verify()
	}},
	{"a child's end is no plan, and a run that left plan mode has none", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.modal()
		w.Begin()
		root := with(inMode(rein.ModePlan, "go"), flows.Settings{Children: []rein.Task{inMode("", "edit"), askTask(rein.Question{})}})
		root.Flow = "family"
		w.Start("r1", root)
		question := w.UntilAsk("r1.2", 1)
		w.mode("r1", rein.ModeAsk)
		w.Answer(question, rein.AskAnswered, "blue")
		w.WantEnd("r1", rein.EndDone, "done edit refused,done answered blue by ann")
		w.Verify()
	}},
}
