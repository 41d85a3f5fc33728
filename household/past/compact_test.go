package past_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"rein"
)

// A person who compacts a session has its next runs read a summary in place of what was said, and theirs alone: the logs
// stay, a session that branched off before does not know the summary, and a second one takes the first along.
//
// Covers: SD-94
func TestCompact(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.model.play = answerAll(h.model)
	for i := range 3 {
		h.do(rein.RunID(fmt.Sprint("r", i)), task("operate", "s1", fmt.Sprintf("Task %d.", i), "look"))
	}
	logs, before := h.bytes("r0")+h.bytes("r1")+h.bytes("r2"), len(said(h.model.requests()[4]))
	compact := func(run rein.RunID, want string) {
		t.Helper()
		if end := h.do(run, task("compact", "s1", "/compact")); !strings.Contains(end.Text, want) {
			t.Errorf("%s says %q, not %q", run, end.Text, want)
		}
	}
	compact("c1", "read this summary")
	if asked := h.model.requests(); len(asked) != 1 || asked[0].Phase != "compact" {
		t.Errorf("compacting asked the model %d times: %+v", len(asked), asked)
	}
	compact("c2", "nothing new")
	h.do("r3", task("operate", "s1", "Task 3."))
	asked := h.model.requests()
	if len(asked) != 1 {
		t.Errorf("the next run asked the model %d times", len(asked))
	}
	knows(t, asked[0], []string{"It was about things (c1).", "Task 3."}, []string{"Task 0.", "Task 2.", "The answer of", "/compact", "Nothing was removed"})
	if n := len(said(asked[0])); n > before/2 {
		t.Errorf("the next run sends %d bytes, and %d were sent before", n, before)
	}
	if n := h.bytes("r0") + h.bytes("r1") + h.bytes("r2"); n != logs {
		t.Errorf("the logs had %d bytes and have %d", logs, n)
	}
	h.do("b", branch("s1", "r2", "Another task.", "look"))
	knows(t, h.model.requests()[0], []string{"Task 0.", "Task 1."}, []string{"about things"})
	h.reopen()
	compact("c3", "read this summary")
	knows(t, h.model.requests()[0], []string{"It was about things (c1).", "Task 3."}, []string{"Task 0."})
	h.do("r4", task("operate", "s1", "Task 4."))
	knows(t, h.model.requests()[0], []string{"It was about things (c3).", "Task 4."}, []string{"(c1)", "Task 3."})
	h.do("o", task("operate", "s2", "Of another session."))
	knows(t, h.model.requests()[0], nil, []string{"about things"})
}

// A summary that says as much as what it stands for is not kept, and of nothing there is none.
func TestCompactKeepsNothing(t *testing.T) {
	t.Parallel()
	h := newHouse(t)
	h.model.play = answerAll(h.model)
	if end := h.do("c0", task("compact", "s1", "/compact")); !strings.Contains(end.Text, "nothing new") {
		t.Errorf("of nothing: %q", end.Text)
	}
	h.do("r0", task("chat", "s1", "Task 0."))
	h.model.play = func(context.Context, rein.ModelRequest, func(string)) (rein.Message, error) {
		return rein.Message{Text: strings.Repeat("It is as long. ", 100)}, nil
	}
	if end := h.do("c1", task("compact", "s1", "/compact")); !strings.Contains(end.Text, "nothing has changed") {
		t.Errorf("a long summary: %q", end.Text)
	}
	if folds := h.folds("s1"); len(folds) > 0 {
		t.Errorf("folds: %q", folds)
	}
}
