package notes_test

import (
	"strings"
	"testing"

	"rein/model/script"
)

// What is staged after the person was asked is not part of what they agreed to: they are asked again.
//
// Covers: HUM-34
func TestStagedAfterTheAsk(t *testing.T) {
	r := newRig(t)
	r.write("a.md", "one\n")
	model, err := script.Parse("m", []byte(story))
	check(t, err)
	e, stop := r.serve(model, r.tools)
	defer stop()
	r.start(e, "r1", "s1")
	ask := r.ask()
	r.must("write_note", `{"path":"late.md","content":"unseen"}`)
	r.approve(e, "r1", ask)
	again := r.ask()
	if !strings.Contains(again.Text, "late.md") || len(r.files()) != 1 {
		t.Errorf("written unseen: %q", r.files())
	}
	r.approve(e, "r1", again)
	r.wait(e, "r1")
	if r.disk("late.md") != "unseen" {
		t.Error("it was not written")
	}
}
