package assist

import (
	"strings"
	"testing"

	"rein"
	"rein/feed"
)

// Covers: NEU-62
func TestYesNo(t *testing.T) {
	for text, want := range map[string][2]bool{
		"ja": {true, true}, "Ja!": {true, true}, "ja, doe maar.": {true, true}, "OK": {true, true}, "yes please": {true, true},
		"nee": {false, true}, "Nee, bedankt": {false, true}, "don't": {false, true}, "No.": {false, true},
		"": {false, false}, "ja maar niet vandaag": {false, false}, "misschien": {false, false}, "15:00": {false, false}, "nee ja": {false, false},
	} {
		if yes, fits := YesNo("nl-NL", text); yes != want[0] || fits != want[1] {
			t.Errorf("%q is yes %v, fits %v", text, yes, fits)
		}
	}
	if yes, fits := YesNo("", "graag"); !yes || !fits {
		t.Error("someone without a language is not understood")
	}
	if _, fits := YesNo("en", "graag"); fits {
		t.Error("Dutch is understood in English")
	}
}

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
		if err := decode(data, &body); err != nil && rein.CodeOf(err) != rein.CodeInvalid {
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
