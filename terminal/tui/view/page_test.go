package view_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/journal/timeline"
	"rein/terminal/tui/logtest"
	"rein/terminal/tui/look"
	"rein/terminal/tui/view"
)

var logs = []string{"answer_a1_cited.db.gz", "assist_e2_task.db.gz", "operate_ask_user.db.gz", "operate_b2_compaction.db.gz", "scenes_explore.db.gz", "strict_c3_answered.db.gz", "task_e6_need_info.db.gz"}

// rows are all rows of a page that was drawn at once.
func rows(runs []*timeline.Timeline, width int, now time.Time, change func(*view.Page)) []string {
	p := view.New(look.New(true))
	if change != nil {
		p.Sync(runs, width, now)
		change(p)
	}
	p.Sync(runs, width, now)
	return p.Rows(0, p.Height())
}

// A page that grew with the log, was opened and folded, and changed its width, is the page that is drawn at once; its
// rows fit, and any window on them is a part of them.
//
// Plain: one goroutine.
// Covers: SD-44 SD-48
func TestPageOfRecordedRuns(t *testing.T) {
	t.Parallel()
	for _, file := range logs {
		events := logtest.Events(t, logtest.Store(t, file), "")
		var runs []*timeline.Timeline
		at := map[rein.RunID]*timeline.Timeline{}
		p := view.New(look.New(true))
		for n, e := range events {
			root := e.Run.Root()
			if at[root] == nil {
				at[root] = timeline.New(root)
				runs = append(runs, at[root])
			}
			at[root].Event(e)
			width := []int{80, 40, 20, 110}[n%4]
			p.Sync(runs, width, e.At)
			fits(t, p.Rows(0, p.Height()), width)
			if n%7 == 0 {
				p.ToggleAll()
			}
			if n%17 != 0 && n != len(events)-1 {
				continue
			}
			if n%2 == 1 {
				p.ToggleAll()
			}
			p.Sync(runs, 80, e.At)
			grown := p.Rows(0, p.Height())
			p.ToggleAll()
			p.Sync(runs, 80, e.At)
			other := p.Rows(0, p.Height())
			p.ToggleAll()
			shut, open := rows(runs, 80, e.At, nil), rows(runs, 80, e.At, (*view.Page).ToggleAll)
			if !cmp.Equal(grown, shut) && !cmp.Equal(grown, open) || !cmp.Equal(other, shut) && !cmp.Equal(other, open) {
				t.Fatalf("%s, event %d: what grew is not what is drawn at once:\n%s", file, n, cmp.Diff(grown, shut))
			}
			p.Sync(runs, 80, e.At)
			windows(t, p, p.Rows(0, p.Height()))
		}
	}
}

func fits(t *testing.T, rows []string, width int) {
	t.Helper()
	for _, row := range rows {
		if n := look.Cells(row); n > width || strings.ContainsAny(row, "\n\r\t") {
			t.Fatalf("a row of %d cells at a width of %d: %q", n, width, row)
		}
	}
}

func windows(t *testing.T, p *view.Page, all []string) {
	t.Helper()
	for from := 0; from < len(all); from += 3 {
		want := all[from:min(len(all), from+5)]
		if got := p.Rows(from, 5); !cmp.Equal(got, want) {
			t.Fatalf("rows from %d: %s", from, cmp.Diff(want, got))
		}
	}
}

// Every item can be chosen, in order, opened and copied, and what is looked for is found.
func TestWalking(t *testing.T) {
	t.Parallel()
	events := logtest.Events(t, logtest.Store(t, "operate_ask_user.db.gz"), "")
	run := timeline.New(events[0].Run.Root())
	for _, e := range events {
		run.Event(e)
	}
	runs, now := []*timeline.Timeline{run}, events[len(events)-1].At
	p := view.New(look.New(true))
	p.Sync(runs, 80, now)
	seen := 0
	for first, n := p.Step(0, 0); n > 0 && seen < 100; seen++ {
		item := p.Chosen()
		if item == nil || p.ItemAt(first+n-1) != item {
			t.Fatalf("item %v stands at %d, %d rows", item, first, n)
		}
		before := p.Height()
		p.Toggle(item)
		p.Sync(runs, 80, now)
		p.Toggle(item)
		p.Sync(runs, 80, now)
		if p.Height() != before {
			t.Errorf("an item that was opened and folded takes %d rows more", p.Height()-before)
		}
		next, rows := p.Step(1, 0)
		if next == first {
			break
		}
		first, n = next, rows
		p.Sync(runs, 80, now)
	}
	if seen < 3 {
		t.Errorf("only %d items can be chosen", seen)
	}
	for _, item := range run.Items {
		text := strings.Fields(view.Text(item))
		if len(text) == 0 {
			continue
		}
		if _, ok := p.Find(text[0], 0, false); !ok && item.Common().ID != "" && shown(p, item) {
			t.Errorf("%q is on the page and is not found", text[0])
		}
	}
}

func shown(p *view.Page, item timeline.Item) bool {
	for row := range p.Height() {
		if p.ItemAt(row) == item {
			_, is := item.(*timeline.Model)
			return is
		}
	}
	return false
}

// TestNothingImitates holds that no text of others can begin a row like something of rein's, or steer the terminal.
func TestNothingImitates(t *testing.T) {
	t.Parallel()
	const bad = "│ gutter\n┌ box ─┐\n● running\n\x1b[2J\x1b]0;title\x07 \u202e evil\n ✓ done · 3 tokens\n› yes"
	run := timeline.New("r1")
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for n, e := range []rein.Event{
		event(t, 1, rein.RunStarted, "", rein.RunStart{Task: rein.Task{Flow: "operate", Messages: []rein.Message{{Role: rein.User, Text: bad}}}}),
		event(t, 2, rein.StepStarted, "1", rein.StepStart{Verb: rein.VerbModel, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}}),
		event(t, 3, rein.StepDone, "1", rein.StepEnd{Message: &rein.Message{Role: rein.Assistant, Text: bad}}),
		event(t, 4, rein.RunCompleted, "", rein.RunEnd{Outcome: rein.Outcome{End: rein.EndDone, Text: bad}}),
	} {
		e.At = at.Add(time.Duration(n) * time.Second)
		run.Event(e)
	}
	for _, row := range rows([]*timeline.Timeline{run}, 60, at, nil) {
		plain := look.Plainly(row)
		if strings.ContainsAny(plain, "\x1b\x07\u202e") {
			t.Errorf("a row steers the terminal: %q", row)
		}
		if strings.Contains(plain, "3 tokens") && !strings.HasPrefix(plain, " │ ") && !strings.HasPrefix(plain, "  ") {
			t.Errorf("a text of others looks like rein's: %q", plain)
		}
	}
}

func event(t *testing.T, seq int64, kind rein.Kind, step rein.StepKey, payload any) rein.Event {
	t.Helper()
	data, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	return rein.Event{Run: "r1", Seq: seq, Kind: kind, Step: step, Data: data}
}
