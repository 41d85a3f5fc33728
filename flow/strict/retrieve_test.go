package strict

import (
	"strings"
	"testing"

	"rein"
)

// The notes are searched once for a question, and again when people add to it; never if nobody wants it.
//
// Covers: RAO-2/seams
func TestStrictRetrieves(t *testing.T) {
	for settings, want := range map[string]int{`{"max_steps": 3, "retrieval": true}`: 2, `{"max_steps": 3}`: 0} {
		run := busy()
		run.calls = nil
		run.fail = func(verb string, n int) error {
			if verb == "observe" && strings.Count(strings.Join(run.verbs, " "), "observe") == 2 {
				run.items = []rein.Item{{Kind: rein.CommandMessage, By: "ann", Text: "And since when?"}}
			}
			return nil
		}
		task := taskOf(3)
		task.Settings = []byte(settings)
		if _, err := Do(run, task); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(run.phases(), "tool"); got != want {
			t.Errorf("%s: %d searches in %s, want %d", settings, got, run.phases(), want)
		}
	}
}

// A task of strict with retrieval has the tool that searches, whatever else was selected.
//
// Covers: RAO-2/seams
func TestRetrievalBringsItsTool(t *testing.T) {
	for _, c := range []struct {
		task rein.Task
		want bool
	}{
		{rein.Task{Flow: "strict", Settings: []byte(`{"retrieval": true}`), Tools: []string{"read"}}, true},
		{rein.Task{Flow: "strict", Settings: []byte(`{"retrieval": false}`)}, false},
		{rein.Task{Flow: "strict"}, false},
	} {
		if got := strings.Contains(strings.Join(Kind().WithTools(c.task).Tools, " "), findNotes); got != c.want {
			t.Errorf("%s %s: %v", c.task.Flow, c.task.Settings, got)
		}
	}
}
