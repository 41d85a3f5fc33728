package parse

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein/vault/words"
)

func TestFrontMatter(t *testing.T) {
	tests := []struct {
		name, text     string
		title          string
		aliases, tags  []string
		problem, front string
	}{
		{"lists", "---\ntitle: A note\naliases: [One, Two]\ntags:\n  - a/b\n  - c\n---\nbody", "A note", []string{"One", "Two"}, []string{"a/b", "c"}, "", "---\ntitle: A note\naliases: [One, Two]\ntags:\n  - a/b\n  - c\n---\n"},
		{"texts", "---\nalias: One thing\ntags: '#a, b'\n---\n", "", []string{"One thing"}, []string{"a", "b"}, "", "---\nalias: One thing\ntags: '#a, b'\n---\n"},
		{"windows lines", "---\r\ntitle: T\r\n---\r\nx", "T", nil, nil, "", "---\r\ntitle: T\r\n---\r\n"},
		{"numbers and dates", "---\ntitle: 2024\ntags: [2024, x]\naliases: 2024-01-02\n---\n", "2024", []string{"2024-01-02"}, []string{"2024", "x"}, "", "---\ntitle: 2024\ntags: [2024, x]\naliases: 2024-01-02\n---\n"},
		{"malformed", "---\ntitle: a: b: [\ntags: [x, y\naliases:\n- Q\n---\n", "a: b: [", []string{"Q"}, []string{"x", "y"}, "not valid YAML", "---\ntitle: a: b: [\ntags: [x, y\naliases:\n- Q\n---\n"},
		{"no end", "---\ntitle: x\nbody", "", nil, nil, "has no end", ""},
		{"a list at the top", "---\n- a\n---\n", "", nil, nil, "not valid YAML", "---\n- a\n---\n"},
		{"a rule is none", "text\n---\na: b\n---\n", "", nil, nil, "", ""},
		{"title from a heading", "## No\n# Yes *it* is\n", "Yes it is", nil, nil, "", ""},
		{"aliases that expand", "---\na: &a [x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e]\n---\n", "", nil, nil, "not valid YAML", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n := Parse([]byte(tt.text))
			if tt.front != "" && tt.text[n.Front.Start:n.Front.End] != tt.front {
				t.Errorf("front matter %q", tt.text[n.Front.Start:n.Front.End])
			}
			if n.Title != tt.title || !cmp.Equal(n.Aliases, tt.aliases) || !cmp.Equal(n.Tags, tt.tags) {
				t.Errorf("title %q aliases %q tags %q", n.Title, n.Aliases, n.Tags)
			}
			if got := strings.Join(n.Problems, "; "); (tt.problem == "") != (got == "") || !strings.Contains(got, tt.problem) {
				t.Errorf("problems %q, want %q", got, tt.problem)
			}
		})
	}
}

func TestInline(t *testing.T) {
	text := strings.Join([]string{
		"#alpha at the start, (#beta/gamma) and #日本 but not a#b, #12, ##no or `#code`.",
		"[[Target note#Part|label]] and ![[image.png]] and [text](other%20note.md#Sec) `[[no]]`",
		"https://example.org/#frag",
		"",
		"```",
		"#incode [[incode]]",
		"```",
		"    #indented",
		"",
		"a \\#x and #alpha again #with-dash_and/",
	}, "\n")
	n := Parse([]byte(text))
	if diff := cmp.Diff([]string{"alpha", "beta/gamma", "日本", "with-dash_and"}, n.Tags); diff != "" {
		t.Errorf("tags: %s", diff)
	}
	var got []string
	for _, l := range n.Links {
		got = append(got, fmt.Sprintf("%s|%s|%s|%v|%v", l.Target, l.Section, l.Label, l.Wiki, l.Embed))
	}
	want := []string{"other note.md|Sec|text|false|false", "Target note|Part|label|true|false", "image.png|||true|true"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("links: %s", diff)
	}
}

func TestHeadings(t *testing.T) {
	text := "# One\nx\n## Notes\ny\n# Two\n## Notes\nz\n## Notes\n\nSetext *one*\n===\nbody\n> # Quoted\n\n#NoHeading\n"
	n := Parse([]byte(text))
	var got []string
	for _, h := range n.Headings {
		got = append(got, fmt.Sprintf("%d %s: %q / %q", h.Level, h.Name, text[h.Start:h.Body], text[h.Body:h.End]))
	}
	want := []string{
		`1 One: "# One\n" / "x\n## Notes\ny\n"`,
		`2 One > Notes: "## Notes\n" / "y\n"`,
		`1 Two: "# Two\n" / "## Notes\nz\n## Notes\n\n"`,
		`2 Two > Notes: "## Notes\n" / "z\n"`,
		`2 Two > Notes (2): "## Notes\n" / "\n"`,
		`1 Setext one: "Setext *one*\n===\n" / "body\n"`,
		`1 Quoted: "> # Quoted\n" / "\n#NoHeading\n"`,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for name, want := range map[string]int{"one": 0, "## Two ": 2, "One > Notes": 1, "Two#Notes": 3, "Two > Notes (2)": 4, "notes": 1} {
		if h, ok := n.Section(name); !ok || h.Start != n.Headings[want].Start {
			t.Errorf("Section(%q) = %q, %v", name, h.Name, ok)
		}
	}
	odd := Parse([]byte("# A\n# A\n# A (2)\n# # #\n# A (2)\n"))
	names := map[string]bool{}
	for _, h := range odd.Headings {
		if found, ok := odd.Section(h.Name); !ok || found.Start != h.Start || names[h.Name] {
			t.Errorf("heading at %d is called %q and found at %d", h.Start, h.Name, found.Start)
		}
		names[h.Name] = true
	}
	if _, ok := n.Section(" "); ok {
		t.Error("a blank names a section")
	}
	if _, ok := n.Section("Three"); ok {
		t.Error("found a section that is not there")
	}
}

func TestBoilerplateAndCode(t *testing.T) {
	text := "← [[Home]] | [[Next]] →\nPlain [[link]] in a sentence.\n{{date}} created\n<!-- hidden -->\n\n`x` then\n```go\nfunc\n```\n"
	n := Parse([]byte(text))
	for part, want := range map[string]bool{"[[Home": true, "Plain": false, "{{date": true, "<!--": true, "then": false} {
		if got := In(n.Boiler, strings.Index(text, part)); got != want {
			t.Errorf("boilerplate at %q: %v", part, got)
		}
	}
	for part, want := range map[string]bool{"x`": true, "then": false, "func": true} {
		if got := In(n.Code, strings.Index(text, part)); got != want {
			t.Errorf("code at %q: %v", part, got)
		}
	}
}

func TestLanguage(t *testing.T) {
	for text, want := range map[string]words.Lang{
		"The cat sat on the mat and it was not amused by what you did.": words.English,
		"De kat zat op de mat en het was niet blij met wat je deed.":    words.Dutch,
		"東京に行きました":                                                      words.Unknown,
		"wifi 12345":                                                    words.Unknown,
	} {
		if got := Parse([]byte(text)).Lang; got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// No text may take long, whatever it is made of.
//
// Attack: 41
func TestHostileTexts(t *testing.T) {
	for i, part := range []string{"[", "> ", "- ", "1. ", "*a ", "`", "![](", "[a](", "<a ", "&amp", "#", "[[", "\t", "a\n===\n", "# a\n", "- a\n  ", "> - ", "\\", "<!--", "[a]: b\n", "|", "~~~\n", "\x00", "\xff", "  - x\n", "[a][", "_a_"} {
		for _, size := range []int{1 << 20, 10 << 20} {
			if size > maxTree && i%4 != 0 { // these are read by lines, all alike
				continue
			}
			text := []byte(strings.Repeat(part, size/len(part)))
			start := time.Now()
			n := Parse(text)
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%d bytes of %q took %s", size, part, took)
			} else if took > 2*time.Second {
				t.Logf("%d bytes of %q took %s: %v", size, part, took, n.Problems)
			}
		}
	}
	nested := new(strings.Builder)
	for i := range 5000 {
		fmt.Fprintf(nested, "%s- x\n", strings.Repeat("  ", i))
	}
	start := time.Now()
	Parse([]byte(nested.String()))
	if took := time.Since(start); took > 5*time.Second {
		t.Errorf("a list of 5000 levels took %s", took)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"---\na: b\n---\n# x\n#t [[a|b#c]] `c`", "a\n===\n\n- > # b\n", "---\n\xff: [\n...\n", "~~~\n[x](y#z)\n", "\r\n# a\r\n\ttab", "#\n##\n # \n", "# # #", "# A\n# A\n# A (2)\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		n := Parse(text)
		inside := func(what string, start, end int) {
			if start < 0 || end < start || end > len(text) {
				t.Fatalf("%s at %d–%d of %d", what, start, end, len(text))
			}
		}
		names := map[string]bool{}
		for i, h := range n.Headings {
			inside("heading", h.Start, h.Body)
			inside("section", h.Start, h.End)
			if names[h.Name] || h.Text == "" {
				t.Fatalf("heading %q is not unique", h.Name)
			}
			names[h.Name] = true
			if i > 0 && h.Start < n.Headings[i-1].Start {
				t.Fatal("headings are out of order")
			}
			if found, ok := n.Section(h.Name); !ok || fold(found.Name) != fold(h.Name) {
				t.Fatalf("section %q is not found by its name", h.Name)
			}
		}
		for _, spans := range [][]Span{n.Code, n.Boiler, {n.Front}} {
			for i, s := range spans {
				inside("span", s.Start, s.End)
				if i > 0 && s.Start <= spans[i-1].End {
					t.Fatal("spans are out of order")
				}
			}
		}
		for _, l := range n.Links {
			inside("link", l.At, l.At)
		}
	})
}
