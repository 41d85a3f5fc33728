package edit_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestHistory(t *testing.T) {
	t.Parallel()
	i := newInput("oldest", "oldest", "in two\nlines", "newest")
	wants(t, i, "newest", "type draft", "up")
	wants(t, i, "in two\nlines", "up")
	wants(t, i, "oldest", "up")
	wants(t, i, "oldest", "up")
	wants(t, i, "oldest, changed", "type , changed")
	wants(t, i, "in two\nlines", "down")
	wants(t, i, "newest", "down")
	wants(t, i, "draft", "down")
	wants(t, i, "draft", "down")
	wants(t, i, "oldest, changed", "up", "up", "up")
	typeIn(i, "enter")
	wants(t, i, "oldest, changed", "up")
	wants(t, i, "newest", "up")
	wants(t, i, "oldest", "up", "up")
	i.Set("set")
	wants(t, i, "oldest, changed", "up")
	wants(t, i, "set", "down")
}

// What was remembered comes before what was sent, and equal neighbours once.
func TestRemember(t *testing.T) {
	t.Parallel()
	i := newInput()
	typeIn(i, "type sent", "enter")
	i.Remember("sent")
	i.Remember("")
	i.Remember("given up\x1b[2J")
	i.Remember("given up")
	wants(t, i, "given up", "up")
	wants(t, i, "sent", "up")
	wants(t, i, "sent", "up")
}

func TestHistoryIsBounded(t *testing.T) {
	t.Parallel()
	var history []string
	for n := range 600 {
		history = append(history, fmt.Sprint("text ", n))
	}
	i := newInput(history...)
	for range 700 {
		typeIn(i, "up")
	}
	if got := i.Text(); got != "text 100" {
		t.Errorf("the oldest of 600 is %q", got)
	}
	i.Remember(strings.Repeat("x", 1<<20))
	wants(t, i, strings.Repeat("x", 1<<20), "up")
	wants(t, i, strings.Repeat("x", 1<<20), "up")
}

// A paste is there again when the text that was sent with it is.
func TestHistoryBringsPastes(t *testing.T) {
	t.Parallel()
	i := newInput("[pasted 12 lines] of another day")
	text := strings.Repeat("line\n", 12)
	i.Paste(text)
	first := typeIn(i, "type !", "enter")
	again := typeIn(i, "up", "enter")
	if first.Send == nil || again.Send == nil || len(again.Send.Pastes) != 1 || again.Send.Pastes[0] != text || again.Send.Text != first.Send.Text {
		t.Fatalf("sent %+v, then %+v", first.Send, again.Send)
	}
	if e := typeIn(i, "up", "up", "enter"); e.Send == nil || e.Send.Text != "[pasted 12 lines] of another day" || e.Send.Pastes != nil {
		t.Errorf("a label of another day brought %+v", e.Send)
	}
}
