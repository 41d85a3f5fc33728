package todo_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"rein"
	"rein/tool"
	"rein/tool/todo"
)

func call(t *testing.T, args string) (rein.Done, error) {
	t.Helper()
	kept := rein.Todo{Items: []rein.TodoItem{{ID: 7, Text: "wash", State: rein.TodoPending}}}
	made := tool.Must(todo.Tool(func(context.Context, rein.Invocation) (rein.Todo, error) { return kept, nil }))
	return made.Do(t.Context(), rein.Invocation{Args: json.RawMessage(args)})
}

// A list replaces the one before it, and keeps the numbers of its items.
func TestList(t *testing.T) {
	for _, c := range []struct{ args, text, data string }{
		{`{}`, "7. [pending] wash\n", `{"items":[{"id":7,"text":"wash","state":"pending"}]}`},
		{`{"items":[]}`, "The list is empty.", `{"items":[]}`},
		{
			`{"items":[{"text":"a\nb","state":"done"},{"id":4,"text":"c","state":"doing"},{"text":"d","state":"pending"}]}`,
			"5. [done] a b\n4. [doing] c\n6. [pending] d\n",
			`{"items":[{"id":5,"text":"a b","state":"done"},{"id":4,"text":"c","state":"doing"},{"id":6,"text":"d","state":"pending"}]}`,
		},
	} {
		done, err := call(t, c.args)
		if err != nil || done.Text != c.text || string(done.Data) != c.data {
			t.Errorf("%s: %q %s %v", c.args, done.Text, done.Data, err)
		}
	}
}

// What cannot be a list is refused, and the error says what is wrong.
func TestBadList(t *testing.T) {
	for args, want := range map[string]string{
		`{"items":[{"text":"a","state":"doing"},{"text":"b","state":"doing"}]}`:              "items[1]: item 1 is doing already",
		`{"items":[{"id":2,"text":"a","state":"done"},{"id":2,"text":"b","state":"doing"}]}`: "items[1]: another item has the id 2",
	} {
		if _, err := call(t, args); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", args, err)
		}
	}
}
