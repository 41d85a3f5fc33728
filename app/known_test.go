package app

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/model/script"
)

const knownPlay = `
when turn=1
call read_file {"path": "./a.txt"}

when turn=2
call meddle {}

when turn=3
call edit_file {"path": "a.txt", "edits": [{"old": "one", "new": "two"}]}

when turn=4 last~"a.txt was changed since you read it"
call read_file {"path": "a.txt"}

when turn=5
call edit_file {"path": "a.txt", "edits": [{"old": "one", "new": "two"}]}

when turn=6 last~"a.txt: changed"
call edit_file {"path": "a.txt", "edits": [{"old": "two", "new": "three"}]}

when turn=7 last~"a.txt: changed"
call read_file {"path": "b.txt"}

when turn=8
call ask_user {"question": "Go on?"}

when turn=9 last~"go on"
call write_file {"path": "b.txt", "content": "mine", "overwrite": true}

when turn=10 last~"b.txt was changed since you read it"
call read_file {"path": "c.txt"}

when turn=11
call meddle {}

when turn=12
call write_file {"path": "c.txt", "content": "mine"}

when turn=13 last~"c.txt was removed since you read it"
say All as it should be.
`

// A file that changed since the run read it is a conflict, whoever changed it; what the run itself wrote is not. It
// holds across processes, because the log says what was read.
//
// Covers: SD-91
func TestChangedSinceRead(t *testing.T) {
	t.Parallel()
	played, err := script.Parse("known.txt", []byte(knownPlay))
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
			t.Error(err)
		}
	}
	for _, name := range []string{"a.txt", "b.txt", "c.txt"} {
		put(name, "one\n")
	}
	removes := false // only between two processes
	meddle := rein.Tool{Name: "meddle", Description: "Changes files.", Effect: rein.Pure, Polling: true, Schema: []byte(`{"type":"object"}`), Do: func(context.Context, rein.Invocation) (rein.Done, error) {
		if removes {
			return rein.Done{Text: "done"}, os.Remove(filepath.Join(root, "c.txt"))
		}
		put("a.txt", "one and more\n")
		return rein.Done{Text: "done"}, nil
	}}
	o := Options{
		Data: t.TempDir(), Env: []string{}, Models: map[string]rein.Model{"played": played}, Tools: []rein.Tool{meddle},
		Set: map[string]string{"tools.root": root, "tools.allow": "edit_file,write_file"}, Park: true,
	}
	id := api.NewRunID(time.Now())
	a := opening(t, o)
	task := rein.Task{
		Flow: "operate", Model: "played", Tools: []string{"read_file", "edit_file", "write_file", "ask_user", "meddle"},
		Settings: []byte(`{"rounds": 20}`), Messages: []rein.Message{{Role: rein.User, Text: "Write it."}},
	}
	for line, err := range a.StartAndFollow(t.Context(), id, task, client.FollowOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Event != nil && line.Event.Kind == rein.AskOpened {
			break
		}
	}
	if got, _ := os.ReadFile(filepath.Join(root, "a.txt")); string(got) != "three and more\n" {
		t.Errorf("a.txt is %q", got)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}

	put("b.txt", "another\n")
	removes = true
	a = opening(t, o)
	defer a.Close()
	asks, err := a.Asks(t.Context(), api.AskQuery{Tree: id})
	if err != nil || len(asks) != 1 {
		t.Fatal(asks, err)
	}
	if _, err := a.Answer(t.Context(), asks[0].ID, api.Answer{Answer: rein.Answer{State: rein.AskAnswered, Text: "go on", Shown: asks[0].Shown}}); err != nil {
		t.Fatal(err)
	}
	var end string
	for line, err := range a.Follow(t.Context(), id, client.FollowOptions{}) {
		if err != nil {
			t.Fatal(err)
		}
		if line.Event != nil {
			end = string(line.Event.Data)
		}
	}
	if !strings.Contains(end, "All as it should be.") {
		t.Errorf("it ended with %s", end)
	}
	if got, _ := os.ReadFile(filepath.Join(root, "b.txt")); string(got) != "another\n" {
		t.Errorf("b.txt is %q", got)
	}
}

func opening(t *testing.T, o Options) *App {
	t.Helper()
	a, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
