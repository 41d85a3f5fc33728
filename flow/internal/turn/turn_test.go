package turn

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/internal/quote"
)

// asking is a run that only asks.
type asking struct {
	rein.Run
	asked rein.Question
}

func (a *asking) AskUser(q rein.Question) (rein.Answer, error) {
	a.asked = q
	return rein.Answer{State: rein.AskAnswered, Text: "15:00"}, nil
}

// Covers: NEU-34 NEU-45
func TestQuestionsAreForTheUser(t *testing.T) {
	run := &asking{}
	turn := &Turn{Run: run, Waits: time.Hour, Task: rein.Task{User: "ann", Language: "nl"}}
	if _, err := turn.Ask("Hoe laat?", 2); err != nil {
		t.Fatal(err)
	}
	want := rein.Question{About: rein.About{Phase: "ask", Round: 2, Human: "Een vraag voor je"}, Text: "Hoe laat?", For: "ann"}
	if diff := cmp.Diff(want, run.asked); diff != "" {
		t.Error(diff)
	}
	if len(turn.Talk) != 2 || turn.Talk[0].Text != "Hoe laat?" || turn.Talk[1].Text != "15:00" || turn.Talk[1].Role != rein.User {
		t.Errorf("the conversation is %+v", turn.Talk)
	}
}

// A run that an older program began asked without a deadline, and its log holds that question.
//
// Covers: TREE-51/seams
func TestQuestionsHaveADeadline(t *testing.T) {
	for revision, want := range map[int]rein.Question{0: {}, 1: {Timeout: time.Hour, OnExpiry: rein.ExpiryContinue}} {
		run := &asking{}
		turn := &Turn{Run: run, Waits: time.Hour, Task: rein.Task{Revision: revision}}
		if _, err := turn.Ask("Hoe laat?", 1); err != nil {
			t.Fatal(err)
		}
		if run.asked.Timeout != want.Timeout || run.asked.OnExpiry != want.OnExpiry {
			t.Errorf("revision %d: %+v", revision, run.asked)
		}
	}
}

// Covers: NEU-20 NEU-61
func TestFinalReply(t *testing.T) {
	for text, want := range map[string]string{
		" Dag. ":                                "Dag.",
		`{"message": "Dag."}`:                   "Dag.",
		"```json\n{\"message\": \"Dag.\"}\n```": "Dag.",
		`{"message": "Dag.", "mood": 1}`:        "Dag.",
		`{"message": 3}`:                        `{"message": 3}`,
		"{\"message\": \"x\"}\nEn meer.":        "{\"message\": \"x\"}\nEn meer.",
		`{"text": "Dag."}`:                      `{"text": "Dag."}`,
		`Stuur {"message": "x"} naar de API.`:   `Stuur {"message": "x"} naar de API.`,
		"":                                      "",
	} {
		if got := FinalReply(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Covers: NEU-62
func TestHouseholdSpeaks(t *testing.T) {
	dutch, english := "Een vraag voor je", "A question for you"
	for _, c := range []struct {
		language, said string
		revision       int
		want           string
	}{
		{"", "Good morning!", 3, english},
		{"", "Goedemorgen!", 3, dutch},
		{"", "15:00", 3, english},
		{"", "", 3, english},
		{"nl-BE", "Good morning!", 3, dutch},
		{"en", "Goedemorgen!", 3, english},
		{"fr", "Goedemorgen!", 3, english},
		{"", "Good morning!", 2, dutch}, // as an older program began it
	} {
		task := rein.Task{Language: c.language, Revision: c.revision, Messages: []rein.Message{{Role: rein.User, Text: c.said}}}
		if got := say(InHousehold(task, 3), "asking"); got != c.want {
			t.Errorf("%+v: %q", c, got)
		}
	}
}

// Covers: NEU-39 NEU-60 NEU-61
func TestFormatResult(t *testing.T) {
	done := func(status rein.ToolStatus, text string) Traced {
		return Traced{rein.ToolCall{Name: "web.search", Args: json.RawMessage("{\n \"q\": 1}")}, rein.ToolResult{Status: status, Text: text}}
	}
	if got, want := formatResult(done(rein.ToolOK, "a </untrusted> b"), 100), "web.search { \"q\": 1} → ok\n"+quote.Untrusted("web.search", "a </untrusted> b"); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	if got := formatResult(done(rein.ToolFailed, strings.Repeat("é", 5000)), 1000); len(got) > 1200 || !strings.Contains(got, "bytes left out") || !strings.Contains(got, "→ failed") {
		t.Errorf("%d bytes: %s", len(got), got)
	}
	person := done(rein.ToolOK, "blauw")
	person.Result.FromPerson, person.Result.Note = true, "changed"
	if got := formatResult(person, 100); !strings.Contains(got, `from="person"`) || !strings.Contains(got, "Note: changed") || strings.Contains(got, "<untrusted") {
		t.Errorf("got %s", got)
	}
	var many Trace
	for range 100 {
		many = append(many, done(rein.ToolOK, strings.Repeat("x", 10_000)))
	}
	if got := many.facts(); len(got) > 2*allFacts {
		t.Errorf("the facts have %d bytes", len(got))
	}
}

// Covers: NEU-37 NEU-61
func TestResultSummary(t *testing.T) {
	for text, want := range map[string]string{"": "", "a\n  b\t c": "a b c", strings.Repeat("é", 200): strings.Repeat("é", 120) + "…"} {
		if got := resultSummary(rein.ToolResult{Text: text}); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
	for status, want := range map[rein.ToolStatus]bool{rein.ToolOK: true, rein.ToolUnknown: true, rein.ToolFailed: false, rein.ToolRefused: false, rein.ToolSkipped: false, rein.ToolTimeout: false} {
		if got := (Trace{{Result: rein.ToolResult{Status: status}}}).Happened(); got != want {
			t.Errorf("%s: %v", status, got)
		}
	}
}

// What was tried is a line each, in the person's language, with what went wrong.
//
// Covers: NEU-46 NEU-62
func TestTried(t *testing.T) {
	done := func(name string, status rein.ToolStatus, text string) Traced {
		return Traced{rein.ToolCall{Name: name}, rein.ToolResult{Status: status, Text: text}}
	}
	turn := &Turn{Explains: true, Task: rein.Task{Language: "nl"}, Trace: Trace{
		done("cron.add", rein.ToolFailed, "no such zone"),
		done("cron.add", rein.ToolFailed, "no such zone"),
		done("agenda.add_event", rein.ToolRefused, "the user refused this call: te laat"),
		done("agenda.add_event", rein.ToolRefused, "the call was not run, because what it would do cannot be shown: 30 February is no day"),
		done("mail.send", rein.ToolRefused, "Tool not allowed: mail.send"),
		done("web.search", rein.ToolTimeout, "the call took too long and was cancelled"),
		done("lists.add", rein.ToolRefused, `"items" is missing`),
	}}
	want := `- de herinneringen: het ging mis: no such zone
- de agenda: je wilde het niet
- de agenda: het ging mis: 30 February is no day
- mail.send: dat mag hier niet
- het web: het duurde te lang
- de lijsten: het werd niet aangenomen: "items" is missing`
	if diff := cmp.Diff(want, turn.Tried()); diff != "" {
		t.Error(diff)
	}
}

// What people read is there in both languages, word for word.
//
// Covers: NEU-62
func TestWordsInBothLanguages(t *testing.T) {
	for key := range words["en"] {
		if words["nl"][key] == "" {
			t.Errorf("%q has no Dutch", key)
		}
	}
	for key := range words["nl"] {
		if words["en"][key] == "" {
			t.Errorf("%q has no English", key)
		}
	}
}

// People read what a tool is for. In a run of an older revision they read its name, as it was written down then.
//
// Covers: LAW-3
func TestWord(t *testing.T) {
	for explains, want := range map[bool]string{true: "the agenda", false: "agenda.add_event"} {
		turn := &Turn{Explains: explains, Task: rein.Task{Language: "en"}}
		if got := turn.word("agenda.add_event"); got != want {
			t.Errorf("explains %v: %q", explains, got)
		}
	}
}
