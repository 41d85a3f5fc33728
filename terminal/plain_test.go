package terminal

import (
	"bufio"
	"bytes"
	"testing"

	"rein"
)

// On a screen of plain lines a text comes line by line while it is written, and nothing is written over.
func TestPlainStream(t *testing.T) {
	var shown bytes.Buffer
	o := &Output{Screen: Screen{Text: true, live: true, colours: true, signs: niceSigns}, Stderr: &shown}
	o.Status = newStatus(o.Screen, &shown)
	o.Stdout = bufio.NewWriter(&shown)
	o.Plain()
	s := &stream{out: o}
	offset := 0
	piece := func(text, want string) {
		t.Helper()
		s.piece(rein.Delta{Step: "1", Text: text, Offset: offset})
		offset += len(text)
		if got := shown.String(); got != want {
			t.Errorf("after %q it shows %q, want %q", text, got, want)
		}
	}
	piece("One ", "")
	piece("line.\nAnd ano", "| One line.\n")
	piece("ther", "| One line.\n")
	s.whole("1", "One line.\nAnd another one.")
	if got, want := shown.String(), "| One line.\n| And another one.\n"; got != want {
		t.Errorf("it shows %q, want %q", got, want)
	}
	if got := o.Screen.Paint(Bad, "wrong"); got != "wrong" {
		t.Errorf("it paints %q", got)
	}
}
