package edit_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/terminal/tui/edit"
	"rein/terminal/tui/look"
)

// A long paste is one character: it is passed, deleted and killed as one, and is sent beside the text.
func TestLongPaste(t *testing.T) {
	t.Parallel()
	lines, characters := strings.Repeat("a\tline\r\n", 9), strings.Repeat("日", 1001)
	i := newInput()
	typeIn(i, "type a")
	i.Paste(lines)
	i.Paste(characters)
	i.Paste(strings.Repeat("8 lines\n", 8))
	typeIn(i, "ctrl+_", "type b")
	wants(t, i, "a[pasted 9 lines][pasted 1,001 characters]b")
	if _, x, _ := i.Rows(80, 8); x != 2+len(i.Text()) {
		t.Errorf("the cursor is at %d", x)
	}
	wants(t, i, "a[pasted 1,001 characters]b", "left", "left", "backspace")
	wants(t, i, "a[pasted 9 lines][pasted 1,001 characters]b", "ctrl+_")
	wants(t, i, "[pasted 9 lines][pasted 1,001 characters]b", "home", "delete")
	wants(t, i, "b[pasted 9 lines][pasted 1,001 characters]", "alt+d", "ctrl+_", "right", "right", "ctrl+u", "end", "ctrl+y")
	e := typeIn(i, "enter")
	want := &edit.Sent{Text: "b[pasted 9 lines][pasted 1,001 characters]", Pastes: []string{strings.Repeat("a\tline\n", 9), characters}}
	if diff := cmp.Diff(want, e.Send); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// After the editor, and after what could not be sent, labels stand for the same pastes. A label that somebody typed does not.
func TestLabels(t *testing.T) {
	t.Parallel()
	one, two := strings.Repeat("one\n", 9), strings.Repeat("two\n", 9)
	i := newInput()
	i.Paste(one)
	i.Paste(two)
	i.Set("[pasted 10 lines] second [pasted 9 lines #2], first [pasted 9 lines]")
	e := typeIn(i, "enter")
	if diff := cmp.Diff([]string{two, one}, e.Send.Pastes); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	i.Set(e.Send.Text)
	if again := typeIn(i, "enter"); !cmp.Equal(again.Send, e.Send) {
		t.Errorf("sent again: %+v", again.Send)
	}
	if e := typeIn(i, "type [pasted 9 lines]", "enter"); e.Send.Pastes != nil {
		t.Errorf("a label that was typed brought %q", e.Send.Pastes)
	}
}

// In a line of shell a paste is where its label is.
func TestPasteInShell(t *testing.T) {
	t.Parallel()
	i := newInput()
	typeIn(i, "type !cat <<END")
	i.Paste(strings.Repeat("\nx", 9))
	typeIn(i, "ctrl+j", "type END")
	e := typeIn(i, "enter")
	if want := "cat <<END" + strings.Repeat("\nx", 9) + "\nEND"; e.Send == nil || e.Send.Text != want || e.Send.Pastes != nil || !e.Send.Shell {
		t.Errorf("sent %+v", e.Send)
	}
}

// Nothing that is pasted steers the terminal, or is sent without being seen.
func TestPastesAreClean(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\r\nb\rc":                            "a\nb\nc",
		"\x1b[31mred\x1b[0m \x1b]0;title\x07x": "red x",
		"bell\x07 nul\x00 esc\x1b del\x7f":     "bell nul esc del",
		"c1\u009b31m":                          "c131m",
		"hid\u202eden\u2066 \u200bzero\ufeff":  "hidden zero",
		"tags\U000e0041\U000e0042":             "tags",
		"not UTF-8 \xff\xfe":                   "not UTF-8 ",
		"❤️ 👨‍👩‍👧 می\u200cخواهم e\u0301":       "❤️ 👨‍👩‍👧 می\u200cخواهم e\u0301",
		"a\u200db":              "ab",
		"an open \x1b]52;c;xyz": "an open ]52;c;xyz",
	} {
		i := newInput()
		i.Paste(text)
		if got := i.Text(); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// A joiner that is typed between two keys joins, if it can.
func TestTypedJoiners(t *testing.T) {
	t.Parallel()
	i := newInput()
	wants(t, i, "👩‍🍳می\u200cخa", "type 👩", "\u200d", "🍳", "type می", "\u200c", "type خa", "\u200d", "\u202e")
	wants(t, i, "می\u200cخa", "home", "delete")
}

func FuzzPaste(f *testing.F) {
	f.Add("e\u0301\x1b[31m👩‍🍳", "\u0301日本\r\n\tx", 20)
	f.Add("🇩", "🇪🇩🇪", 1)
	f.Fuzz(func(t *testing.T, first, second string, width int) {
		i := edit.New(look.New(true), nil)
		i.Paste(second)
		typeIn(i, "home")
		i.Paste(first)
		was := i.Text()
		fits(t, i, 1+min(max(width, 0), 200), 3)
		i.Set(was)
		if got := i.Text(); got != was {
			t.Fatalf("%q became %q when it was set again", was, got)
		}
	})
}
