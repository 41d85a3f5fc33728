package minilm

import (
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
)

// However many work on a text, its vector has the same bits, and nobody stays when it is done.
func TestManyHandsMakeTheSameVector(t *testing.T) {
	texts := []string{"", "short", "a question of somewhat more than a few words?", strings.Repeat("a longer text ", 30)}
	one := newModel(fastest(), 1)
	for _, text := range texts {
		want := embedAll(t, one, text)[0]
		for _, workers := range []int{2, 3, 4, 50} {
			m := newModel(fastest(), workers)
			synctest.Test(t, func(t *testing.T) {
				if got := embedAll(t, m, text)[0]; !slices.Equal(got, want) {
					t.Errorf("%.20q: %d goroutines make another vector", text, workers)
				}
			})
		}
	}
}

// Each part of a stage is done once, and all are done when it returns.
func TestStagesAreDoneWhole(t *testing.T) {
	var desks []*desk
	for range maxCrew {
		desks = append(desks, &desk{})
	}
	c := newCrew(desks)
	defer c.end()
	for parts := range 100 {
		done := make([]atomic.Int64, parts)
		c.run(parts, func(_ *desk, part int) { done[part].Add(1) })
		for part := range done {
			if n := done[part].Load(); n != 1 {
				t.Fatalf("part %d of %d was done %d times", part, parts, n)
			}
		}
	}
}

func TestHands(t *testing.T) {
	for _, tt := range []struct{ workers, texts, want int }{{1, 1, 1}, {2, 0, 2}, {2, 1, 2}, {2, 2, 1}, {2, 32, 1}, {8, 3, 2}, {64, 1, maxCrew}} {
		if got := hands(tt.workers, tt.texts); got != tt.want {
			t.Errorf("%d texts on %d cores: %d work on each; want %d", tt.texts, tt.workers, got, tt.want)
		}
	}
}
