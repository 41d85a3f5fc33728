package edit_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rein/terminal/tui/edit"
	"rein/terminal/tui/look"
)

var update = flag.Bool("update", false, "write what is drawn into the golden files")

const long = "Why is TestPark flaky? Run it fifty times, read the code that wakes the run, and fix it: 日本語の文 is fine, engine/park.go is where I would look."

var files = []edit.Suggestion{{Text: "engine/park.go"}, {Text: "engine/park_test.go"}, {Text: "docs/a b.md", About: "note"}, {Text: "docs/"}, {Text: "README.md"}, {Text: "my notes/"}, {Text: "my notes/x.md"}, {Text: "evil\x1b[2J"}}

var commands = []edit.Suggestion{{Text: "model", About: "which model answers"}, {Text: "mode", About: "how much waits for you"}, {Text: "help", About: "the keys"}}

// answered gives an input what it wants, as the program does.
func answered(i *edit.Input, e edit.Event) {
	if e.Wants == nil {
		return
	}
	i.Suggest(*e.Wants, map[edit.Kind][]edit.Suggestion{edit.File: files, edit.Command: commands}[e.Wants.Kind])
}

func typeIn(i *edit.Input, keys ...string) (last edit.Event) {
	for _, key := range keys {
		if text, ok := strings.CutPrefix(key, "type "); ok {
			for _, letter := range text {
				last = i.Key(press(string(letter)))
				answered(i, last)
			}
			continue
		}
		last = i.Key(press(key))
		answered(i, last)
	}
	return last
}

func picture(i *edit.Input, width, most int) string {
	var b strings.Builder
	for _, row := range i.Menu(width, 4) {
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(look.Plainly(row), " "))
	}
	rows, x, y := i.Rows(width, most)
	for _, row := range rows {
		fmt.Fprintf(&b, "%s\n", strings.TrimRight(look.Plainly(row), " "))
	}
	fmt.Fprintf(&b, "cursor %d,%d\n", x, y)
	return b.String()
}

// What people see, on the main size and on a small one.
func TestPictures(t *testing.T) {
	t.Parallel()
	made := &txtar.Archive{Comment: []byte("What the input looks like. go test ./terminal/tui/edit -update writes this file.\n\n")}
	for _, c := range []struct {
		name string
		do   func(*edit.Input)
	}{
		{"empty", func(*edit.Input) {}},
		{"one line", func(i *edit.Input) { typeIn(i, "type Fix it.", "left") }},
		{"long", func(i *edit.Input) { i.Set(long) }},
		{"lines", func(i *edit.Input) { i.Paste("first\n\tsecond\n\nlast\n") }},
		{"scrolled to the end", func(i *edit.Input) { i.Set("1\n2\n3\n4\n5\n6\n7\n8") }},
		{"scrolled to the middle", func(i *edit.Input) {
			i.Set("1\n2\n3\n4\n5\n6\n7\n8")
			i.Rows(80, 4)
			typeIn(i, "up", "up", "up", "up")
		}},
		{"shell", func(i *edit.Input) { typeIn(i, "type !go test ./engine") }},
		{"shell in lines", func(i *edit.Input) { i.Set("!for i in 1 2 3; do\n  echo $i; done; " + long) }},
		{"paste", func(i *edit.Input) {
			typeIn(i, "type Explain ")
			i.Paste(strings.Repeat("a line\n", 34))
			typeIn(i, "type  and ")
			i.Paste(strings.Repeat("b line\n", 34))
		}},
		{"files", func(i *edit.Input) { typeIn(i, "type Look at @pa", "down") }},
		{"a name with spaces", func(i *edit.Input) { typeIn(i, "type Look at @ab", "tab") }},
		{"commands", func(i *edit.Input) { i.Set("/"); typeIn(i, "type mod") }},
	} {
		for _, width := range []int{80, 40} {
			i := edit.New(look.New(true), nil)
			i.Placeholder("Message rein")
			c.do(i)
			made.Files = append(made.Files, txtar.File{Name: fmt.Sprintf("%s %d", c.name, width), Data: []byte(picture(i, width, 4))})
		}
	}
	plain := edit.New(look.New(false), nil)
	plain.Set(long)
	made.Files = append(made.Files, txtar.File{Name: "without Unicode 40", Data: []byte(picture(plain, 40, 3))})
	golden(t, "testdata/input.golden", string(txtar.Format(made)))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s has\n%s\nand is now\n%s", name, want, got)
	}
}
