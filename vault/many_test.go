package vault

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"rein/vault/chunk"
	"rein/vault/index"
	"rein/vault/parse"
)

// A note of millions of headings becomes no more passages than a note of that size has at all, and
// whoever keeps it is told.
//
// Attack: 42
// Plain: it is about sizes; the other tests index notes under the race detector.
func TestManyHeadings(t *testing.T) {
	const size, most = 10<<20 - 100, 10_000
	for name, unit := range map[string]string{"same": "# a\n", "deep": "# a\n## b\n### c\n#### d\n##### e\n###### f\n"} {
		text := []byte(strings.Repeat(unit, size/len(unit)))
		d := index.Read("n.md", text, chunk.Options{})
		if len(d.Pieces) > most {
			t.Errorf("%s: 10 MB became %d passages; at most %d", name, len(d.Pieces), most)
		}
		if !slices.ContainsFunc(d.Problems, func(p string) bool { return strings.HasPrefix(p, parse.TooMuch) }) {
			t.Errorf("%s: nobody is told: %q", name, d.Problems)
		}
	}
}

// How much a note may take in memory while it is read does not depend on how it is written.
func TestManyLinesTakeLittleMemory(t *testing.T) {
	for _, unit := range []string{"# a\n", "- a\n", "a\n\n", "a\n=\n\n", "> a\n\n", "1. a\n", "<a>\n\n", "[[a]]\n\n"} {
		text := []byte(strings.Repeat(unit, (2<<20-100)/len(unit)))
		if got := allocated(func() { parse.Parse(text) }); got > 100<<20 {
			t.Errorf("%q: reading 2 MB takes %d MB", unit, got>>20)
		}
	}
}

// allocated returns how many bytes a function takes, also those that it lets go again.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// Sections that are searched together are still cited by their own names, which can be read.
func TestJoinedSectionsKeepTheirNames(t *testing.T) {
	var b strings.Builder
	b.WriteString("Before all.\n")
	for i := range 1000 {
		fmt.Fprintf(&b, "# Day %d\nword%d here\n", i, i)
	}
	r := newRig(t, map[string]string{"diary.md": b.String(), "other.md": "# Day 1\nword7 too\n"}, Options{})
	entries := r.List()
	if e := entries[0]; e.Pieces > 50 || len(e.Problems) != 1 {
		t.Errorf("%d passages, %q", e.Pieces, e.Problems)
	}
	if notices := r.Status().Notices; len(notices) != 1 || !strings.Contains(notices[0], "1 notes are too large") {
		t.Errorf("the status says %q", notices)
	}
	for _, i := range []int{0, 1, 500, 999} {
		hits := r.find(Query{Texts: []string{fmt.Sprintf("word%d", i)}}).Hits
		want := fmt.Sprintf("Day %d", i)
		if len(hits) == 0 || hits[0].Section != want || !strings.Contains(hits[0].Snippet, fmt.Sprintf("word%d", i)) {
			t.Errorf("%s: found %+v", want, hits)
			continue
		}
		text, err := r.Read(Reading{Path: hits[0].Path, Section: hits[0].Section})
		if err != nil || !strings.Contains(text.Text, fmt.Sprintf("word%d here", i)) {
			t.Errorf("section %q reads %q, %v", hits[0].Section, text.Text, err)
		}
	}
	r.open(Options{Still: true})
	r.write("more.md", "nothing")
	r.sync()
	if hits := r.find(Query{Texts: []string{"word500"}}).Hits; len(hits) == 0 || hits[0].Section != "Day 500" {
		t.Errorf("after it was opened again: %+v", hits)
	}
}

// What a note has beyond the most is left out, and that is told.
func TestTooManyPassages(t *testing.T) {
	text := []byte(strings.Repeat("A sentence of some words. ", 2000))
	d := index.Read("n.md", text, chunk.Options{Size: 200, Most: 20})
	if len(d.Pieces) != 20 || len(d.Problems) != 1 || !strings.Contains(d.Problems[0], "only the first 20 passages") {
		t.Errorf("%d passages, %q", len(d.Pieces), d.Problems)
	}
}

// A search waits for its turn.
func TestSearchesTakeTurns(t *testing.T) {
	r := newRig(t, map[string]string{"a.md": "alpha"}, Options{})
	all := make([]func(), max(2, runtime.GOMAXPROCS(0)))
	for i := range all {
		var err error
		if all[i], err = r.turns.Take(t.Context(), "bob"); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Search(ctx, Query{Texts: []string{"alpha"}, For: "ann"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a search did not wait: %v", err)
	}
	for _, done := range all {
		done()
	}
	if got := r.find(Query{Texts: []string{"alpha"}, For: "ann"}); len(got.Hits) != 1 {
		t.Errorf("found %v", got.Hits)
	}
}
