package card_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"rein"
	"rein/terminal/tui/card"
	"rein/terminal/tui/look"
)

// Covers: SD-41
func TestAnswered(t *testing.T) {
	all := asks()
	for _, c := range []struct {
		name   string
		answer rein.Answer
		want   string
	}{
		{"edit", rein.Answer{State: rein.AskApproved, By: "ann"}, "✓ ann allowed edit_file engine/park.go"},
		{"edit", rein.Answer{State: rein.AskApproved, By: "ann", Scope: rein.ScopeAlways}, "✓ ann allowed edit_file engine/park.go from now on"},
		{"edit", rein.Answer{State: rein.AskEdited, By: "ann", Args: []byte(`{"path":"b.go"}`)}, "✓ ann changed and allowed edit_file b.go"},
		{"edit", rein.Answer{State: rein.AskRejected, By: "ann", Text: "not\nnow\x1b[2J"}, `✗ ann rejected edit_file engine/park.go: not now\x1b[2J`},
		{"edit", rein.Answer{State: rein.AskExpired, By: "rein"}, "○ nobody answered in time: edit_file engine/park.go"},
		{"edit", rein.Answer{State: rein.AskWithdrawn}, "○ not needed any more: edit_file engine/park.go"},
		{"edit", rein.Answer{}, "● waits for you: edit_file engine/park.go"},
		{"plan", rein.Answer{State: rein.AskApproved, By: "ann", Mode: rein.ModeEdits}, "✓ ann accepted the plan (mode edits)"},
		{"free", rein.Answer{State: rein.AskAnswered, By: "ann", Text: "Oak"}, "✓ ann answered What shall the release be called?: Oak"},
		{"free", rein.Answer{State: rein.AskDeclined, By: "ann"}, "○ ann gave no answer to What shall the release be called?"},
		{"unknown", rein.Answer{State: rein.AskAnswered, By: "ann", Text: rein.RunAgain}, "✓ ann answered send_mail ann@example.org: it did not: run it again"},
	} {
		ask := all[c.name]
		if c.answer.State != "" {
			ask.State, ask.Answer, ask.Closed = c.answer.State, c.answer, noon
		}
		got := ansi.Strip(card.Answered(look.New(true), ask, 120))
		line, when := strings.TrimSpace(strings.TrimSuffix(got, "2026-03-04 12:00")), strings.HasSuffix(got, " 2026-03-04 12:00")
		if line != c.want || when != (c.answer.State != "") {
			t.Errorf("%q, want %q", got, c.want)
		}
		if cells := look.Cells(card.Answered(look.New(true), ask, 30)); cells > 30 {
			t.Errorf("%d cells in 30", cells)
		}
	}
}

// A card costs a frame what is on the screen, not what there is to read.
//
// Plain: it repeats one thing many times.
func TestFramesOfALongAsk(t *testing.T) {
	took := func(lines int) time.Duration {
		text := strings.Repeat("a line of a file\n", lines)
		args, _ := json.Marshal(map[string]string{"path": "x", "content": text})
		d := newDesk(approval("write_file", string(args), text), card.Options{}, 80, 24)
		best := time.Hour
		for range 50 {
			began := time.Now()
			d.Rows(80, 24, d.now)
			best = min(best, time.Since(began))
		}
		return best
	}
	if short, long := took(100), took(30_000); long > 5*short {
		t.Errorf("a frame takes %v, of a short ask %v", long, short)
	}
}
