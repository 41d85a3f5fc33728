package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestReadStream pins that only a stream that says so is complete, and that a message may be longer
// than the buffer it is read with.
func TestReadStream(t *testing.T) {
	long := strings.Repeat("x", 40<<10)
	for _, c := range []struct {
		name, text, want string
		err              error
	}{
		{"whole", "retry: 1000\n\nid: 1\nevent: event\ndata: {1}\n\nevent: end\ndata: {}\n\n", "event {1}|end {}|", nil},
		{"cut", "event: delta\ndata: {1}\n\n", "delta {1}|", errCut},
		{"empty", "", "", errCut},
		{"long", "event: delta\ndata: " + long + "\n\nevent: end\ndata: {}\n\n", "delta " + long + "|end {}|", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got strings.Builder
			err := readStream(strings.NewReader(c.text), func(kind string, data []byte) {
				fmt.Fprintf(&got, "%s %s|", kind, strings.TrimSpace(string(data)))
			})
			if got.String() != c.want || !errors.Is(err, c.err) {
				t.Errorf("read %.100q, %v; want %.100q, %v", got.String(), err, c.want, c.err)
			}
		})
	}
}

// TestNote reads the times that the mock writes into its tokens, also of many in one message, and does
// not take the waiting of one who came late for a delay.
func TestNote(t *testing.T) {
	f := follower{joined: 1_700_000_000_000_000_000}
	text := "tok0@1699999999000000000 tok1@1700000001000000000.... tok2@1700000002000000000 tok3@17"
	f.note([]byte(text), 1_700_000_003_000_000_000)
	if fmt.Sprint(f.delays, f.late) != "[2000 1000] 1" {
		t.Errorf("delays are %v ms and %d late, want [2000 1000] and 1", f.delays, f.late)
	}
	token := stamped("tok7", 60)
	if len(token) != 60 {
		t.Errorf("token %q has %d bytes, want 60", token, len(token))
	}
	f = follower{}
	f.note([]byte(token), 0)
	if len(f.delays) != 1 {
		t.Errorf("no time is found in %q", token)
	}
}

func TestReadScript(t *testing.T) {
	s := spec{Steps: 4, Tokens: 64, Delay: 2, Wide: 24}
	got, ok := readScript([]byte(`{"model":"` + modelName(s) + `","messages":[]}`))
	if want := (script{4, 64, 2, 24}); !ok || got != want {
		t.Errorf("the script is %v, %v; want %v", got, ok, want)
	}
	if _, ok := readScript([]byte(`{"model":"gpt"}`)); ok {
		t.Error("any name is a script")
	}
}
