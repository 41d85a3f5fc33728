package timeline_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/journal/timeline"
)

// A log writes the events of a tree into a timeline.
type log struct {
	*testing.T
	*timeline.Timeline
	seq map[rein.RunID]int64
	at  time.Time
}

func begin(t *testing.T, task rein.Task) *log {
	l := &log{T: t, Timeline: timeline.New("r"), seq: map[rein.RunID]int64{}, at: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	l.event("r", rein.RunStarted, "", rein.RunStart{Task: task})
	return l
}

func ask(flow, text string) rein.Task {
	return rein.Task{Flow: flow, Messages: []rein.Message{{Role: rein.User, Text: text}}}
}

func (l *log) event(run rein.RunID, kind rein.Kind, step rein.StepKey, payload any) {
	l.Helper()
	data, err := json.Marshal(payload)
	if err != nil {
		l.Fatal(err)
	}
	l.seq[run]++
	l.at = l.at.Add(time.Second)
	if !l.Event(rein.Event{Run: run, Seq: l.seq[run], At: l.at, Kind: kind, Step: step, By: "ann", Data: data}) {
		l.Fatalf("event %d of run %s is not taken", l.seq[run], run)
	}
}

func (l *log) says(step rein.StepKey, offset int, text string) {
	l.Delta(rein.Delta{Run: "r", Step: step, Attempt: 1, Offset: offset, Text: text})
}

func (l *log) prompt(step rein.StepKey) {
	l.event("r", rein.StepStarted, step, rein.StepStart{Verb: rein.VerbModel, Bound: rein.Amount{Tokens: 1}, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}})
}

func (l *log) call(step rein.StepKey, name, args string) {
	l.event("r", rein.StepStarted, step, rein.StepStart{Verb: rein.VerbTool, Mend: rein.Mend{Tool: name}, Bound: rein.Amount{ToolCalls: 1}, Call: &rein.ToolCall{Name: name, Args: json.RawMessage(args)}})
}

// told is the timeline, an item a line.
func (l *log) told() string {
	var b strings.Builder
	for _, item := range l.Items {
		b.WriteString(line(item) + "\n")
	}
	return b.String()
}

func line(item timeline.Item) string {
	switch it := item.(type) {
	case *timeline.Person:
		return strings.TrimSpace(fmt.Sprintf("person %s: %s %s", it.Sub, it.Text, it.Receipt))
	case *timeline.Plan:
		return "plan: " + it.Text
	case *timeline.Model:
		return fmt.Sprintf("model: %q live=%t final=%t replaced=%t %s", it.Text, it.Live, it.Final, it.Replaced, it.Stopped)
	case *timeline.Phase:
		return fmt.Sprintf("phase: %q live=%t", it.Text, it.Live)
	case *timeline.Tool:
		return fmt.Sprintf("tool %s %s %q", it.Call.Tool, it.State, it.Output)
	case *timeline.Ask:
		return fmt.Sprintf("ask %s %s", it.Ask.ID, it.Ask.State)
	case *timeline.Child:
		return fmt.Sprintf("child %s %q %s", it.Child, it.Question, it.Status)
	case *timeline.Wait:
		return fmt.Sprintf("wait %q live=%t", it.Why, it.Live)
	case *timeline.Rein:
		return strings.TrimSpace(fmt.Sprintf("rein %s: %s %s", it.Sub, it.Text, it.Why))
	case *timeline.End:
		return fmt.Sprintf("end %s %q", it.End, it.Text)
	}
	return fmt.Sprintf("%T", item)
}

func (l *log) shows(want string) {
	l.Helper()
	if d := cmp.Diff(strings.TrimLeft(strings.ReplaceAll(want, "\t", ""), "\n"), l.told()); d != "" {
		l.Error(d)
	}
}

func (l *log) does(kind timeline.Activity, text string) {
	l.Helper()
	d, ok := l.Doing()
	if got := (timeline.Doing{Kind: d.Kind, Text: d.Text}); !ok || got != (timeline.Doing{Kind: kind, Text: text}) {
		l.Errorf("it does %+v (%t), not %s: %s", got, ok, kind, text)
	}
}

// Pieces come twice, late, and with a part that came before: each byte is shown once, in order.
func TestText(t *testing.T) {
	l := begin(t, ask("chat", "Hello?"))
	l.does(timeline.Starting, "starting")
	l.prompt("1")
	l.does(timeline.OnModel, "thinking")
	l.says("1", 0, "Good ")
	l.says("1", 0, "Good ")
	l.says("1", 3, "d mor")
	l.says("1", 8, "ning")
	l.says("2", 0, "Not this.")
	l.shows(`
		person task: Hello?
		model: "Good morning" live=true final=false replaced=false 
	`)
	l.event("r", rein.StepDone, "1", rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Text: "Good morning."}, Usage: &rein.Usage{Input: 3, Output: 4}})
	l.says("1", 12, " late")
	l.event("r", rein.RunCompleted, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: "Good morning."}})
	l.shows(`
		person task: Hello?
		model: "Good morning." live=false final=true replaced=false 
		end done ""
	`)
	if got := l.TreeUsage(); got.Input != 3 || got.Output != 4 {
		t.Errorf("usage is %+v", got)
	}
	if _, ok := l.Doing(); ok {
		t.Error("a run that has ended does something")
	}
}

// A text begins again with another attempt, and the wait before it is over then.
func TestAttempts(t *testing.T) {
	l := begin(t, ask("chat", "Hello?"))
	l.prompt("1")
	l.says("1", 0, "Half a")
	l.event("r", rein.StepWaiting, "1", rein.Waiting{Why: "openai answered 503", Usage: &rein.Usage{Input: 7}})
	l.does(timeline.OnWait, "waiting: openai answered 503")
	l.event("r", rein.StepAttempt, "1", rein.Attempt{N: 2})
	l.says("1", 6, " late")
	l.Delta(rein.Delta{Run: "r", Step: "1", Attempt: 2, Text: "Whole"})
	l.shows(`
		person task: Hello?
		wait "openai answered 503" live=false
		model: "Whole" live=true final=false replaced=false 
	`)
	if l.Usage.Input != 7 {
		t.Errorf("the first attempt is not in the usage: %+v", l.Usage)
	}
}

// A call that waits before its first try says what it says below the wait, and a text that was cut off makes room for the
// next one below the reason.
func TestWaitsComeBeforeWhatFollows(t *testing.T) {
	l := begin(t, ask("chat", "Hello?"))
	l.event("r", rein.StepStarted, "1", rein.StepStart{Verb: rein.VerbModel, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}})
	l.event("r", rein.StepWaiting, "1", rein.Waiting{Why: "too many requests"})
	l.event("r", rein.StepAttempt, "1", rein.Attempt{N: 1})
	l.says("1", 0, "Half a")
	l.event("r", rein.StepAttempt, "1", rein.Attempt{N: 2, Why: "the connection broke"})
	l.event("r", rein.StepDone, "1", rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Text: "Whole."}})
	l.shows(`
		person task: Hello?
		wait "too many requests" live=false
		rein attempt: trying again the connection broke
		model: "Whole." live=false final=true replaced=false 
	`)
}

// What a parked run says it waits for is why its model call is tried again, if it waits for nothing else.
func TestParkedRunSaysWhyItWaits(t *testing.T) {
	l := begin(t, ask("chat", "Hello?"))
	l.prompt("1")
	l.event("r", rein.StepWaiting, "1", rein.Waiting{Why: "too many requests"})
	l.event("r", rein.RunParked, "", rein.Parked{For: []string{"another try of a model call"}})
	l.does(timeline.OnWait, "waiting: too many requests")
	l.event("r", rein.StepAttempt, "1", rein.Attempt{N: 2})
	l.does(timeline.OnModel, "thinking")
	l.event("r", rein.RunParked, "", rein.Parked{For: []string{"an answer", "another try of a model call"}})
	l.does(timeline.OnParked, "waiting for an answer, another try of a model call")
}

// A call that was refused before it began is known with what the model wrote.
func TestRefusedCallIsKnown(t *testing.T) {
	l := begin(t, ask("operate", "Write."))
	call := rein.ToolCall{Name: "write_file", Args: json.RawMessage(`{"path":"a.md"}`)}
	l.event("r", rein.StepDone, "1", rein.StepEnd{Verb: rein.VerbTool, Tool: "write_file", Call: &call, Result: &rein.ToolResult{Status: rein.ToolRefused}})
	tool := l.Items[1].(*timeline.Tool)
	if wrote := tool.Call.Wrote(); wrote == nil || string(wrote.Args) != `{"path":"a.md"}` || string(tool.Call.Args()) != `{"path":"a.md"}` {
		t.Errorf("the call is %+v", wrote)
	}
}

// A reply that is all calls leaves nothing; a tool's output is shown while it runs, and no longer.
func TestTools(t *testing.T) {
	l := begin(t, ask("operate", "Look."))
	l.prompt("1")
	l.event("r", rein.StepDone, "1", rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{{Name: "execute_command"}}}})
	l.call("2", "execute_command", `{"command":"ls"}`)
	l.does(timeline.OnTool, "execute_command")
	l.Delta(rein.Delta{Run: "r", Step: "2", Attempt: 1, Text: "é" + strings.Repeat("x", 64<<10-1), Output: true})
	out := l.Items[1].(*timeline.Tool).Output
	if len(out) != 64<<10-1 || out[0] != 'x' {
		t.Errorf("output of %d bytes begins with %q", len(out), out[:2])
	}
	l.event("r", rein.StepDone, "2", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Data: json.RawMessage(`{"exit":1}`)}})
	l.call("3", "todo", `{}`)
	l.event("r", rein.StepDone, "3", rein.StepEnd{Result: &rein.ToolResult{Status: rein.ToolOK, Data: json.RawMessage(`{"items":[{"id":1,"text":"a","state":"done"}]}`)}})
	l.shows(`
		person task: Look.
		tool execute_command failed ""
		tool todo ok ""
	`)
	if l.Todo == nil || len(l.Todo.Items) != 1 {
		t.Errorf("todo is %+v", l.Todo)
	}
}

// A call waits while its ask is open; what was begun and cannot be known says so when the run is cut.
func TestAsks(t *testing.T) {
	l := begin(t, ask("operate", "Write."))
	l.call("1", "write_file", `{"path":"a"}`)
	l.event("r", rein.AskOpened, "1.ask", rein.Ask{Kind: rein.AskApproval, Text: "Write a"})
	l.does(timeline.OnAsk, "waiting for you")
	l.event("r", rein.RunParked, "", rein.Parked{For: []string{"an answer"}})
	l.shows(`
		person task: Write.
		tool write_file waiting ""
		ask r:1.ask pending
	`)
	if len(l.Asks()) != 1 {
		t.Errorf("open asks are %v", l.Asks())
	}
	l.event("r", rein.CommandAnswer.EventKind(), "", rein.Command{Ask: "r:1.ask", Answer: rein.Answer{State: rein.AskApproved}})
	l.event("r", rein.StepIntent, "1", rein.Intent{Effect: rein.Unsafe})
	l.does(timeline.OnTool, "write_file")
	l.event("r", rein.CommandStop.EventKind(), "", rein.Command{Text: "wrong file"})
	l.event("r", rein.AskOpened, "1.ask2", rein.Ask{Kind: rein.AskUnknown})
	l.event("r", rein.RunStopped, "", rein.RunEnd{})
	l.shows(`
		person task: Write.
		tool write_file unknown ""
		ask r:1.ask approved
		rein stopped: stopped wrong file
		ask r:1.ask2 withdrawn
		end stopped ""
	`)
	if len(l.Asks()) != 0 || len(l.Open()) != 0 {
		t.Errorf("open asks %v, open steps %v", l.Asks(), l.Open())
	}
}

// What people send is read by the run, or says that it was not.
func TestReceipts(t *testing.T) {
	l := begin(t, ask("operate", "Look."))
	l.event("r", rein.CommandMessage.EventKind(), "", rein.Command{Text: "Not there."})
	l.event("r", rein.StepDone, "1", rein.StepEnd{Verb: rein.VerbInbox, Items: []rein.Item{{Kind: rein.CommandMessage, Command: "r:2", Text: "Not there."}}})
	l.event("r", rein.CommandMessage.EventKind(), "", rein.Command{Text: "Too late."})
	l.event("r", rein.CommandComment.EventKind(), "", rein.Command{Text: "For us."})
	l.event("r", rein.CommandMessage.EventKind(), "", rein.Command{Text: "From a child.", From: "r.1"})
	l.event("r", rein.CommandPause.EventKind(), "", rein.Command{Text: "lunch"})
	l.does(timeline.OnPause, "paused by ann")
	l.event("r", rein.CommandResume.EventKind(), "", rein.Command{})
	l.event("r", rein.CommandMode.EventKind(), "", rein.Command{Mode: rein.ModePlan})
	l.event("r", rein.RunCompleted, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: "Done."}})
	l.shows(`
		person task: Look.
		person message: Not there. applied
		person message: Too late. not applied
		person comment: For us.
		rein message: message from run r.1 From a child.
		rein paused: paused lunch
		rein resumed: resumed
		rein mode: mode plan
		end done "Done."
	`)
	if l.Mode != rein.ModePlan {
		t.Errorf("mode is %q", l.Mode)
	}
}

// A message that comes too late says which run it started, if the end of this one does; the others are not applied.
func TestLate(t *testing.T) {
	next := &rein.Next{Run: "r-next", Commands: []rein.CommandID{"r:2"}}
	for name, c := range map[string]struct {
		next *rein.Next
		want string
		run  rein.RunID
	}{
		"started":       {next, "person message: And then? started", next.Run},
		"an older log":  {nil, "person message: And then? not applied", ""},
		"another's own": {&rein.Next{Run: "r-next", Commands: []rein.CommandID{"r:3"}}, "person message: And then? not applied", ""},
	} {
		t.Run(name, func(t *testing.T) {
			l := begin(t, ask("operate", "Look."))
			l.event("r", rein.CommandMessage.EventKind(), "", rein.Command{Text: "And then?"})
			l.event("r", rein.RunCompleted, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone}, Next: c.next})
			l.shows("person task: Look.\n" + c.want + "\nend done \"\"\n")
			if p, ok := l.Items[1].(*timeline.Person); !ok || p.Started != c.run {
				t.Errorf("it started %+v, want %q", l.Items[1], c.run)
			}
		})
	}
}

// The draft of an answer that is checked holds back the object at its end, and makes room for the answer.
func TestDraft(t *testing.T) {
	l := begin(t, ask("answer", "Who?"))
	l.prompt("1")
	l.says("1", 0, "Ann wrote it.\n\n{\"cit")
	l.shows(`
		person task: Who?
		model: "Ann wrote it.\n\n" live=true final=false replaced=false 
	`)
	l.event("r", rein.StepDone, "1", rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Text: "Ann wrote it.\n\n{\"citations\":[]}"}})
	l.event("r", rein.RunCompleted, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: "Nothing is known.", Data: json.RawMessage(`{"citations":[{"path":"a.md"}],"doubtful":[{"text":"x","source":"a.md"}]}`)}})
	l.shows(`
		person task: Who?
		model: "Ann wrote it.\n\n" live=false final=true replaced=true 
		end done "Nothing is known."
	`)
	end := l.Items[2].(*timeline.End)
	if len(end.Citations) != 1 || len(end.Doubtful) != 1 || end.Replaces != "r/1" {
		t.Errorf("the end is %+v", end)
	}
}

// Runs below are found by their IDs, in whatever order the logs come.
func TestTree(t *testing.T) {
	l := begin(t, ask("explore", "Find out."))
	l.event("r", rein.StepStarted, "1", rein.StepStart{Verb: rein.VerbSpawn})
	l.event("r", rein.StepDone, "1", rein.StepEnd{Child: "r.1"})
	l.event("r.1", rein.RunStarted, "", rein.RunStart{Task: ask("explore", "A part.")})
	l.event("r.1", rein.AskOpened, "1.ask", rein.Ask{Kind: rein.AskQuestion, Text: "Which?"})
	if asks := l.Asks(); len(asks) != 1 || asks[0].Run != "r.1" {
		t.Errorf("open asks are %v", asks)
	}
	l.event("r.1", rein.RunStopped, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDeleted}})
	l.shows(`
		person task: Find out.
		child r.1 "A part." deleted
	`)
	l.Delta(rein.Delta{Run: "r.2", Step: "1", Attempt: 1, Text: "Nobody knows this run."})
	if l.Event(rein.Event{Run: "other", Seq: 1, Kind: rein.RunStarted}) || len(l.Children) != 1 {
		t.Error("a run of another tree, or one without events, is taken")
	}
}

// FuzzTimeline folds whatever comes, whole and not, and draws a conclusion.
func FuzzTimeline(f *testing.F) {
	f.Add([]byte(`{"run":"r","seq":1,"kind":"step.done","step":"1","data":{}}`), "text", 3)
	f.Add([]byte(`{"run":"r.1.2","seq":1,"kind":"ask.opened","step":"1.ask","data":null}`), "\xff", -1)
	f.Add([]byte(`{"run":"","seq":9,"kind":"command.child"}`), "", 0)
	f.Fuzz(func(t *testing.T, data []byte, text string, offset int) {
		l := begin(t, ask("answer", "Who?"))
		l.prompt("1")
		var e rein.Event
		if json.Unmarshal(data, &e) == nil {
			l.Event(e)
		}
		l.says("1", offset, text)
		l.Doing()
		l.Asks()
		_ = l.told()
	})
}
