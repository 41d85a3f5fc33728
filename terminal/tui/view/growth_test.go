package view_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/journal/timeline"
	"rein/terminal/tui/look"
	"rein/terminal/tui/view"
)

// grower is a page with a text of many rows that still grows.
type grower struct {
	page  *view.Page
	line  *timeline.Timeline
	bytes int
	now   time.Time
}

func newGrower(t testing.TB, rows int) *grower {
	t.Helper()
	g := &grower{page: view.New(look.New(true)), line: timeline.New("r"), now: time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)}
	for seq, payload := range []any{
		rein.RunStart{Task: rein.Task{Flow: "chat"}},
		rein.StepStart{Verb: rein.VerbModel, Bound: rein.Amount{Tokens: 1}, Prompt: &rein.PromptRecord{Prompt: rein.Prompt{Stream: true}}},
	} {
		data, err := json.Marshal(payload)
		if err != nil {
			t.Fatal(err)
		}
		g.line.Event(rein.Event{Run: "r", Seq: int64(seq + 1), At: g.now, Kind: []rein.Kind{rein.RunStarted, rein.StepStarted}[seq], Step: []rein.StepKey{"", "1"}[seq], Data: data})
	}
	g.grow(strings.Repeat("one row of the text\n\n", rows/2))
	return g
}

func (g *grower) grow(text string) {
	g.line.Delta(rein.Delta{Run: "r", Step: "1", Attempt: 1, Offset: g.bytes, Text: text})
	g.bytes += len(text)
	g.page.Sync([]*timeline.Timeline{g.line}, 80, g.now)
}

// A piece of a text takes as little to draw if there are many rows above it as if there are few.
//
// Plain: it counts allocations.
func TestGrowthIsFlat(t *testing.T) {
	allocated := func(rows int) float64 {
		g := newGrower(t, rows)
		if n := g.page.Height(); n < rows {
			t.Fatalf("the page has %d rows, not %d", n, rows)
		}
		return testing.AllocsPerRun(50, func() { g.grow("and so on\n\n") })
	}
	if few, many := allocated(200), allocated(20_000); many > 2*few+50 {
		t.Errorf("a piece takes %.0f allocations below 200 rows, and %.0f below 20,000", few, many)
	}
}

// BenchmarkGrowth is a piece of a text below so many rows.
func BenchmarkGrowth(b *testing.B) {
	for _, rows := range []int{200, 20_000} {
		b.Run(fmt.Sprint(rows), func(b *testing.B) {
			g := newGrower(b, rows)
			b.ReportAllocs()
			for b.Loop() {
				g.grow("x ")
			}
		})
	}
}
