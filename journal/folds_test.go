package journal_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/journal"
)

// A tale makes the events of logs.
type tale struct {
	t   *testing.T
	seq int64
}

var noon = time.Date(2026, 11, 15, 12, 0, 0, 0, time.UTC)

func (w *tale) event(run rein.RunID, kind rein.Kind, step rein.StepKey, payload any) rein.Event {
	w.t.Helper()
	data, err := json.Marshal(payload)
	if err != nil {
		w.t.Fatal(err)
	}
	w.seq++
	return rein.Event{Run: run, Seq: w.seq, At: noon.Add(time.Duration(w.seq) * time.Second), Kind: kind, Step: step, Data: data}
}

func TestStepOfManyEvents(t *testing.T) {
	w := &tale{t: t}
	var steps journal.Steps
	bound := rein.Amount{Tokens: 100, Rounds: 1}
	for _, e := range []rein.Event{
		w.event("r", rein.SubStarted, "1.compact", rein.StepStart{Verb: rein.VerbModel, Prompt: &rein.PromptRecord{}}),
		w.event("r", rein.SubDone, "1.compact", rein.StepEnd{Usage: &rein.Usage{Input: 5}}),
		w.event("r", rein.StepWaiting, "1", rein.Waiting{Sig: "model decide big", Why: "its turn"}),
		w.event("r", rein.StepStarted, "1", rein.StepStart{Verb: rein.VerbModel, About: rein.About{Phase: "decide"}, Bound: bound, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Model: "big", Stream: true}}}),
		w.event("r", rein.StepWaiting, "1", rein.Waiting{Failure: &rein.Failure{Code: rein.CodeOverloaded}, Model: "small", Usage: &rein.Usage{Input: 7}}),
	} {
		steps.See(e)
	}
	s := steps.Find("r", "1")
	if s == nil || s.Verb != rein.VerbModel || s.Phase != "decide" || s.Model != "small" || s.Waiting == nil || s.Bound != (rein.Amount{}) || s.Attempts != 1 || !s.Streams() {
		t.Fatalf("while it waits: %+v", s)
	}
	if !s.Began.Equal(noon.Add(3 * time.Second)) {
		t.Errorf("it began at %s", s.Began)
	}
	steps.See(w.event("r", rein.StepAttempt, "1", rein.Attempt{N: 2, Bound: bound}))
	if s.Attempts != 2 || s.Bound != bound || s.Waiting != nil {
		t.Errorf("when it is tried again: %+v", s)
	}
	over := steps.See(w.event("r", rein.StepDone, "1", rein.StepEnd{Message: &rein.Message{Text: "Hi."}, Usage: &rein.Usage{Input: 1, Output: 2}}))
	if over != s || s.End == nil || s.Usage != (rein.Usage{Input: 8, Output: 2}) || s.Bound != (rein.Amount{}) {
		t.Errorf("at its end: %+v", over)
	}
	if len(steps.Open()) != 0 || steps.Find("r", "1") != nil {
		t.Errorf("still under way: %v", steps.Open())
	}
}

// A call is what was sent, under the name of the tool that was called.
func TestCallOfAStep(t *testing.T) {
	w := &tale{t: t}
	var steps journal.Steps
	call := &rein.ToolCall{ID: "a", Name: "sned", Args: json.RawMessage(`{"to":1}`)}
	s := steps.See(w.event("r", rein.StepStarted, "2.1.3", rein.StepStart{Verb: rein.VerbTool, Call: call, Mend: rein.Mend{Tool: "send"}}))
	if s.Tool != "send" || string(s.Args()) != `{"to":1}` || s.Call().Name != "sned" || s.Attempts != 0 {
		t.Errorf("begun: %+v", s)
	}
	steps.See(w.event("r", rein.AskOpened, "2.1.3.ask", rein.Ask{ID: "r:2.1.3.ask"}))
	steps.See(w.event("r", rein.StepAttempt, "2.1.3", rein.Attempt{N: 1, Mend: rein.Mend{Args: json.RawMessage(`{"to":2}`)}}))
	if s.Tool != "send" || string(s.Args()) != `{"to":2}` || len(s.Asks) != 1 {
		t.Errorf("edited: %+v", s)
	}
	steps.See(w.event("r", rein.StepIntent, "2.1.3.intent", rein.Intent{Args: json.RawMessage(`{"to":3}`)}))
	steps.See(w.event("r", rein.StepChecked, "2.1.3.check", rein.Checked{State: rein.CheckHappened}))
	if string(s.Args()) != `{"to":3}` || s.Checked == nil || len(steps.Open()) != 1 {
		t.Errorf("sent: %+v", s)
	}
}

// Steps that were over as soon as they began say what they were, also in logs of older programs.
func TestStepsWithoutStart(t *testing.T) {
	w := &tale{t: t}
	for _, c := range []struct {
		end   rein.StepEnd
		verb  rein.Verb
		tool  string
		child rein.RunID
	}{
		{rein.StepEnd{Sig: "tool act rm 00", Result: &rein.ToolResult{}}, rein.VerbTool, "rm", ""},
		{rein.StepEnd{Sig: "tool act rm 00", Verb: rein.VerbTool, Tool: "rm"}, rein.VerbTool, "rm", ""},
		{rein.StepEnd{Sig: "wait r.4", Outcome: &rein.Outcome{}}, rein.VerbWait, "", "r.4"},
		{rein.StepEnd{Sig: "spawn operate", Child: "r.4"}, rein.VerbSpawn, "", "r.4"},
		{rein.StepEnd{Sig: "inbox"}, rein.VerbInbox, "", ""},
	} {
		c.end.Duration = time.Second
		e := w.event("r", rein.StepDone, "1", c.end)
		s := new(journal.Steps).See(e)
		if s.Verb != c.verb || s.Tool != c.tool || s.Child != c.child || s.Start != nil || s.Ended.Sub(s.Began) != time.Second {
			t.Errorf("%+v: read as %+v", c.end, s)
		}
	}
}

// Asks of a tree close by an answer, time, a change, an end, and each only in its own run. In a run that
// is ending nobody is asked.
func TestAsksOfATree(t *testing.T) {
	w := &tale{t: t}
	var asks journal.Asks
	open := func(run rein.RunID, step rein.StepKey) []rein.Ask {
		return asks.See(w.event(run, rein.AskOpened, step, rein.Ask{ID: rein.NewAskID(run, step), Kind: rein.AskQuestion}))
	}
	send := func(c rein.Command) []rein.Ask {
		e := w.event(c.Run, c.Kind.EventKind(), "", c)
		e.By = c.By
		return asks.See(e)
	}
	states := func(list []rein.Ask) (all []string) {
		for _, a := range list {
			all = append(all, string(a.ID)+" "+string(a.State)+" "+a.Answer.By)
		}
		return all
	}
	for _, c := range []struct {
		got  []rein.Ask
		want []string
	}{
		{open("r", "1.ask"), []string{"r:1.ask pending "}},
		{open("r.2", "1.ask"), []string{"r.2:1.ask pending "}},
		{send(rein.Command{Kind: rein.CommandAnswer, Run: "r", Ask: "r:1.ask", By: "ann", Answer: rein.Answer{State: rein.AskAnswered, By: "ann"}}), []string{"r:1.ask answered ann"}},
		{send(rein.Command{Kind: rein.CommandAnswer, Run: "r", Ask: "r:1.ask"}), nil},
		{open("r", "2.ask"), []string{"r:2.ask pending "}},
		{send(rein.Command{Kind: rein.CommandExpire, Run: "r", Ask: "r:2.ask", By: "system"}), []string{"r:2.ask expired system"}},
		{send(rein.Command{Kind: rein.CommandModify, Run: "r", By: "bob"}), nil},
		{send(rein.Command{Kind: rein.CommandModify, Run: "r.2", By: "bob"}), []string{"r.2:1.ask withdrawn bob"}},
		{open("r", "3.ask"), []string{"r:3.ask pending "}},
		{send(rein.Command{Kind: rein.CommandStop, Run: "r", By: "bob"}), []string{"r:3.ask withdrawn bob"}},
		{open("r", "4.ask"), []string{"r:4.ask withdrawn "}},
		{open("r.2", "4.ask"), []string{"r.2:4.ask pending "}},
		{asks.See(w.event("r.2", rein.RunFailed, "", rein.RunEnd{})), []string{"r.2:4.ask withdrawn "}},
	} {
		if d := cmp.Diff(c.want, states(c.got)); d != "" {
			t.Errorf("want -, got +:\n%s", d)
		}
	}
	if left := asks.Open(); len(left) > 0 {
		t.Errorf("still open: %v", left)
	}
}

// What is only reserved is not what was paid: what a run holds is neither spent nor given back. Model
// calls inside steps hold too.
//
// Covers: ENG-56
func TestHeld(t *testing.T) {
	w := &tale{t: t}
	tokens := func(n int64) rein.Amount { return rein.Amount{Tokens: n, Rounds: 1} }
	var held journal.Held
	for _, c := range []struct {
		e     rein.Event
		spend int64
		want  int64
	}{
		{w.event("r", rein.RunStarted, "", rein.RunStart{Reserve: tokens(100)}), 100, 100},
		{w.event("r", rein.StepStarted, "1", rein.StepStart{Bound: tokens(30)}), 30, 130},
		{w.event("r", rein.StepRenewed, "1", rein.Renewed{Bound: tokens(40)}), 10, 140},
		{w.event("r", rein.StepDone, "1", rein.StepEnd{}), -20, 100},
		{w.event("r", rein.SubStarted, "2.compact", rein.StepStart{Bound: tokens(20)}), 20, 120},
		{w.event("r", rein.SubDone, "2.compact", rein.StepEnd{}), -5, 100},
		{w.event("r", rein.StepStarted, "2", rein.StepStart{Bound: tokens(50)}), 50, 150},
		{w.event("r", rein.StepAttempt, "2", rein.Attempt{Bound: tokens(40)}), 40, 140},         // the first 50 are lost
		{w.event("r", rein.StepWaiting, "2", rein.Waiting{Sig: "model"}), 0, 140},               // for its turn
		{w.event("r", rein.StepWaiting, "2", rein.Waiting{Failure: &rein.Failure{}}), -40, 100}, // before another try
		{w.event("r", rein.StepAttempt, "2", rein.Attempt{Bound: tokens(40)}), 40, 140},
		{w.event("r", rein.StepDone, "2", rein.StepEnd{}), -40, 100},
		{w.event("r", rein.StepStarted, "3", rein.StepStart{Bound: tokens(100)}), 0, 100}, // out of the reserve
		{w.event("r", rein.StepDone, "3", rein.StepEnd{}), -90, 0},
		{w.event("r", rein.StepStarted, "4", rein.StepStart{Bound: tokens(7)}), 7, 7},
		{w.event("r", rein.RunStopped, "", rein.RunEnd{}), 0, 0},
	} {
		c.e.Spend = rein.Amount{Tokens: c.spend}
		if held.See(c.e); held.Sum() != (rein.Amount{Tokens: c.want}) {
			t.Errorf("after event %d, %s: %+v, want %d tokens", c.e.Seq, c.e.Kind, held.Sum(), c.want)
		}
	}
}

// A transcript tells what people, models and tools said, in order.
func TestTranscript(t *testing.T) {
	w := &tale{t: t}
	var talk journal.Transcript
	var got []string
	for _, e := range []rein.Event{
		w.event("r", rein.RunStarted, "", rein.RunStart{Task: rein.Task{Messages: []rein.Message{{Role: rein.User, Text: "Tidy up."}}}}),
		w.event("r", rein.StepStarted, "1", rein.StepStart{Verb: rein.VerbTool, Call: &rein.ToolCall{ID: "h", Name: "history", Internal: true}}),
		w.event("r", rein.StepDone, "1", rein.StepEnd{Result: &rein.ToolResult{Text: "nothing"}}),
		w.event("r", rein.StepStarted, "2", rein.StepStart{Verb: rein.VerbModel, Prompt: &rein.PromptRecord{}}),
		w.event("r", rein.StepDone, "2", rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Text: "I ask."}}),
		w.event("r", rein.StepStarted, "3", rein.StepStart{Verb: rein.VerbTool, Call: &rein.ToolCall{ID: "a", Name: "rm"}}),
		w.event("r", rein.AskOpened, "3.ask", rein.Ask{ID: "r:3.ask", Text: "May it?"}),
		w.event("r", rein.CommandAnswer.EventKind(), "", rein.Command{Ask: "r:3.ask", Answer: rein.Answer{State: rein.AskApproved, Text: "Yes."}}),
		w.event("r", rein.StepDone, "3", rein.StepEnd{Result: &rein.ToolResult{Text: "gone"}}),
		w.event("r", rein.StepDone, "4", rein.StepEnd{Verb: rein.VerbInbox, Items: []rein.Item{{Text: "Hurry."}}}),
		w.event("r", rein.RunCompleted, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: "Done."}}),
	} {
		for _, s := range talk.See(e) {
			got = append(got, string(s.Role)+": "+s.Text)
		}
	}
	want := []string{"user: Tidy up.", "assistant: I ask.", "assistant: May it?", "user: Yes.", "tool: gone", "user: Hurry.", "assistant: Done."}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("want -, got +:\n%s", d)
	}
}

// No payload can break a fold: what cannot be read says nothing.
func FuzzRun(f *testing.F) {
	f.Add("step.done", "1", []byte(`{"items":[{}]}`))
	f.Add("ask.opened", "1.ask", []byte(`{}`))
	f.Add("command.answer", "", []byte(`{"ask":"r:1.ask"}`))
	f.Add("run.completed", "", []byte(``))
	f.Fuzz(func(t *testing.T, kind, step string, data []byte) {
		var run journal.Run
		for i, e := range []rein.Event{
			{Kind: rein.StepStarted, Step: "1"},
			{Kind: rein.Kind(kind), Step: rein.StepKey(step), Data: data},
			{Kind: rein.StepDone, Step: rein.StepKey(step), Data: data},
		} {
			e.Run, e.Seq = "r", int64(i+1)
			run.See(e)
		}
	})
}
