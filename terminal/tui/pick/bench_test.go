package pick

import (
	"fmt"
	"testing"

	"rein/terminal/tui/look"
)

// BenchmarkSearch is one more letter in a list of 20,000 files, searched and drawn.
func BenchmarkSearch(b *testing.B) {
	for _, typed := range []string{"", "e", "eng", "engparkgo", "park test", "zzz"} {
		b.Run(fmt.Sprintf("%q", typed), func(b *testing.B) {
			l := New(look.New(true), "Files", files(20_000))
			b.ReportAllocs()
			for b.Loop() {
				l.typed = typed
				l.search()
				l.Rows(80, 24)
			}
		})
	}
}

func files(n int) (items []Item) {
	folders := []string{"engine/guard", "engine/work/render", "terminal/tui/look", "docs/internal", "Bücher/rezepte", "store/sqlite/sqlitetest"}
	for i := range n {
		name := fmt.Sprintf("%s/park_%d_test.go", folders[i%len(folders)], i)
		items = append(items, Item{Key: name, Title: name, About: "file", Right: "2 kB"})
	}
	return items
}

// Plain: it counts allocations.
//
// A search allocates nothing for an item, however many there are.
func TestSearchAllocates(t *testing.T) {
	l := New(look.New(true), "Files", files(2000))
	for _, typed := range []string{"", "e", "park test", "zzz", "Bücher"} {
		l.typed = typed
		if n := testing.AllocsPerRun(3, l.search); n > 20 {
			t.Errorf("looking for %q in 2000 items makes %v allocations", typed, n)
		}
	}
}
