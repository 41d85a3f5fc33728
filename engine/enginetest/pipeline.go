package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/engine"
	"rein/engine/enginetest/flows"
)

// pipeline is about what happens to a call on its way to its tool, and to the result on its way back.
//
// Covers: TAB-B8 TAB-B9 LAW-9 ENG-1 ENG-8 ENG-42 HUM-40 HUM-42 HUM-71 SD-12 SD-20 SD-33
var pipeline = slices.Concat(permits, mends, approvals, results)

// play makes a world, runs the flow loop with the given tools and returns the world at its end.
func (w *World) loop(tools ...string) {
	w.Helper()
	w.Begin()
	w.Start("r1", task("loop", "go", tools...))
}

// result returns what became of the nth call of a run, counted from 1.
func (w *World) result(run rein.RunID, nth int) rein.StepEnd {
	w.Helper()
	n := 0
	for _, e := range w.Events(run) {
		if e.Kind != rein.StepDone {
			continue
		}
		end, err := rein.Payload[rein.StepEnd](e)
		if err != nil || end.Result == nil {
			continue
		}
		if n++; n == nth {
			return end
		}
	}
	w.Fatalf("run %s has no result %d", run, nth)
	return rein.StepEnd{}
}

// wantResult compares the status of a call and a part of its text.
func (w *World) wantResult(nth int, status rein.ToolStatus, text string) rein.StepEnd {
	w.Helper()
	end := w.result("r1", nth)
	if end.Result.Status != status || !strings.Contains(end.Result.Text, text) {
		w.Errorf("call %d: %s %q, want %s %q", nth, end.Result.Status, end.Result.Text, status, text)
	}
	return end
}

var permits = []test{
	{"an unknown tool is refused and the loop goes on", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nwrong-tool echos {}\nturn 2\nsay over")
		w.loop("echo")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, `there is no tool "echos"; did you mean "echo"?; there is: echo`)
		w.WantCalls(2, "")
	}},
	{"a tool that is not the run's is refused", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nwrong-tool send {}\nturn 2\nsay over")
		w.loop("echo")
		w.WantEnd("r1", rein.EndDone, "over")
		end := w.wantResult(1, rein.ToolRefused, `tool "send" is not allowed here`)
		if end.Call == nil || end.Call.Name != "send" || string(end.Call.Args) != "{}" {
			t.Errorf("the log does not say which call was over before it began: %+v", end.Call)
		}
		w.WantCalls(2, "")
	}},
	{"a tool that the prompt did not offer is refused", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nwrong-tool send {}\nturn 2\nsay over")
		w.Tweak = func(o *engine.Options) { o.Flows["loop"] = rein.Flow{Do: flows.Shy} }
		w.loop("echo", "send")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, `tool "send" was not offered; there is: echo`)
		w.WantCalls(2, "")
	}},
	{"a denied tool is neither offered nor run", func(t *testing.T, world func(string) *World) {
		w := world("when offered=send\nsay it is offered\nturn 1\nwrong-tool send {}\nturn 2\nsay over")
		w.Begin()
		denied := task("loop", "go", "echo", "send")
		denied.Policy.Deny = []string{"send"}
		w.Start("r1", denied)
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, `tool "send" is denied by the policy`)
		w.WantCalls(2, "")
	}},
	{"a name in the model's own spelling is guessed, and for an unsafe tool asked about", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nwrong-tool functions.Echo {}\nwrong-tool SEND {}\nturn 2\nsay over")
		w.loop("echo", "send")
		ask := w.UntilAsk("r1", 1)
		if ask.Kind != rein.AskApproval || ask.Call.Name != "send" || !strings.Contains(ask.Text, "guessed") {
			t.Errorf("ask %+v", ask)
		}
		w.Answer(ask, rein.AskRejected, "")
		w.WantEnd("r1", rein.EndDone, "over")
		if end := w.wantResult(1, rein.ToolOK, "echo"); end.Result.Mended != "name" {
			t.Errorf("it is not marked: %+v", end.Result)
		}
		w.WantCalls(2, "echo=1")
	}},
	{"a policy that names no tool is an error", func(t *testing.T, world func(string) *World) {
		w := world(sayHello)
		w.Begin()
		wrong := task("once", "go", "echo")
		wrong.Policy.Allow = []string{"ecko"}
		_, err := w.Engine.Start(context.Background(), "r1", wrong)
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), `"ecko"`) {
			t.Errorf("started with %v", err)
		}
	}},
	{"children have their parent's policy", func(t *testing.T, world func(string) *World) {
		w := world("when run=r1.* turn=1\nwrong-tool send {}\nwhen\nsay over")
		w.Begin()
		parent := family(task("loop", "go", "echo", "send"))
		parent.Tools = []string{"echo", "send"}
		parent.Policy.Deny = []string{"send"}
		w.Start("r1", parent)
		w.WantEnd("r1", rein.EndDone, "done over")
		w.WantCalls(2, "")
	}},
	{"the live policy may only be stricter", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall deploy {}\nturn 2\ncall deploy {}\nwhen run=r1 turn=3\ncall send {}\nwhen turn=3\nwrong-tool send {}\nturn 4\nsay over")
		w.Tools.Hold("deploy")
		w.Begin()
		allowed := task("loop", "go", "deploy", "send")
		allowed.Policy.Allow = []string{"deploy"}
		w.Start("r1", allowed)
		w.Tools.Started(w) // nobody was asked
		w.Tools.Release()
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(4, "deploy=2 send=1")

		w.Tweak = func(o *engine.Options) { o.Policy = rein.Policy{Ask: []string{"deploy"}, Deny: []string{"send"}} }
		w.Restart()
		w.Start("r2", allowed)
		w.Answer(w.UntilAsk("r2", 1), rein.AskApproved, "")
		w.Answer(w.UntilAsk("r2", 2), rein.AskRejected, "enough")
		w.WantEnd("r2", rein.EndDone, "over")
		if got := w.result("r2", 3).Result; got.Status != rein.ToolRefused || !strings.Contains(got.Text, "denied") {
			t.Errorf("send: %+v", got)
		}
		w.WantCalls(8, "deploy=3 send=1")
	}},
	{"a run under way heeds a policy that became stricter", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall question {\"text\":\"Now?\"}\nturn 2\nwrong-tool deploy {}\nturn 3\nsay over")
		w.Begin()
		allowed := task("loop", "go", "question", "deploy")
		allowed.Policy.Allow = []string{"deploy"}
		w.Start("r1", allowed)
		question := w.UntilAsk("r1", 1)
		w.Tweak = func(o *engine.Options) { o.Policy = rein.Policy{Deny: []string{"deploy"}} }
		w.Restart()
		w.Answer(question, rein.AskAnswered, "yes")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(2, rein.ToolRefused, `tool "deploy" is denied by the policy`)
		w.WantCalls(3, "")
	}},
	{"a result can be cited for what its tool says, and for nothing by default", func(t *testing.T, world func(string) *World) {
		for says, want := range map[rein.Evidence]rein.Evidence{"": rein.EvidenceNone, rein.EvidenceNote: rein.EvidenceNote, rein.EvidenceUnsaid: ""} {
			w := world(callOnce("echo"))
			w.Tweak = change("echo", func(tool *rein.Tool) {
				tool.Do = func(context.Context, rein.Invocation) (rein.Done, error) {
					return rein.Done{Text: "text", Data: []byte(`{"text":"x"}`), Evidence: says}, nil
				}
			})
			w.loop("echo")
			w.End("r1")
			if end := w.wantResult(1, rein.ToolOK, "text"); end.Result.Evidence != want {
				t.Errorf("%q is recorded as %q", says, end.Result.Evidence)
			}
			w.stop()
		}
	}},
	{"what the process asks and denies is frozen with a policy of the task's own", func(t *testing.T, world func(string) *World) {
		w := world("when run=r1.* turn=1\ncall add {}\nwhen run=r1.* turn=2\nwrong-tool send {}\nwhen\nsay over")
		w.Tweak = func(o *engine.Options) {
			o.Policy = rein.Policy{Ask: []string{"add"}, Deny: []string{"send"}}
		}
		w.Begin()
		parent := family(task("loop", "go", "add", "send", "echo"))
		parent.Tools = []string{"add", "send", "echo"}
		parent.Policy = rein.Policy{Allow: []string{"add"}, Ask: []string{"echo"}}
		w.Start("r1", parent)
		ask := w.UntilAsk("r1.1", 1) // the child has no more than its parent
		w.Tweak = nil
		w.Restart() // with a process that asks for nothing
		w.Answer(ask, rein.AskRejected, "")
		w.WantEnd("r1", rein.EndDone, "done over")
		w.WantCalls(3, "")
		for _, run := range []rein.RunID{"r1", "r1.1"} {
			if got := w.frozen(run); !slices.Equal(got.Ask, []string{"add", "echo"}) || !slices.Equal(got.Deny, []string{"send"}) || len(got.Allow) > 0 {
				t.Errorf("the policy of %s is %+v", run, got)
			}
		}
	}},
}

// frozen returns the policy that a run was started with.
func (w *World) frozen(run rein.RunID) rein.Policy {
	w.Helper()
	start, err := rein.Payload[rein.RunStart](w.Events(run)[0])
	if err != nil {
		w.Fatal(err)
	}
	return start.Task.Policy
}

var mends = []test{
	{"arguments are mended by rule", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nmalformed look `{n: 1,}`\ncall look {\"n\":\"2\"}\nturn 2\nsay over")
		w.loop("look")
		w.WantEnd("r1", rein.EndDone, "over")
		first, second := w.wantResult(1, rein.ToolOK, `look {"n":1}`), w.wantResult(2, rein.ToolOK, `look {"n":2}`)
		if first.Result.Mended != "tolerant" || second.Result.Mended != "coerced" {
			t.Errorf("marked as %q and %q", first.Result.Mended, second.Result.Mended)
		}
		w.WantCalls(2, "look=2") // by rule is free
		w.Verify()
	}},
	{"arguments are mended by the model, once", func(t *testing.T, world func(string) *World) {
		w := world("when phase=repair step=*.repair any~one\nsay {\"n\": 1}\nturn 1\ncall look {\"n\":\"one\"}\nturn 2\nsay over")
		w.loop("look")
		w.WantEnd("r1", rein.EndDone, "over")
		if end := w.wantResult(1, rein.ToolOK, `look {"n":1}`); end.Result.Mended != "model" {
			t.Errorf("marked as %q", end.Result.Mended)
		}
		w.WantCalls(3, "look=1")
		if n := count(w.Events("r1"), rein.SubStarted, rein.SubDone); n != 2 {
			t.Errorf("%d events of the repair", n)
		}
		w.Verify()
	}},
	{"arguments that cannot be mended are a result", func(t *testing.T, world func(string) *World) {
		w := world("when phase=repair\nsay I cannot.\nturn 1\ncall look {\"n\":\"one\"}\nturn 2 tool~\"/n\"\nsay over")
		w.loop("look")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, "/n")
		w.WantCalls(3, "")
	}},
	{"a repair that fails or cannot be paid is a result", func(t *testing.T, world func(string) *World) {
		w := world("when phase=repair\nfail provider \"503\"\nturn 1\nmalformed look `[`\nturn 2\nsay over")
		w.loop("look")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolRefused, "look")
	}},
	{"a guess is not executed by an unsafe tool without a person", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nmalformed write `{path: \"a\", text: \"x\"`\nmalformed write `{path: \"b\", text: \"y\"`\nturn 2\nsay over")
		w.Begin()
		allowed := task("loop", "go", "write")
		allowed.Policy.Allow = []string{"write"} // even so
		w.Start("r1", allowed)
		first := w.UntilAsk("r1", 1)
		if first.Kind != rein.AskApproval || !strings.Contains(first.Text, "guessed") || string(first.Call.Args) != `{"path":"a","text":"x"}` {
			t.Errorf("ask %+v", first)
		}
		w.Restart()
		w.Answer(first, rein.AskApproved, "")
		w.Answer(w.UntilAsk("r1", 2), rein.AskRejected, "")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, `"path":"a"`)
		w.wantResult(2, rein.ToolRefused, "refused")
		w.WantCalls(2, "write=1")
		w.Verify()
	}},
	{"trusted fields are the task's, whatever the model wrote", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall write {\"path\":\"a\",\"text\":\"x\",\"user\":\"eve\"}\nturn 2\nsay over")
		w.Begin()
		mine := task("loop", "go", "write")
		mine.User, mine.Policy.Allow = "bob", []string{"write"}
		w.Start("r1", mine)
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, `"user":"bob"`)
	}},
	{"a third call that changes nothing is refused", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall look {\"n\":1}\ncall look {\"n\":1}\ncall look {\"n\":2}\ncall look {\"n\":1}\nturn 2\nsay over")
		w.loop("look")
		w.WantEnd("r1", rein.EndDone, "over")
		for nth, want := range map[int]rein.ToolStatus{2: rein.ToolOK, 3: rein.ToolOK, 4: rein.ToolRefused} {
			w.wantResult(nth, want, "")
		}
		w.wantResult(4, rein.ToolRefused, "same")
		w.WantCalls(2, "look=3")
	}},
	{"a fourth one lets the run only close", func(t *testing.T, world func(string) *World) {
		w := world("when phase=closing\nsay that is all\nwhen\ncall look {\"n\":1}")
		w.Tweak = func(o *engine.Options) { o.Flows["loop"] = rein.Flow{Do: closingLoop} }
		w.loop("look")
		w.WantEnd("r1", rein.EndLimit, "that is all")
		w.wantResult(3, rein.ToolRefused, "same")
		w.wantResult(4, rein.ToolRefused, "No more calls")
		w.WantCalls(5, "look=2")
		if ledger, _ := w.Store.Ledger(context.Background(), "r1"); ledger.Used.Tokens >= ledger.Cap.Tokens {
			t.Errorf("the budget was spent: %+v", ledger)
		}
	}},
	{"polling is not a loop, nor are changing results", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall echo {}\ncall echo {}\ncall echo {}\ncall count {}\ncall count {}\ncall count {}\nturn 2\nsay over")
		w.loop("echo", "count")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "count=3 echo=3")
	}},
}

// closingLoop makes one call after the other, and closes when the run may only do that.
func closingLoop(run rein.Run, task rein.Task) (rein.Outcome, error) {
	talk := task.Messages
	for round := 1; ; round++ {
		p := rein.Prompt{About: rein.About{Phase: "act", Round: round}, Messages: talk, Tools: task.Tools}
		reply, err := run.CallModel(p)
		if errors.Is(err, rein.ErrBudget) {
			p.Tools, p.Closing, p.Phase = nil, true, "closing"
			reply, err = run.CallModel(p)
			return rein.Outcome{End: rein.EndLimit, Text: reply.Text}, err
		}
		if err != nil {
			return rein.Outcome{}, err
		}
		talk = append(talk, reply)
		for _, call := range reply.Calls {
			result, _ := run.CallTool(call)
			talk = append(talk, call.Answer(result))
		}
	}
}

// whileNobodyDrives writes commands to the store of a world that was stopped.
func (w *World) whileNobodyDrives(commands ...rein.Command) {
	w.Helper()
	s, err := w.Parts.Open(w.T, w.dir, w.committed)
	if err != nil {
		w.Fatal(err)
	}
	for _, c := range commands {
		if _, err := s.Command(context.Background(), c, time.Now()); err != nil {
			w.Error(err)
		}
	}
	if err := s.Close(); err != nil {
		w.Error(err)
	}
}

// wantCode sends a changed command and wants it to be refused.
func (w *World) wantCode(code rein.Code, c rein.Command, change func(*rein.Command)) {
	w.Helper()
	change(&c)
	if _, err := w.Engine.Command(context.Background(), c); rein.CodeOf(err) != code {
		w.Errorf("answer %+v: %v, want %s", c.Answer, err, code)
	}
}

// edit answers an approval with other arguments.
func edit(ask rein.Ask, args string) rein.Command {
	return ask.Reply(rein.Answer{State: rein.AskEdited, Args: json.RawMessage(args), By: "ann"})
}

var approvals = []test{
	{"an answer is to one ask and to what it shows", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall write {\"path\":\"a\",\"text\":\"x\"}\nturn 2\ncall write {\"path\":\"a\",\"text\":\"y\"}\nturn 3\nsay over")
		w.loop("write")
		first := w.UntilAsk("r1", 1)
		yes := first.Reply(rein.Answer{State: rein.AskApproved, By: "ann"})
		w.wantCode(rein.CodeInvalid, yes, func(c *rein.Command) { c.Answer.Shown = "" })
		w.wantCode(rein.CodeInvalid, yes, func(c *rein.Command) {
			c.Answer.State, c.Answer.Args = rein.AskEdited, []byte(`{"n":1,"n":2}`)
		})
		w.wantCode(rein.CodeConflict, yes, func(c *rein.Command) { c.Answer.Shown += "0" })
		w.Send(yes)
		second := w.UntilAsk("r1", 2)
		if !strings.HasPrefix(first.Shown, rein.ShownMark) || first.Shown == second.Shown {
			t.Errorf("what is shown: %q, then %q", first.Shown, second.Shown)
		}
		// The same yes again, whichever way, never reaches the next call.
		w.wantCode(rein.CodeClosed, yes, func(*rein.Command) {})
		w.wantCode(rein.CodeClosed, yes, func(c *rein.Command) { c.Key = "another" })
		w.wantCode(rein.CodeConflict, yes, func(c *rein.Command) { c.Ask = second.ID })
		w.wantCode(rein.CodeInvalid, yes, func(c *rein.Command) { c.Ask, c.Answer.Shown = second.ID, "" })
		w.Answer(second, rein.AskRejected, "")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(3, "write=1")
		w.Verify()
	}},
	{"edited arguments are checked before the answer is accepted", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall write {\"path\":\"a\",\"text\":\"x\"}\nturn 2\nsay over")
		w.loop("write")
		ask := w.UntilAsk("r1", 1)
		for _, wrong := range []string{`{"path":7,"text":"x"}`, `{"path":"a"}`, `[]`, `{"path":"a","text":"x","more":1}`} {
			_, err := w.Engine.Command(context.Background(), edit(ask, wrong))
			if rein.CodeOf(err) != rein.CodeInvalid {
				t.Errorf("%s was taken: %v", wrong, err)
			}
		}
		if open, err := w.Store.Ask(context.Background(), ask.ID); err != nil || open.State != rein.AskPending {
			t.Fatalf("the ask is %s (%v)", open.State, err)
		}
		w.Restart()
		w.Send(edit(ask, `{"path":"b","text":"y"}`))
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, `write {"path":"b","text":"y","user":"owner"}`) // the trusted field is back
		w.WantCalls(2, "write=1")
		w.Verify()
	}},
	{"an approval is void if the tool has changed", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall write {\"path\":\"a\",\"text\":\"x\"}\nturn 2\nsay over")
		w.loop("write")
		first := w.UntilAsk("r1", 1)
		w.Tweak = func(o *engine.Options) {
			tool := o.Worker.Tools["write"]
			tool.Schema = json.RawMessage(strings.Replace(string(tool.Schema), `"path"`, `"mode":{"type":"string"},"path"`, 1))
			o.Worker.Tools["write"] = tool
		}
		w.Restart()
		w.Answer(first, rein.AskApproved, "")
		second := w.UntilAsk("r1", 2)
		if second.ID == first.ID || second.Shown == first.Shown {
			t.Errorf("asked again as %+v", second)
		}
		w.WantCalls(1, "")
		w.Restart()
		w.Answer(second, rein.AskApproved, "")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "write=1")
		w.Verify()
	}},
	{"an approval is of the text that was shown", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall write {\"path\":\"a\",\"text\":\"x\"}\nturn 2\nsay over")
		shows := func(text string) func(*engine.Options) {
			return func(o *engine.Options) {
				tool := o.Worker.Tools["write"]
				tool.Show = showing(text)
				o.Worker.Tools["write"] = tool
			}
		}
		w.Tweak = shows("a: + x")
		w.loop("write")
		first := w.UntilAsk("r1", 1)
		if !strings.Contains(first.Text, "a: + x") {
			t.Errorf("shown: %q", first.Text)
		}
		w.Tweak = shows("a: - everything + x")
		w.Restart()
		w.Answer(first, rein.AskApproved, "")
		w.Answer(w.UntilAsk("r1", 2), rein.AskRejected, "not that")
		w.WantEnd("r1", rein.EndDone, "over")
		w.WantCalls(2, "")
	}},
	{"an approval that nobody gives is no answer", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall deploy {}\nturn 2\nsay over")
		w.Begin()
		hasty := task("loop", "go", "deploy")
		hasty.Policy.Timeout = 20 * time.Millisecond
		w.Start("r1", hasty)
		w.WantEnd("r1", rein.EndDone, "over")
		if end := w.wantResult(1, rein.ToolRefused, "no answer"); strings.Contains(end.Result.Text, "the user refused") {
			t.Errorf("it is told as a refusal: %q", end.Result.Text)
		}
		w.WantCalls(2, "")
	}},
	{"an approval that nobody gives can stop the run", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall deploy {}\nturn 2\nsay over")
		w.Begin()
		hasty := task("loop", "go", "deploy")
		hasty.Policy.Timeout, hasty.Policy.OnExpiry = 20*time.Millisecond, rein.ExpiryStop
		w.Start("r1", hasty)
		if end := w.End("r1"); end.End != rein.EndStopped {
			t.Errorf("ended as %s", end.End)
		}
		w.wantResult(1, rein.ToolSkipped, "")
	}},
	{"a call that is not approved costs nothing", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall deploy {}\nturn 2\nsay over")
		w.loop("deploy")
		ask := w.UntilAsk("r1", 1)
		if ledger, err := w.Store.Ledger(context.Background(), "r1"); err != nil || ledger.Used.ToolCalls > 1 { // one is held ahead
			t.Errorf("while it waits: %+v %v", ledger.Used, err)
		}
		w.Answer(ask, rein.AskRejected, "")
		w.WantEnd("r1", rein.EndDone, "over")
		if ledger, err := w.Store.Ledger(context.Background(), "r1"); err != nil || ledger.Used.ToolCalls != 0 {
			t.Errorf("used %+v %v", ledger.Used, err)
		}
		w.Verify()
	}},
	{"a question tool asks a person, also across a restart", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall question {\"text\":\"Which?\"}\ncall question {\"text\":\"\"}\nturn 2\nsay over")
		w.loop("question")
		ask := w.UntilAsk("r1", 1)
		if ask.Kind != rein.AskQuestion || ask.Text != "Which?" {
			t.Errorf("ask %+v", ask)
		}
		w.Restart()
		w.Answer(ask, rein.AskAnswered, "the blue one")
		w.WantEnd("r1", rein.EndDone, "over")
		if end := w.wantResult(1, rein.ToolOK, "the blue one"); !end.Result.FromPerson || end.Result.Evidence != rein.EvidenceNone {
			t.Error("nobody knows that a person said it")
		}
		w.wantResult(2, rein.ToolFailed, "text")
		w.Verify()
	}},
	{"an answer to a question tool counts, whatever came after it", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall question {\"text\":\"Which?\"}\nturn 2\nsay over")
		w.loop("question")
		ask := w.UntilAsk("r1", 1)
		w.stop()
		w.whileNobodyDrives(
			ask.Reply(rein.Answer{State: rein.AskAnswered, Text: "blue", By: "ann"}),
			rein.Command{Kind: rein.CommandModify, Run: "r1", By: "ann", Text: "red"},
		)
		w.Begin()
		w.End("r1")
		w.wantResult(1, rein.ToolOK, "blue")
	}},
	{"declined, expired and stopped questions are results", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall question {\"text\":\"Which?\"}\ncall question {\"text\":\"Quick?\",\"ms\":20}\ncall question {\"text\":\"Last?\"}\nturn 2\nsay over")
		w.loop("question")
		w.Answer(w.UntilAsk("r1", 1), rein.AskDeclined, "no idea")
		w.UntilAsk("r1", 3)
		w.Send(rein.Command{Kind: rein.CommandStop, Run: "r1"})
		w.End("r1")
		w.wantResult(1, rein.ToolRefused, "does not want to answer: no idea")
		w.wantResult(2, rein.ToolTimeout, "no answer")
		w.wantResult(3, rein.ToolSkipped, "")
		w.Verify()
	}},
}

var results = []test{
	{"an internal read is for flows, and is neither counted nor clipped", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\nwrong-tool recall {}\nturn 2\nsay over")
		w.Tweak = func(o *engine.Options) {
			o.Flows["loop"] = rein.Flow{Do: func(run rein.Run, task rein.Task) (rein.Outcome, error) {
				for _, name := range []string{"recall", "echo", "nothing"} {
					result, err := run.CallTool(rein.ToolCall{ID: name, Name: name, Internal: true})
					if err != nil || (name == "recall") != (result.Status == rein.ToolOK && result.Text == longText() && result.Handle == "") {
						return rein.Outcome{}, fmt.Errorf("%s: %s %.40q %w", name, result.Status, result.Text, err)
					}
				}
				return flows.Loop(run, task)
			}}
		}
		w.loop("echo", "recall")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(4, rein.ToolRefused, `tool "recall"`)
		if ledger, err := w.Store.Ledger(context.Background(), "r1"); err != nil || ledger.Used.ToolCalls != 0 {
			t.Errorf("counted: %+v %v", ledger.Used, err)
		}
		w.Verify()
	}},
	{"a long result is clipped and can be read whole", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall long {}\nturn 2\nsay over")
		w.loop("long", "read_result")
		w.WantEnd("r1", rein.EndDone, "over")
		end := w.wantResult(1, rein.ToolOK, "read_result")
		if n := len(end.Result.Text); n > 16_000 || !strings.HasPrefix(end.Result.Text, "line 0\n") || !strings.Contains(end.Result.Text, "line 19999") {
			t.Errorf("%d bytes: %.100q", n, end.Result.Text)
		}
		whole, err := w.Engine.Whole(context.Background(), "r1", end.Result.Handle)
		if err != nil || whole != longText() {
			t.Errorf("the whole has %d bytes of %d (%v)", len(whole), len(longText()), err)
		}
		w.Start("r2", task("once", "go"))
		w.End("r2")
		for _, handle := range []string{end.Result.Handle, "r1:77", "r9:1", "nonsense", ""} {
			if _, err := w.Engine.Whole(context.Background(), "r2", handle); err == nil {
				t.Errorf("another session reads %q", handle)
			}
		}
		w.Verify()
	}},
	{"a short result is not clipped", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall echo {}\nturn 2\nsay over")
		w.loop("echo")
		w.WantEnd("r1", rein.EndDone, "over")
		if end := w.result("r1", 1); end.Whole != "" || end.Result.Handle != "" {
			t.Errorf("clipped: %+v", end)
		}
	}},
	{"secrets do not reach the log", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall leak {}\ncall leak {\"fail\":true}\nturn 2\nsay over")
		w.loop("leak")
		w.WantEnd("r1", rein.EndDone, "over")
		w.wantResult(1, rein.ToolOK, "[redacted")
		w.wantResult(2, rein.ToolFailed, "[redacted")
		for _, e := range w.Events("r1") {
			if strings.Contains(string(e.Data), secret) {
				t.Errorf("event %d holds the secret: %s", e.Seq, e.Data)
			}
		}
		for _, c := range w.Model.Calls() {
			if strings.Contains(fmt.Sprint(c.Request), secret) {
				t.Error("the model was shown the secret")
			}
		}
	}},
	{"what may not be seen is withheld", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall leak {}\nturn 2\nsay over")
		w.Tweak = blockTokens(t)
		w.loop("leak")
		w.WantEnd("r1", rein.EndDone, "over")
		if end := w.wantResult(1, rein.ToolOK, "withheld"); end.Result.Data != nil || len(end.Redacted) == 0 {
			t.Errorf("%+v", end)
		}
	}},
	{"outside text is quoted for the model, a person's is not", func(t *testing.T, world func(string) *World) {
		w := world("turn 1\ncall echo {}\ncall question {\"text\":\"Which?\"}\nturn 2\nsay over")
		w.loop("echo", "question")
		w.Answer(w.UntilAsk("r1", 1), rein.AskAnswered, "the blue one")
		w.WantEnd("r1", rein.EndDone, "over")
		calls := w.Model.Calls()
		messages := calls[len(calls)-1].Request.Messages
		n := len(messages)
		if got := messages[n-2].Text; !strings.Contains(got, "<untrusted") {
			t.Errorf("the tool's result is %q", got)
		}
		if got := messages[n-1].Text; got != "the blue one" {
			t.Errorf("the person's answer is %q", got)
		}
	}},
}
