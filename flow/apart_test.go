package flow_test

import (
	"testing"

	"rein/flow"
)

// Runs of compact quote their session, so they are erased with what they quote; those of the other flows that nobody
// chooses as a way of working do not.
func TestApart(t *testing.T) {
	for name, want := range map[string]bool{"compact": false, "undo": true, "shell": true, "summarise": true, "operate": false, "none": false} {
		if got := flow.Kinds().IsApart(name); got != want {
			t.Errorf("IsApart(%q) is %t", name, got)
		}
	}
}
