package flow

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
)

// Covers: NEU-21 NEU-61 TAB-B4
func TestTags(t *testing.T) {
	for _, c := range []struct {
		name, reply string
		won         tag
		clean       string
	}{
		{"none", "Hallo.", "", "Hallo."},
		{"alone on a line", "Even kijken.\n[NEED_RESEARCH]\nTot zo.", tagResearch, "Even kijken.\nTot zo."},
		{"with blanks and CRLF around", "Goed.\r\n  [NEED_CODING]\t\r\n", tagCoding, "Goed."},
		{"in small letters", "[need_task]", tagTask, ""},
		{"with empty rest", "[NEED_TASK]", tagTask, ""},
		{"in a sentence", "Schrijf [NEED_TASK] op een regel.", "", "Schrijf [NEED_TASK] op een regel."},
		{"in a code fence", "```\n[NEED_TASK]\n```", "", "```\n[NEED_TASK]\n```"},
		{"in a fence with tildes", "~~~text\n[NEED_TASK]\n```\n[NEED_CODING]\n~~~", "", "~~~text\n[NEED_TASK]\n```\n[NEED_CODING]\n~~~"},
		{"in a longer fence", "````\n```\n[NEED_TASK]\n```\n````", "", "````\n```\n[NEED_TASK]\n```\n````"},
		{"in a fence that is not closed", "```\n[NEED_TASK]", "", "```\n[NEED_TASK]"},
		{"after a fence", "```\nx\n```\n[NEED_TASK]", tagTask, "```\nx\n```"},
		{"in a quoted line", "> [NEED_TASK]", "", "> [NEED_TASK]"},
		{"in inline code", "`[NEED_TASK]`", "", "`[NEED_TASK]`"},
		{"in quotation marks", "\"[NEED_TASK]\"", "", "\"[NEED_TASK]\""},
		{"research before coding", "[NEED_CODING]\n[NEED_RESEARCH]", tagResearch, ""},
		{"coding before task", "[NEED_TASK]\nx\n[NEED_CODING]", tagCoding, "x"},
		{"research before task", "[NEED_TASK]\n[NEED_RESEARCH]", tagResearch, ""},
		{"one in a fence, one not", "```\n[NEED_RESEARCH]\n```\n[NEED_TASK]", tagTask, "```\n[NEED_RESEARCH]\n```"},
		{"in a JSON message", `{"message": "Ik zoek.\n[NEED_RESEARCH]"}`, tagResearch, "Ik zoek."},
		{"beside a JSON message", "{\"message\": \"Ik zoek.\"}\n[NEED_TASK]", tagTask, "Ik zoek."},
		{"beside and inside", "{\"message\": \"[NEED_RESEARCH]\"}\n[NEED_TASK]", tagResearch, ""},
		{"an unknown tag", "[NEED_PIZZA]", "", "[NEED_PIZZA]"},
	} {
		if won, clean := route(c.reply); won != c.won || clean != c.clean {
			t.Errorf("%s: %q and %q, want %q and %q", c.name, won, clean, c.won, c.clean)
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
		if got := finalReply(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Covers: NEU-10
func TestKnownLines(t *testing.T) {
	items := []Known{{Text: "oud"}, {Text: " "}, {Text: "twee\nregels", At: "2026-01-02"}, {Text: "nieuw"}}
	for most, want := range map[int]string{
		1000: "- oud\n- 2026-01-02: twee regels\n- nieuw",
		34:   "- 2026-01-02: twee regels\n- nieuw",
		10:   "- nieuw",
		3:    "",
		0:    "",
	} {
		if got := knownLines(items, most); got != want || len(got) > most {
			t.Errorf("%d: %q, want %q", most, got, want)
		}
	}
}

// Covers: NEU-62
func TestHouseholdSpeaksDutch(t *testing.T) {
	for language, want := range map[string]string{"": "Ik maak een plan", "nl-BE": "Ik maak een plan", "en": "Making a plan", "fr": "Making a plan"} {
		if got := say(inHousehold(rein.Task{Language: language}), "research plan"); got != want {
			t.Errorf("%q: %q", language, got)
		}
	}
	for key := range english {
		if flow, _, _ := strings.Cut(key, " "); strings.Contains("assist research task critique", flow) && dutch[key] == "" {
			t.Errorf("%q is not in Dutch", key)
		}
	}
}

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
	turn := &turn{run: run, waits: time.Hour, task: rein.Task{User: "ann", Language: "nl"}}
	if _, err := turn.ask("Hoe laat?", 2); err != nil {
		t.Fatal(err)
	}
	want := rein.Question{About: rein.About{Phase: "ask", Round: 2, Human: "Een vraag voor je"}, Text: "Hoe laat?", For: "ann"}
	if diff := cmp.Diff(want, run.asked); diff != "" {
		t.Error(diff)
	}
	if len(turn.talk) != 2 || turn.talk[0].Text != "Hoe laat?" || turn.talk[1].Text != "15:00" || turn.talk[1].Role != rein.User {
		t.Errorf("the conversation is %+v", turn.talk)
	}
}

// A run that an older program began asked without a deadline, and its log holds that question.
//
// Covers: TREE-51/seams
func TestQuestionsHaveADeadline(t *testing.T) {
	for revision, want := range map[int]rein.Question{0: {}, 1: {Timeout: time.Hour, OnExpiry: rein.ExpiryContinue}} {
		run := &asking{}
		turn := &turn{run: run, waits: time.Hour, task: rein.Task{Revision: revision}}
		if _, err := turn.ask("Hoe laat?", 1); err != nil {
			t.Fatal(err)
		}
		if run.asked.Timeout != want.Timeout || run.asked.OnExpiry != want.OnExpiry {
			t.Errorf("revision %d: %+v", revision, run.asked)
		}
	}
}

func TestAssistSettings(t *testing.T) {
	for _, c := range []struct{ flow, settings, want, notice string }{
		{"assist", ``, `{"task_mode":false,"reflections":8,"context_bytes":4000,"answer_timeout":86400}`, ""},
		{"assist", `{"task_mode":true,"reflections":99}`, `{"task_mode":true,"reflections":20,"context_bytes":4000,"answer_timeout":86400}`, "assist: reflections is 20 instead of 99: it must be from 1 to 20"},
		{"research", `{"reflections":0,"answer_timeout":5}`, `{"reflections":1,"answer_timeout":60}`, "research: answer_timeout is 60 instead of 5: it must be from 60 to 604800; research: reflections is 1 instead of 0: it must be from 1 to 20"},
		{"code", ``, `{"reflections":8,"answer_timeout":86400}`, ""},
		{"task", `{"turns":11}`, `{"turns":10,"attempts":2,"answer_timeout":86400}`, "task: turns is 10 instead of 11: it must be from 1 to 10"},
		{"critique", ``, `{}`, ""},
	} {
		got, err := Prepare(rein.Task{Flow: c.flow, Settings: []byte(c.settings)}, Ceiling{})
		if err != nil || string(got.Settings) != c.want || strings.Join(got.Notices, "; ") != c.notice {
			t.Errorf("%s %s: %s %q %v", c.flow, c.settings, got.Settings, got.Notices, err)
		}
	}
	if _, err := Prepare(rein.Task{Flow: "assist", Settings: []byte(`{"task_mode":1}`)}, Ceiling{}); err == nil {
		t.Error("a task_mode that is no bool was taken")
	}
}
