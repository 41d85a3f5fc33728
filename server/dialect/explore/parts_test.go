package explore

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/journal/feed"
	"rein/server/wire"
)

// FuzzPlace reads ids: what is read is written the same again.
func FuzzPlace(f *testing.F) {
	for _, id := range []string{"r1:12,4=3;19@1+57;4/3@1+10", "r1:0", "r1:0;outcome@1+3", "r1:", ":", ";", "r1:1;@1+1", "r1:1;3@-1+1", "r1:1,=2"} {
		f.Add(id)
	}
	f.Fuzz(func(t *testing.T, id string) {
		p, err := parsePlace(id)
		if err != nil {
			if rein.CodeOf(err) != rein.CodeInvalid {
				t.Errorf("%q: %v", id, err)
			}
			return
		}
		p.seen()
		again, err := parsePlace(p.String())
		if err != nil || again.String() != p.String() || again.run != p.run || again.cursor != p.cursor || len(again.texts) != len(p.texts) {
			t.Errorf("%q is read as %q, and again as %q (%v)", id, p, again, err)
		}
	})
}

// TestSecondAttempt has a model say something, fail, and say something else: the text begins again, and
// what is left of the first attempt is not mixed into it.
//
// Covers: TREE-21
func TestSecondAttempt(t *testing.T) {
	tr := NewTranslator("r1")
	var got []string
	see := func(line feed.Line) {
		for _, c := range tr.See(line) {
			got = append(got, string(c.Type)+" "+c.TextDelta)
		}
	}
	event := func(kind rein.Kind, data string) {
		see(feed.Line{Cursor: "1", Event: &rein.Event{Run: "r1", Seq: 1, Kind: kind, Step: "3", Data: []byte(data)}})
	}
	say := func(attempt, offset int, text string) {
		see(feed.Line{Delta: &rein.Delta{Run: "r1", Step: "3", Attempt: attempt, Offset: offset, Text: text}})
	}
	event(rein.StepStarted, `{"prompt":{"stream":true}}`) // whose run.started is missing
	say(1, 0, "One")
	for _, step := range []rein.StepKey{"3", "4"} { // what a command prints is nothing that the model says
		see(feed.Line{Delta: &rein.Delta{Run: "r1", Step: step, Attempt: 1, Offset: 3, Text: "of a command", Output: true}})
	}
	event(rein.StepAttempt, `{"n":2}`)
	say(1, 3, " late")
	say(2, 0, "Two")
	event(rein.StepDone, `{"message":{"role":"assistant","text":"Two."}}`)
	want := []string{"agent-state ", "start ", "agent-state ", "text-start ", "text-delta One", "text-start ", "text-delta Two", "text-delta .", "text-end "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestTable is table B.11, the column of document 003: what each event of a run becomes.
//
// Covers: TAB-B11
func TestTable(t *testing.T) {
	tr := NewTranslator("r1")
	for i, c := range []struct {
		kind       rein.Kind
		step, data string
		want       string
	}{
		{rein.RunStarted, "", `{}`, "agent-state:running start"},
		{rein.StepStarted, "1", `{"phase":"plan","round":1,"human":"Planning","prompt":{}}`, ""},
		{rein.StepDone, "1", `{"message":{"role":"assistant","text":"a plan"}}`, ""},
		{rein.StepStarted, "2", `{"call":{"id":"c1","name":"echo"}}`, "tool-call"},
		{rein.StepDone, "2", `{"result":{"status":"ok","text":"echo"}}`, "tool-result"},
		{rein.StepStarted, "3", `{"call":{"id":"c2","name":"session.history","internal":true}}`, ""},
		{rein.StepDone, "3", `{"result":{"status":"ok"}}`, ""},
		{rein.StepStarted, "4", `{}`, ""},
		{rein.AskOpened, "4.ask", `{"id":"r1:4.ask","state":"pending","kind":"question","text":"Who?"}`, "user-query agent-state:awaiting_user"},
		{"command.expire", "", `{"kind":"expire","ask":"r1:4.ask"}`, "agent-state:running"},
		{rein.StepDone, "4", `{"answer":{"state":"expired"}}`, ""},
		{rein.StepWaiting, "5", `{"why":"the rate limit"}`, ""},
		{rein.RunParked, "", `{}`, ""},
		{rein.StepStarted, "5", `{"phase":"act","prompt":{"stream":true}}`, ""},
		{rein.StepDone, "5", `{"message":{"role":"assistant","text":"Done."}}`, "text-start text-delta text-end"},
		{rein.RunCompleted, "", `{"end":"done","text":"Done."}`, "finish agent-state:completed"},
	} {
		var got []string
		e := rein.Event{Run: "r1", Seq: int64(i + 1), Kind: c.kind, Step: rein.StepKey(c.step), Data: []byte(c.data)}
		for _, chunk := range tr.See(feed.Line{Cursor: "1", Event: &e}) {
			word := string(chunk.Type)
			if chunk.State != nil {
				word += ":" + string(chunk.State.Status)
			}
			got = append(got, word)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s %s becomes %q, want %q", c.kind, c.data, got, c.want)
		}
	}
	for kind, want := range map[rein.Kind]string{rein.RunStopped: "finish agent-state", rein.RunFailed: "error finish agent-state"} {
		tr, got := NewTranslator("r1"), ""
		tr.begun = true
		for _, c := range tr.See(feed.Line{Event: &rein.Event{Run: "r1", Kind: kind, Data: []byte(`{"failure":{"msg":"x"}}`)}}) {
			got += " " + string(c.Type)
		}
		if got != " "+want {
			t.Errorf("%s becomes %q, want %q", kind, got, want)
		}
	}
}

// TestBehind begins with what a feed tells that is behind: a child before the root.
//
// Covers: TREE-21
func TestBehind(t *testing.T) {
	tr := NewTranslator("r1")
	var got []string
	see := func(tr *Translator, run rein.RunID, cursor string) {
		for _, c := range tr.See(feed.Line{Cursor: cursor, Event: &rein.Event{Run: run, Seq: 1, Kind: rein.RunStarted}}) {
			got = append(got, string(c.Type)+" "+string(c.AgentID))
		}
	}
	see(tr, "r1.4", "0,4=1")
	back := NewTranslator("r1")
	back.Recall(rein.Event{Run: "r1.4", Seq: 1, Kind: rein.RunStarted})
	back.resume(tr.place())
	see(tr, "r1", "1,4=1")
	see(back, "r1", "1,4=1")
	if diff := cmp.Diff([]string{"agent-state r1", "start r1", "agent-state r1.4"}, got); diff != "" {
		t.Error(diff)
	}
}

// TestDraftBeforeChildren: what the root writes is a draft as soon as it has started a child, also if the
// child's own log comes later.
//
// Covers: TREE-90
func TestDraftBeforeChildren(t *testing.T) {
	tr := NewTranslator("r1")
	see := func(kind rein.Kind, step rein.StepKey, data any) []Chunk {
		text, err := json.Marshal(data)
		if err != nil {
			t.Fatal(err)
		}
		return tr.See(feed.Line{Cursor: "1", Event: &rein.Event{Run: "r1", Kind: kind, Step: step, Data: text}})
	}
	see(rein.RunStarted, "", rein.RunStart{})
	see(rein.StepDone, "4", rein.StepEnd{Child: "r1.4"})
	see(rein.StepStarted, "6", rein.StepStart{About: rein.About{Phase: "act"}, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}})
	var got []ChunkType
	for _, c := range tr.See(feed.Line{Delta: &rein.Delta{Run: "r1", Step: "6", Attempt: 1, Text: "A draft."}}) {
		got = append(got, c.Type)
	}
	if diff := cmp.Diff([]ChunkType{"reasoning-start", Reasoning}, got); diff != "" {
		t.Error(diff)
	}
}

// FuzzDecode reads what clients send.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"prompt":"a","messages":[{"role":"user","content":[{"type":"text","text":"b"}]}],"parentId":null}`))
	f.Add([]byte(`{"userComment":"delete","status":"running"}`))
	f.Add([]byte(`{"agentId":"r1","response":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in Input
		if wire.Decode(data, &in) == nil {
			if _, err := in.messages(); err != nil && rein.CodeOf(err) != rein.CodeInvalid {
				t.Errorf("%q: %v", data, err)
			}
		}
		var o Overrides
		if wire.Decode(data, &o) == nil {
			for _, now := range statuses {
				_, _ = o.commands(Agent{Status: now})
			}
		}
		var r Response
		if wire.Decode(data, &r) == nil {
			for _, kind := range []rein.AskKind{rein.AskQuestion, rein.AskApproval, rein.AskUnknown} {
				_, _ = readAnswer(rein.Ask{Kind: kind}, "nl", r.Response)
			}
		}
	})
}

// FuzzTranslator takes events of any form: nothing panics, every chunk has its agent, and the last is how
// it ended.
//
// Covers: TREE-21
func FuzzTranslator(f *testing.F) {
	f.Add("step.started", "3", []byte(`{"call":{"id":"c","name":"x"}}`), []byte(`{"result":{"status":"ok","text":"y"}}`), 1, 0)
	f.Add("step.started", "3", []byte(`{"prompt":{"stream":true}}`), []byte(`{"message":{"role":"assistant","text":"He"}}`), 2, 1)
	f.Add("ask.opened", "3.ask", []byte(`{"id":"r1:3.ask","state":"pending","kind":"approval"}`), []byte(`{"sig":"tool  a b","result":{}}`), 0, -1)
	f.Fuzz(func(t *testing.T, kind, step string, data, end []byte, attempt, offset int) {
		if rein.Kind(kind).Ends() {
			return
		}
		tr, h, p := NewTranslator("r1"), history{}, newPortrait(rein.RunInfo{ID: "r1"})
		var all []Chunk
		see := func(line feed.Line) { all = append(all, tr.See(line)...) }
		for i, e := range []rein.Event{
			{Kind: rein.RunStarted, Data: data},
			{Kind: rein.Kind(kind), Data: data},
			{Kind: rein.StepAttempt},
			{Kind: rein.StepDone, Data: end},
			{Kind: "command.modify", Data: data},
			{Kind: rein.RunCompleted, Data: end},
		} {
			e.Run, e.Seq, e.Step = "r1", int64(i+1), rein.StepKey(step)
			see(feed.Line{Event: &e, Cursor: "1"})
			h.see(e)
			p.see(e)
			if !e.Kind.Ends() {
				see(feed.Line{Delta: &rein.Delta{Run: "r1", Step: rein.StepKey(step), Attempt: attempt, Offset: offset, Text: "Hello"}})
				tr.resume(tr.place())
			}
		}
		for _, c := range all {
			if c.AgentID != "r1" {
				t.Errorf("a chunk has no agent: %+v", c)
			}
		}
		if last := all[len(all)-1]; last.Type != AgentState || !last.State.Status.Final() {
			t.Errorf("the last chunk is %+v", last)
		}
	})
}
