package task

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

// Covers: NEU-40 NEU-48 NEU-49 NEU-60 NEU-61
func TestParseOutput(t *testing.T) {
	add := &Action{Kind: ActionTool, Tool: "cron.add", Args: json.RawMessage(`{"at":"15:00"}`)}
	for _, c := range []struct {
		name, reply string
		want        Action
	}{
		{"a call", `{"type":"tool_call","tool":"cron.add","args":{"at":"15:00"}}`, *add},
		{"a call in other words", `Goed: {"type":"TOOL_CALL","name":"cron.add","arguments":{"at":"15:00"}} Klaar.`, *add},
		{"questions", `{"type":"need_info","questions":["a","b"]}`, Action{Kind: ActionNeedInfo, Questions: []string{"a", "b"}}},
		{"a question and what a yes decides", `{"type":"need_info","question":"a","then":{"tool":"cron.add","args":{"at":"15:00"}}}`, Action{Kind: ActionNeedInfo, Questions: []string{"a"}, Then: add}},
		{"final", "```json\n{\"type\":\"final\",\"message\":\" Klaar. \"}\n```", Action{Kind: ActionFinal, Message: "Klaar."}},
		{"a sub-goal", `{"type":"sub_goal","goal":"zoek"}`, Action{Kind: ActionSubGoal, Goal: "zoek"}},
	} {
		if diff := cmp.Diff(c.want, parseOutput(c.reply)); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
	for reply, problem := range map[string]string{
		"Ik doe het.":                         `"type"`,
		"":                                    `"type"`,
		`{"type":"final"}`:                    `"message" is missing`,
		`{"type":"final","message":" "}`:      `"message" is missing`,
		`{"type":"tool_call","args":{}}`:      `"tool" is missing`,
		`{"type":"need_info","questions":[]}`: `"questions" is missing`,
		`{"type":"sub_goal"}`:                 `"goal" is missing`,
		`{"type":"dance"}`:                    "it must be tool_call, need_info, final or sub_goal",
		`{"type":3}`:                          "cannot unmarshal",
		`{"type":"tool_call","tool":"mail.send","args":{"text":"Beste`: "cut off",
	} {
		if got := parseOutput(reply); got.Kind != ActionInvalid || got.Message != reply || !strings.Contains(got.Problem, problem) {
			t.Errorf("%s: %+v", reply, got)
		}
	}
}

// Covers: NEU-48
func TestIntention(t *testing.T) {
	for message, want := range map[string]ActionKind{
		"Ik zal je herinneren.":            ActionIntention,
		"Oké, ik ga het regelen.":          ActionIntention,
		"I'll set it up.":                  ActionIntention,
		"Let me check that.":               ActionIntention,
		"Dat kan ik niet.":                 ActionFinal,
		"Je vroeg of ik zal komen: nee.":   ActionFinal,
		"Illegaal parkeren kost 120 euro.": ActionFinal,
	} {
		if got := intention(Action{Kind: ActionFinal, Message: message}, false); got.Kind != want {
			t.Errorf("%s: %s", message, got.Kind)
		}
		if got := intention(Action{Kind: ActionFinal, Message: message}, true); got.Kind != ActionFinal {
			t.Errorf("%s, after a call: %s", message, got.Kind)
		}
	}
}

// Covers: NEU-43 NEU-44 NEU-45 NEU-46 NEU-47 NEU-48 NEU-49
func TestTransition(t *testing.T) {
	limits := Settings{Turns: 4, Attempts: 2}
	open := func(change func(*State)) State {
		s := State{Status: Open, Limits: limits}
		if change != nil {
			change(&s)
		}
		return s
	}
	call, then := Action{Kind: ActionTool, Tool: "a"}, &Action{Kind: ActionTool, Tool: "b"}
	leak := "de sleutel AKIAIOSFODNN7EXAMPLE"
	for _, c := range []struct {
		name   string
		before State
		action Action
		status rein.ToolStatus
		want   State
	}{
		{"final", open(nil), Action{Kind: ActionFinal, Message: "m"}, "", open(func(s *State) { s.Status, s.Turns, s.Message = Done, 1, "m" })},
		{"final at the last turn", open(func(s *State) { s.Turns = 3 }), Action{Kind: ActionFinal, Message: "m"}, "", open(func(s *State) { s.Status, s.Turns, s.Message = Done, 4, "m" })},
		{"final with a secret", open(nil), Action{Kind: ActionFinal, Message: leak}, "", open(func(s *State) {
			s.Status, s.Turns, s.Reason, s.Blocked = Failed, 1, reasonSecret, []string{"aws access key id"}
		})},
		{"call that worked", open(nil), call, rein.ToolOK, open(func(s *State) { s.Status, s.Turns = Done, 1 })},
		{"call that failed", open(nil), call, rein.ToolFailed, open(func(s *State) { s.Turns, s.Attempts = 1, 1 })},
		{"call that was refused twice", open(func(s *State) { s.Turns, s.Attempts = 1, 1 }), call, rein.ToolRefused, open(func(s *State) { s.Status, s.Turns, s.Attempts, s.Reason = Failed, 2, 2, reasonAttempts })},
		{"call that nobody knows of", open(nil), call, rein.ToolUnknown, open(func(s *State) { s.Status, s.Turns, s.Reason = Failed, 1, reasonUnknown })},
		{"call that failed at the last turn", open(func(s *State) { s.Turns = 3 }), call, rein.ToolTimeout, open(func(s *State) { s.Status, s.Turns, s.Attempts, s.Reason = Failed, 4, 1, reasonTurns })},
		{"decision of a person", open(func(s *State) { s.Turns, s.Pending = 4, then }), *then, rein.ToolOK, open(func(s *State) { s.Status, s.Turns = Done, 4 })},
		{"need for information", open(nil), Action{Kind: ActionNeedInfo, Questions: []string{"q"}}, "", open(func(s *State) { s.Status, s.Turns = NeedsInfo, 1 })},
		{"proposal", open(nil), Action{Kind: ActionNeedInfo, Questions: []string{"q"}, Then: then}, "", open(func(s *State) { s.Status, s.Turns, s.Pending = NeedsInfo, 1, then })},
		{"question with a secret", open(nil), Action{Kind: ActionNeedInfo, Questions: []string{"q", leak}}, "", open(func(s *State) {
			s.Status, s.Turns, s.Reason, s.Blocked = Failed, 1, reasonSecret, []string{"aws access key id"}
		})},
		{"sub-goal", open(nil), Action{Kind: ActionSubGoal, Goal: "g"}, rein.ToolOK, open(func(s *State) { s.Turns = 1 })},
		{"sub-goal at the last turn", open(func(s *State) { s.Turns = 3 }), Action{Kind: ActionSubGoal, Goal: "g"}, rein.ToolRefused, open(func(s *State) { s.Status, s.Turns, s.Reason = Failed, 4, reasonTurns })},
		{"invalid", open(nil), Action{Kind: ActionInvalid}, "", open(func(s *State) { s.Turns, s.Invalid, s.Correcting = 1, 1, true })},
		{"invalid twice", open(func(s *State) { s.Turns, s.Invalid = 2, 1 }), Action{Kind: ActionInvalid}, "", open(func(s *State) { s.Status, s.Turns, s.Invalid, s.Correcting = Nothing, 3, 2, true })},
		{"intention", open(nil), Action{Kind: ActionIntention}, "", open(func(s *State) { s.Turns, s.Intentions, s.Correcting = 1, 1, true })},
		{"intention twice", open(func(s *State) { s.Turns, s.Intentions = 1, 1 }), Action{Kind: ActionIntention}, "", open(func(s *State) {
			s.Status, s.Turns, s.Intentions, s.Correcting, s.Reason = Failed, 2, 2, true, reasonLoop
		})},
	} {
		seen := Observation{Status: c.status}
		if diff := cmp.Diff(c.want, transition(c.before, c.action, seen, validate(c.action, seen))); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// Covers: NEU-41 NEU-45
func TestAnswered(t *testing.T) {
	then := &Action{Kind: ActionTool}
	for _, c := range []struct {
		name    string
		turns   int
		state   rein.AskState
		agreed  bool
		want    Status
		pending bool
	}{
		{"answered", 1, rein.AskAnswered, false, Open, false},
		{"agreed", 1, rein.AskAnswered, true, Open, true},
		{"agreed after the last turn", 4, rein.AskAnswered, true, Open, true},
		{"answered after the last turn", 4, rein.AskAnswered, false, Failed, false},
		{"declined", 1, rein.AskDeclined, true, Declined, false},
		{"expired", 1, rein.AskExpired, false, Failed, true},
		{"withdrawn", 1, rein.AskWithdrawn, true, Open, false},
	} {
		s := State{Status: NeedsInfo, Limits: Default(), Turns: c.turns, Pending: then}
		got := answered(s, rein.Answer{State: c.state}, c.agreed)
		if got.Status != c.want || (got.Pending != nil) != c.pending {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// Covers: NEU-41 NEU-62
func TestAgrees(t *testing.T) {
	for answer, want := range map[string]bool{
		"ja": true, "Ja, graag!": true, "OK.": true, "Oké": true, "doe maar": true, "yes": true,
		"": false, "nee": false, "ja, maar om 16:00": false, "jaar": false, "15:00": false,
	} {
		if got := agrees(rein.Task{Language: "nl"}, answer); got != want {
			t.Errorf("%q: %v", answer, got)
		}
	}
	if agrees(rein.Task{Language: "en"}, "ja") {
		t.Error("ja is no English yes")
	}
}
