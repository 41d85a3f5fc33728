package assist

import (
	"strings"
	"testing"

	"rein"
	"rein/journal/feed"
	"rein/server/wire"
)

// TestCurtain writes texts byte by byte.
//
// Covers: NEU-21
func TestCurtain(t *testing.T) {
	for text, want := range map[string]string{
		"Hallo":                              "Hallo",
		" \n Hallo\nwereld":                  "Hallo\nwereld",
		"[NEED_TASK]":                        "",
		"[NEED_TASK]\n":                      "",
		"Goed.\n  [need_research]  \nMeer.":  "Goed.\n",
		"Goed.\n[NEED":                       "Goed.\n",
		"Goed.\n[NEED_MORE] dan dat":         "Goed.\n[NEED_MORE] dan dat",
		"Het woord [NEED_TASK] in een regel": "Het woord [NEED_TASK] in een regel",
		`{"message": "Hallo"}`:               "",
		"```json\n{}\n```":                   "",
	} {
		var c curtain
		var got strings.Builder
		for i := range len(text) {
			got.WriteString(c.pass(text[i : i+1]))
		}
		if got.String() != want {
			t.Errorf("of %q there is shown %q, want %q", text, got.String(), want)
		}
		var whole curtain
		if got := whole.pass(text); got != want {
			t.Errorf("of %q at once there is shown %q, want %q", text, got, want)
		}
	}
}

// FuzzCurtain: what is shown does not depend on how the text is cut, is a part of the text, and never has
// a tag on a line of its own.
//
// Covers: NEU-21
func FuzzCurtain(f *testing.F) {
	f.Add("Goed.\n[NEED_TASK]\nMeer", 3)
	f.Add("  {\"message\": 1}", 1)
	f.Add("a\r\n [need_coding]\t", 5)
	f.Fuzz(func(t *testing.T, text string, size int) {
		size = max(1, size)
		var c curtain
		var got strings.Builder
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			got.WriteString(c.pass(rest[:n]))
			rest = rest[n:]
		}
		var whole curtain
		if at := whole.pass(text); at != got.String() {
			t.Errorf("%q is shown as %q at once and as %q in pieces", text, at, got.String())
		}
		if !strings.HasPrefix(strings.TrimLeft(text, " \t\r\n"), got.String()) {
			t.Errorf("%q is shown as %q", text, got.String())
		}
		for line := range strings.Lines(got.String()) {
			for _, tag := range handOver {
				if strings.ToUpper(strings.TrimSpace(line)) == tag {
					t.Errorf("%q shows a tag", text)
				}
			}
		}
	})
}

// TestTable is table B.11, the column of document 004: what each event of a run becomes.
//
// Covers: TAB-B11
func TestTable(t *testing.T) {
	tr := NewTranslator("r1", "nl")
	for i, c := range []struct {
		kind       rein.Kind
		step, data string
		want       string
		over       bool
	}{
		{rein.RunStarted, "", `{}`, "status", false},
		{rein.StepStarted, "1", `{"phase":"plan","round":1,"human":"Ik maak een plan","prompt":{}}`, "status", false},
		{rein.StepDone, "1", `{"message":{"role":"assistant","text":"een plan"}}`, "step_output:plan", false},
		{rein.StepStarted, "2", `{"call":{"id":"c1","name":"echo"},"bound":{"tool_calls":1}}`, "tool_start", false},
		{rein.StepDone, "2", `{"result":{"status":"ok","text":"echo"}}`, "tool_done step_output:tool_result", false},
		{rein.StepStarted, "3", `{"phase":"reflect","round":2,"human":"Ik kijk","prompt":{}}`, "status", false},
		{rein.StepDone, "3", `{"message":{"role":"assistant","text":"klaar"}}`, "step_output:reflect", false},
		{rein.StepStarted, "4", `{"phase":"observe","round":1,"human":"Ik kijk","prompt":{}}`, "", false},
		{rein.StepDone, "4", `{"message":{"role":"assistant","text":"a secret, perhaps"}}`, "", false},
		{rein.AskOpened, "5.ask", `{"id":"r1:5.ask","state":"pending","kind":"question","text":"Wie?"}`, "", true},
		{"command.expire", "", `{"kind":"expire","ask":"r1:5.ask"}`, "", false},
		{rein.StepWaiting, "6", `{"why":"the rate limit"}`, "status", false},
		{rein.RunParked, "", `{}`, "", false},
		{rein.RunCompleted, "", `{"end":"done","text":"Klaar."}`, "token", true},
	} {
		var got []string
		e := rein.Event{Run: "r1", Seq: int64(i + 1), Kind: c.kind, Step: rein.StepKey(c.step), Data: []byte(c.data)}
		for _, chunk := range tr.See(feed.Line{Event: &e}) {
			word := string(chunk.Type)
			if chunk.Phase != "" {
				word += ":" + chunk.Phase
			}
			got = append(got, word)
		}
		if _, over := tr.Over(); strings.Join(got, " ") != c.want || over != c.over {
			t.Errorf("%s %s becomes %q, over %v; want %q, %v", c.kind, c.data, got, over, c.want, c.over)
		}
	}
	for kind, want := range map[rein.Kind]string{rein.RunStopped: "the turn was deleted", rein.RunFailed: "x", rein.RunBlocked: "y"} {
		tr := NewTranslator("r1", "nl")
		data := `{"end":"deleted","text":"half","reason":"y"}`
		if kind == rein.RunFailed {
			data = `{"failure":{"msg":"x"}}`
		}
		tr.See(feed.Line{Event: &rein.Event{Run: "r1", Kind: kind, Data: []byte(data)}})
		if reply, over := tr.Over(); !over || !strings.Contains(reply.Error, want) {
			t.Errorf("%s becomes %+v, over %v; want %q", kind, reply, over, want)
		}
	}
}

// TestSecondAttempt has a model say something, fail, and say it again: nobody sees it twice, and what it
// says differently is left to the reply.
func TestSecondAttempt(t *testing.T) {
	tr := NewTranslator("r1", "nl")
	shown := ""
	say := func(attempt, offset int, text string) {
		for _, c := range tr.See(feed.Line{Delta: &rein.Delta{Run: "r1", Step: "3", Attempt: attempt, Offset: offset, Text: text}}) {
			shown += c.Text
		}
	}
	say(1, 0, "Melk kost ")
	for _, step := range []rein.StepKey{"3", "4"} { // what a command prints is nothing that the model says
		if got := tr.See(feed.Line{Delta: &rein.Delta{Run: "r1", Step: step, Attempt: 1, Offset: 10, Text: "of a command", Output: true}}); len(got) > 0 {
			t.Errorf("output becomes %+v", got)
		}
	}
	say(1, 10, "1,")
	say(2, 0, "Melk kost")
	say(2, 9, " 1,19.")
	if shown != "Melk kost 1,19." {
		t.Errorf("shown is %q", shown)
	}
	say(3, 0, "Brood kost 2.")
	if shown != "Melk kost 1,19." {
		t.Errorf("shown is %q", shown)
	}
}

// FuzzDecode reads bodies. FuzzTranslator takes events of any form: nothing panics.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"message":"a","conversation_history":[{"role":"user","content":"b"}]}`))
	f.Add([]byte(`{"message":1}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var body Request
		if err := wire.Decode(data, &body); err != nil && rein.CodeOf(err) != rein.CodeInvalid {
			t.Errorf("%q: %v", data, err)
		}
	})
}

// Covers: TAB-B11
func FuzzTranslator(f *testing.F) {
	f.Add("step.started", "3", []byte(`{"call":{"id":"c","name":"x"},"bound":{"tool_calls":1}}`), []byte(`{"result":{"status":"ok","text":"y"}}`))
	f.Add("ask.opened", "3.ask", []byte(`{"id":"r1:3.ask","state":"pending","kind":"approval"}`), []byte(`null`))
	f.Add("run.failed", "", []byte(`{"failure":{"code":"x","msg":"y"}}`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, kind, step string, data, end []byte) {
		tr := NewTranslator("r1", "nl")
		s := &story{actions: map[rein.StepKey]*Action{}, unread: map[rein.CommandID]bool{}}
		for i, e := range []rein.Event{
			{Kind: rein.Kind(kind), Data: data},
			{Kind: rein.StepDone, Data: end},
			{Kind: rein.StepAttempt},
			{Kind: rein.Kind(kind), Data: end},
			{Kind: "command.answer", Data: data},
			{Kind: rein.RunCompleted, Data: end},
		} {
			e.Run, e.Seq, e.Step = "r1", int64(i+1), rein.StepKey(step)
			tr.See(feed.Line{Event: &e})
			tr.Over()
			s.see(e)
		}
		if _, over := tr.Over(); !over {
			t.Error("the turn is not over")
		}
	})
}
