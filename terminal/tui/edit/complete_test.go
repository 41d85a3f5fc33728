package edit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/terminal/tui/edit"
	"rein/terminal/tui/look"
)

func TestComplete(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		keys       []string
		want       string
	}{
		{"the best with Tab", "", []string{"type see @park", "tab"}, "see @engine/park.go "},
		{"the next with Enter", "", []string{"type @park", "down", "enter"}, "@engine/park_test.go "},
		{"fuzzy", "", []string{"type @rdm", "tab"}, "@README.md "},
		{"spaces are quoted", "", []string{"type (@ab", "tab"}, `(@"docs/a b.md" `},
		{"in quotes", "", []string{`type @"docs/a b`, "tab"}, `@"docs/a b.md" `},
		{"a quote that is there already", `@"" x`, []string{"home", "right", "right", "type a b", "tab"}, `@"docs/a b.md" x`},
		{"before a full stop", "see .", []string{"left", "type @park", "tab"}, "see @engine/park.go."},
		{"before more", "see now", []string{"home", "right", "right", "right", "type  @park", "tab", "type x"}, "see @engine/park.go xnow"},
		{"a folder goes on", "", []string{"type @docs/", "tab", "type a", "tab"}, `@"docs/a b.md" `},
		{"a folder with a space", "", []string{"type @my", "tab", "type x"}, `@"my notes/x`},
		{"a file in it", "", []string{"type @my", "tab", "type x", "tab"}, `@"my notes/x.md" `},
		{"not inside a word", "", []string{"type mail@park", "tab"}, "mail@park"},
		{"not @@", "", []string{"type @@park", "tab"}, "@@park"},
		{"not in a word that goes on", "park", []string{"home", "type @pa", "tab"}, "@papark"},
		{"closed", "", []string{"type @park", "esc", "enter"}, ""},
		{"closed and opened", "", []string{"type @pa", "esc", "type r", "tab", "tab"}, "@engine/park.go "},
		{"moved away", "", []string{"type @park", "left", "left", "left", "left", "left", "tab"}, "@park"},
		{"nothing found", "", []string{"type @zzz", "tab"}, "@zzz"},
		{"a command", "/", []string{"type he", "tab", "type x"}, "/help x"},
		{"a command that is written", "/", []string{"type mode", "enter"}, ""},
		{"a command that is not", "/", []string{"type mod", "enter"}, "/model "},
		{"a command not at the start", "a ", []string{"type /mod", "tab"}, "a /mod"},
		{"undone", "", []string{"type see @park", "tab", "ctrl+_"}, "see @park"},
	} {
		i := newInput()
		i.Set(c.text)
		typeIn(i, c.keys...)
		if got := i.Text(); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The menu is there while there is something to choose, and has nothing that cannot be written.
func TestMenu(t *testing.T) {
	t.Parallel()
	i := newInput()
	menu := func() string { return look.Plainly(strings.Join(i.Menu(40, 9), "\n")) }
	if menu() != "" {
		t.Errorf("an empty input has the menu %q", menu())
	}
	e := i.Key(press("@"))
	if diff := cmp.Diff(edit.File, e.Wants.Kind); diff != "" || e.Wants.Prefix != "" || menu() != "" {
		t.Errorf("it wants %+v and has the menu %q", e.Wants, menu())
	}
	i.Suggest(*e.Wants, append(files, edit.Suggestion{Text: `a "b`}, edit.Suggestion{Text: "two\nlines"}, edit.Suggestion{Text: ""}))
	if got := strings.Count(menu(), "\n") + 1; got != 7 {
		t.Errorf("the menu has %d rows:\n%s", got, menu())
	}
	for _, row := range i.Menu(12, 9) {
		if look.Cells(row) > 12 {
			t.Errorf("%d cells: %q", look.Cells(row), row)
		}
	}
	typeIn(i, "type zz")
	if menu() != "" {
		t.Errorf("nothing matches, and there is %q", menu())
	}
}

// What comes late is for what is typed by now, or for nobody.
func TestLateSuggestions(t *testing.T) {
	t.Parallel()
	i := newInput()
	first := i.Key(press("@")).Wants
	later := i.Key(press("p")).Wants
	i.Suggest(*first, files)
	if rows := i.Menu(40, 9); len(rows) != 2 {
		t.Errorf("all files, asked for before the p, give %q", rows)
	}
	i.Key(press("backspace"))
	i.Suggest(*later, files[:1])
	if rows := i.Menu(40, 9); len(rows) != 7 {
		t.Errorf("what was found for a longer name took the place of all: %q", rows)
	}
	typeIn(i, "type README.md and @")
	i.Suggest(*first, files[:1])
	if rows := i.Menu(40, 9); len(rows) != 7 {
		t.Errorf("what was found for another place is shown: %q", rows)
	}
	typeIn(i, "esc")
	i.Suggest(edit.Completing{Kind: edit.File}, files)
	if rows := i.Menu(40, 9); rows != nil {
		t.Errorf("a menu that was closed is back: %q", rows)
	}
}
