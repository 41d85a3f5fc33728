package app

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/model/script"
)

const todoPlay = `
when turn=1 user~"write"
call todo {"items": [{"text": "one", "state": "doing"}, {"text": "two", "state": "pending"}]}

when turn=1 user~"look"
call todo {}

when turn=2
say ok
`

// The list of a run is found in its log, also by another process; the next run of the session has it, and that of
// another session does not.
func TestTodo(t *testing.T) {
	t.Parallel()
	played, err := script.Parse("todo.txt", []byte(todoPlay))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Data: t.TempDir(), Env: []string{}, Models: map[string]rein.Model{"played": played}}
	// listAfter starts a run with a message and returns its list when the run has ended.
	listAfter := func(session, text string) []rein.TodoItem {
		a, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Close()
		id := api.NewRunID(time.Now())
		task := rein.Task{Flow: "operate", Model: "played", Session: session, Tools: []string{"todo"}, Messages: []rein.Message{{Role: rein.User, Text: text}}}
		for _, err := range a.StartAndFollow(t.Context(), id, task, client.FollowOptions{}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		list, err := a.Todo(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return list.Items
	}
	want := []rein.TodoItem{{ID: 1, Text: "one", State: rein.TodoDoing}, {ID: 2, Text: "two", State: rein.TodoPending}}
	for _, text := range []string{"write", "look", "say nothing of it; look"} {
		if diff := cmp.Diff(want, listAfter("s", text)); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
	}
	if got := listAfter("other", "look"); len(got) != 0 {
		t.Errorf("another session has %v", got)
	}
}
