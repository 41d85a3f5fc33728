package explore

import (
	"testing"

	"rein"
	"rein/feed"
	"rein/store"
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

// FuzzDecode reads what clients send.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"prompt":"a","messages":[{"role":"user","content":[{"type":"text","text":"b"}]}],"parentId":null}`))
	f.Add([]byte(`{"userComment":"delete","status":"running"}`))
	f.Add([]byte(`{"agentId":"r1","response":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var in Input
		if decode(data, &in) == nil {
			if _, err := in.messages(); err != nil && rein.CodeOf(err) != rein.CodeInvalid {
				t.Errorf("%q: %v", data, err)
			}
		}
		var o Overrides
		if decode(data, &o) == nil {
			for _, now := range statuses {
				_, _ = o.commands(Agent{Status: now})
			}
		}
		var r Response
		if decode(data, &r) == nil {
			for _, kind := range []rein.AskKind{rein.AskQuestion, rein.AskApproval, rein.AskUnknown} {
				_, _ = readAnswer(rein.Ask{Kind: kind}, r.Response)
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
		tr, h, p := NewTranslator("r1"), history{}, newPortrait(store.RunInfo{ID: "r1"})
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
		if last := all[len(all)-1]; last.Type != AgentState || !last.State.Final() {
			t.Errorf("the last chunk is %+v", last)
		}
	})
}
