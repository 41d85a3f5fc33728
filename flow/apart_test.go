package flow_test

import (
	"testing"

	"rein/flow"
)

// Runs of compact quote their session, so they are erased with what they quote; those of the other flows that nobody
// chooses as a way of working do not.
func TestApart(t *testing.T) {
	for name, want := range map[string]bool{"compact": false, "undo": true, "shell": true, "notice": true, "summarise": true, "operate": false, "none": false} {
		if got := flow.Kinds().IsApart(name); got != want {
			t.Errorf("IsApart(%q) is %t", name, got)
		}
	}
}

// A message to a line of shell, an undo, a summary or a reminder does not start the same again.
func TestAside(t *testing.T) {
	for name, f := range flow.All() {
		if want := name == "shell" || name == "undo" || name == "compact" || name == "notice"; f.Aside != want {
			t.Errorf("%s: aside is %t, want %t", name, f.Aside, want)
		}
	}
}
