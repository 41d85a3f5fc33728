package chunk

import (
	"strings"
	"testing"
	"unicode/utf8"

	"rein/vault/parse"
)

// check holds what is always true of the pieces of a text.
func check(t *testing.T, text []byte, o Options) []Chunk {
	t.Helper()
	note := parse.Parse(text)
	all, whole := Cut(text, &note, o)
	if !whole {
		t.Fatal("something is left out")
	}
	end := 0
	for i, c := range all {
		if c.Start > end || c.End <= c.Start || c.End > len(text) || c.End <= end {
			t.Fatalf("piece %d is %d–%d after one that ends at %d, in a text of %d", i, c.Start, c.End, end, len(text))
		}
		if utf8.Valid(text) && !utf8.Valid(text[c.Start:c.End]) {
			t.Fatalf("piece %d cuts a character in two", i)
		}
		if got, want := [2]int{c.RuneStart, c.RuneEnd}, [2]int{utf8.RuneCount(text[:c.Start]), utf8.RuneCount(text[:c.End])}; len(text) < 1<<13 && got != want {
			t.Fatalf("piece %d has characters %v, want %v", i, got, want)
		}
		if most := o.orDefault().Size * 11 / 10; c.RuneEnd-c.RuneStart > most {
			t.Fatalf("piece %d has %d characters", i, c.RuneEnd-c.RuneStart)
		}
		if c.Hash != HashOf(text[c.Start:c.End]) {
			t.Fatalf("piece %d has the hash of another text", i)
		}
		end = c.End
	}
	if end != len(text) {
		t.Fatalf("pieces end at %d of %d", end, len(text))
	}
	return all
}

func TestCut(t *testing.T) {
	long := strings.Repeat("A sentence of some words. ", 400)
	tests := []struct {
		name, text string
		sections   []string
	}{
		{"empty", "", nil},
		{"plain", "one\n", []string{""}},
		{"front matter only", "---\ntitle: x\n---\n", []string{""}},
		{"front matter goes with the first heading", "---\ntitle: x\n---\n\n# A\na\n", []string{"A"}},
		{"cut at headings", "intro\n# A\na\n## B\nb\n# C\nc", []string{"", "A", "B", "C"}},
		{"a heading without text goes with the one below", "# A\n\n## B\nb\n", []string{"B"}},
		{"but not with its equal", "# A\n# B\nb\n", []string{"A", "B"}},
		{"long sections are cut", "# A\n" + long, []string{"A", "A", "A", "A", "A"}},
		{"no blanks at all", strings.Repeat("é", 7000), []string{"", "", ""}},
		{"heading in code", "# A\n```\n# not\n```\n", []string{"A"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			note := parse.Parse([]byte(tt.text))
			var got []string
			for _, c := range check(t, []byte(tt.text), Options{}) {
				name := ""
				if c.Heading >= 0 {
					name = note.Headings[c.Heading].Name
				}
				got = append(got, name)
			}
			if strings.Join(got, "|") != strings.Join(tt.sections, "|") || len(got) != len(tt.sections) {
				t.Errorf("sections %q, want %q", got, tt.sections)
			}
		})
	}
}

func TestPiecesOverlap(t *testing.T) {
	text := []byte(strings.Repeat("word and word again. ", 1000))
	all := check(t, text, Options{})
	for i := 1; i < len(all); i++ {
		if over := all[i-1].End - all[i].Start; over < 350 || over > 400 {
			t.Errorf("pieces %d and %d share %d characters", i-1, i, over)
		}
	}
}

func FuzzCut(f *testing.F) {
	for _, s := range []string{"", "# a\nb", "---\na: [\n---\n\n## x\n\ny\n===\n", "日本語 #tag [[a|b]]\n```\ncode", "\xff\xfe\x00", "- > # a\n  b\n", strings.Repeat("x ", 3000)} {
		f.Add([]byte(s), 100, 20)
	}
	f.Fuzz(func(t *testing.T, text []byte, size, overlap int) {
		check(t, text, Options{Size: min(max(size, 8), 5000), Overlap: overlap})
		check(t, text, Options{})
	})
}
