package flow_test

import (
	"strings"
	"testing"

	"rein"
	"rein/flow"
	"rein/flow/kit"
)

func TestHouseholdSettings(t *testing.T) {
	for _, c := range []struct{ flow, settings, want, notice string }{
		{"assist", ``, `{"task_mode":false,"reflections":8,"context_bytes":4000,"answer_timeout":86400}`, ""},
		{"assist", `{"task_mode":true,"reflections":99}`, `{"task_mode":true,"reflections":20,"context_bytes":4000,"answer_timeout":86400}`, "assist: reflections is 20 instead of 99: it must be from 1 to 20"},
		{"research", `{"reflections":0,"answer_timeout":5}`, `{"reflections":1,"answer_timeout":60}`, "research: reflections is 1 instead of 0: it must be from 1 to 20; research: answer_timeout is 60 instead of 5: it must be from 60 to 604800"},
		{"code", ``, `{"reflections":8,"answer_timeout":86400}`, ""},
		{"task", `{"turns":11}`, `{"turns":10,"attempts":2,"answer_timeout":86400}`, "task: turns is 10 instead of 11: it must be from 1 to 10"},
		{"critique", ``, `{}`, ""},
	} {
		got, err := flow.Kinds().Prepare(rein.Task{Flow: c.flow, Settings: []byte(c.settings)}, kit.Ceiling{})
		if err != nil || string(got.Settings) != c.want || strings.Join(got.Notices, "; ") != c.notice {
			t.Errorf("%s %s: %s %q %v", c.flow, c.settings, got.Settings, got.Notices, err)
		}
	}
	if _, err := flow.Kinds().Prepare(rein.Task{Flow: "assist", Settings: []byte(`{"task_mode":1}`)}, kit.Ceiling{}); err == nil {
		t.Error("a task_mode that is no bool was taken")
	}
}

func TestBackgroundSettings(t *testing.T) {
	for _, c := range []struct{ flow, settings, want, wrong string }{
		{flow: "remember", settings: `{"run":"r1"}`, want: `{"run":"r1","most":5}`},
		{flow: "remember", settings: `{"run":"r1","most":99}`, want: `{"run":"r1","most":10}`},
		{flow: "remember", wrong: "name the run to learn from"},
		{flow: "summarise", settings: `{"session":"s1","after":"r1"}`, want: `{"session":"s1","after":"r1","words":120}`},
		{flow: "summarise", settings: `{"day":"2026-03-01","words":1}`, want: `{"day":"2026-03-01","words":20}`},
		{flow: "summarise", settings: `{"day":"2026-03-01","session":"s1"}`, wrong: "and not both"},
		{flow: "notice", settings: `{"text":"dentist"}`, want: `{"text":"dentist"}`},
		{flow: "notice", wrong: "text is empty"},
		{flow: "summarise", wrong: "name a session or a day"},
	} {
		got, err := flow.Kinds().Prepare(rein.Task{Flow: c.flow, Settings: []byte(c.settings)}, kit.Ceiling{})
		if c.wrong != "" {
			if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("%s %s: %v, want %q", c.flow, c.settings, err, c.wrong)
			}
		} else if err != nil || string(got.Settings) != c.want {
			t.Errorf("%s %s: %s, %v", c.flow, c.settings, got.Settings, err)
		}
	}
}
