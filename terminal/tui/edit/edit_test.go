package edit_test

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/google/go-cmp/cmp"

	"rein/terminal/tui/edit"
	"rein/terminal/tui/look"
)

func newInput(history ...string) *edit.Input {
	i := edit.New(look.New(true), history)
	i.Rows(80, 8)
	return i
}

func wants(t *testing.T, i *edit.Input, want string, keys ...string) {
	t.Helper()
	typeIn(i, keys...)
	if got := i.Text(); got != want {
		t.Errorf("after %q: %q, want %q", keys, got, want)
	}
}

func TestSend(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		keys []string
		want *edit.Sent
		left string
	}{
		{"Fix it. \n", []string{"enter"}, &edit.Sent{Text: "Fix it."}, ""},
		{" /etc is full", []string{"enter"}, &edit.Sent{Text: " /etc is full"}, ""},
		{"!  ls -l ", []string{"enter"}, &edit.Sent{Text: "ls -l", Shell: true}, ""},
		{" !ls", []string{"enter"}, &edit.Sent{Text: " !ls"}, ""},
		{"  \n ", []string{"enter"}, nil, "  \n "},
		{"! ", []string{"enter"}, nil, "! "},
		{`one\`, []string{"enter", "type two"}, nil, "one\ntwo"},
		{`!make \`, []string{"enter", "type -j2"}, nil, "!make \\\n-j2"},
		{`one\ two`, []string{"enter"}, &edit.Sent{Text: `one\ two`}, ""},
		{"one", []string{"shift+enter", "alt+enter", "ctrl+j"}, nil, "one\n\n\n"},
		{"/model", []string{"enter"}, &edit.Sent{Text: "/model"}, ""},
	} {
		i := newInput()
		i.Set(c.text)
		e := typeIn(i, c.keys...)
		if diff := cmp.Diff(c.want, e.Send); diff != "" || i.Text() != c.left || !e.Taken {
			t.Errorf("%q and %q: %+v, left is %q; -want +got:\n%s", c.text, c.keys, e, i.Text(), diff)
		}
	}
}

// The input says so where a key is not for the text.
func TestEvents(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		keys []string
		want edit.Event
		left string
	}{
		{"", []string{"/"}, edit.Event{Palette: true, Taken: true}, ""},
		{"", []string{"ctrl+k"}, edit.Event{Palette: true, Taken: true}, ""},
		{"a", []string{"/"}, edit.Event{Taken: true}, "a/"},
		{"", []string{"ctrl+g"}, edit.Event{Edit: true, Taken: true}, ""},
		{"a", []string{"ctrl+x", "ctrl+e"}, edit.Event{Edit: true, Taken: true}, "a"},
		{"a", []string{"ctrl+x", "b", "ctrl+e"}, edit.Event{Taken: true}, "ab"},
		{"", []string{"ctrl+d"}, edit.Event{}, ""},
		{"a", []string{"home", "ctrl+d"}, edit.Event{Taken: true}, ""},
		{"a", []string{"esc"}, edit.Event{}, "a"},
		{"a", []string{"tab"}, edit.Event{}, "a"},
		{"a", []string{"f5"}, edit.Event{}, "a"},
		{"a", []string{"alt+x"}, edit.Event{}, "a"},
	} {
		i := newInput()
		i.Set(c.text)
		e := typeIn(i, c.keys...)
		if diff := cmp.Diff(c.want, e); diff != "" || i.Text() != c.left {
			t.Errorf("%q and %q: left is %q; -want +got:\n%s", c.text, c.keys, i.Text(), diff)
		}
	}
}

// A key says what it typed, wherever it is on the keyboard.
func TestKeyboards(t *testing.T) {
	t.Parallel()
	i := newInput()
	if e := i.Key(tea.KeyPressMsg{Code: '7', ShiftedCode: '/', Mod: tea.ModShift, Text: "/"}); !e.Palette {
		t.Errorf("a / that is on the 7: %+v", e)
	}
	i.Key(tea.KeyPressMsg{Code: 'q', Mod: tea.ModCtrl | tea.ModAlt, Text: "@"})
	i.Key(tea.KeyPressMsg{Code: 'a', Mod: tea.ModShift, Text: "A"})
	i.Key(tea.KeyPressMsg{Code: 'ф', BaseCode: 'a', Mod: tea.ModCtrl})
	i.Key(tea.KeyPressMsg{Code: tea.KeySpace, Text: " "})
	if got := i.Text(); got != " A" && got != " @A" {
		t.Errorf("typed %q", got)
	}
	i.Key(tea.KeyPressMsg{Code: tea.KeyKpEnter, Mod: tea.ModShift})
	if got := i.Text(); !strings.Contains(got, "\n") {
		t.Errorf("Shift+Enter on the number pad: %q", got)
	}
}

// A question is just a text.
func TestPlain(t *testing.T) {
	t.Parallel()
	i := newInput()
	i.Plain()
	for _, text := range []string{"/a @b", "!c"} {
		e := typeIn(i, "type "+text, "enter")
		if e.Send == nil || e.Send.Text != text || e.Send.Shell {
			t.Errorf("%q was sent as %+v", text, e.Send)
		}
	}
	if e := typeIn(i, "type @"); e.Wants != nil {
		t.Errorf("it wants %+v", e.Wants)
	}
}

func TestKillAndUndo(t *testing.T) {
	t.Parallel()
	i := newInput()
	wants(t, i, "one two ", "type one two three", "ctrl+w")
	wants(t, i, "", "ctrl+w", "ctrl+w")
	wants(t, i, "one two three", "ctrl+y")
	wants(t, i, "", "ctrl+_")
	wants(t, i, "one ", "ctrl+_")
	wants(t, i, "one two ", "ctrl+_")
	wants(t, i, "one two three", "ctrl+_")
	wants(t, i, "one two ", "ctrl+_")
	wants(t, i, "one ", "ctrl+z")
	wants(t, i, "", "ctrl+_", "ctrl+_", "ctrl+_")
}

// Up and down keep to the column they began in, through shorter rows and rows that were broken.
func TestUpAndDown(t *testing.T) {
	t.Parallel()
	i := edit.New(look.New(true), nil)
	i.Set("a long row here\nab\n日本 and then words that go down")
	var at [][2]int
	for _, key := range []string{"ctrl+home", "right", "right", "right", "right", "right", "down", "down", "down", "down", "up", "up", "up"} {
		i.Rows(20, 9)
		typeIn(i, key)
		_, x, y := i.Rows(20, 9)
		at = append(at, [2]int{x, y})
	}
	want := [][2]int{{2, 0}, {3, 0}, {4, 0}, {5, 0}, {6, 0}, {7, 0}, {4, 1}, {7, 2}, {7, 3}, {6, 4}, {7, 3}, {7, 2}, {4, 1}}
	if diff := cmp.Diff(want, at); diff != "" {
		rows, _, _ := i.Rows(20, 9)
		t.Errorf("-want +got:\n%s\n%s", diff, look.Plainly(strings.Join(rows, "\n")))
	}
}
