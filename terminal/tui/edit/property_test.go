package edit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"

	"rein/terminal/tui/edit"
	"rein/terminal/tui/look"
)

const wide = 3000 // columns, so that a row is a line

func press(name string) tea.KeyPressMsg {
	special := map[string]rune{
		"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight, "home": tea.KeyHome, "end": tea.KeyEnd,
		"enter": tea.KeyEnter, "esc": tea.KeyEscape, "tab": tea.KeyTab, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "f5": tea.KeyF5,
	}
	var k tea.KeyPressMsg
	rest := name
	for _, mod := range []struct {
		name string
		mod  tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if after, ok := strings.CutPrefix(rest, mod.name); ok && after != "" {
			k.Mod |= mod.mod
			rest = after
		}
	}
	if code, ok := special[rest]; ok {
		k.Code = code
		return k
	}
	if k.Code = []rune(rest)[0]; k.Mod == 0 {
		k.Text = rest
	}
	return k
}

var keys = []string{
	"a", "b", "é", "\u0301", "日", "👩", "👩‍🍳", "🍳", "🇩", "🇪", "한", "ᄒ", "ᅡ", " ", " ", "_", "-", `\`, "!", "@", `"`, "क", "्", "ष",
	"left", "left", "right", "up", "down", "home", "end", "ctrl+home", "ctrl+end", "alt+b", "alt+f",
	"backspace", "backspace", "delete", "ctrl+k", "ctrl+u", "ctrl+w", "ctrl+y", "alt+backspace", "alt+d", "ctrl+_", "ctrl+_", "ctrl+j", "enter",
}

var pastes = []struct{ text, clean, label string }{
	{"two\r\nlines", "two\nlines", ""},
	{"\tindented \x1b[31mred\x1b[0m\x00", "\tindented red", ""},
	{"hid\u202eden\u200b", "hidden", ""},
	{strings.Repeat("line\n", 12), strings.Repeat("line\n", 12), "[pasted 12 lines]"},
	{strings.Repeat("é", 1234), strings.Repeat("é", 1234), "[pasted 1,234 characters]"},
}

// Plain: it repeats the same thing thousands of times; other tests run the same code.
//
// Thousands of keys do what they do in an editor as simple as it can be, and whatever the size of the screen, rows fit
// and the cursor is where the position is.
func TestLikeTheModel(t *testing.T) {
	t.Parallel()
	sequences := 2000
	if testing.Short() {
		sequences = 400
	}
	for seed := range sequences {
		sequence(t, seed)
		if t.Failed() {
			return
		}
	}
}

func sequence(t *testing.T, seed int) {
	r := rand.New(rand.NewPCG(uint64(seed), 19))
	history := []string{"first", "second\nin two lines", "!ls"}
	i := edit.New(look.New(seed%2 == 0), history)
	m := &model{history: history, at: len(history), kept: map[int]string{}}
	i.Rows(wide, 10)
	var sent, did []string
	for range 40 {
		if n := r.IntN(60); n < len(pastes) && len(m.pastes) < 7 {
			did = append(did, "paste "+fmt.Sprint(n))
			i.Paste(pastes[n].text)
			m.paste(pastes[n].clean, m.unique(pastes[n].label))
		} else {
			name := keys[r.IntN(len(keys))]
			did = append(did, name)
			if e := i.Key(press(name)); e.Send != nil {
				sent = append(sent, e.Send.Text)
			}
			m.key(name)
		}
		got, want := strings.ReplaceAll(i.Text(), "\t", "    "), m.shown(m.text)
		if got != want {
			t.Fatalf("after %q the text is\n%q, and the model has\n%q", did, got, want)
		}
		if _, x, y := i.Rows(wide, 1<<20); x != m.x() || y != strings.Count(m.text[:m.pos], "\n") {
			t.Fatalf("after %q the cursor of %q is at %d,%d, and the model has %d,%d", did, got, x, y, m.x(), strings.Count(m.text[:m.pos], "\n"))
		}
		fits(t, i, 1+r.IntN(60), 1+r.IntN(6))
		i.Rows(wide, 10)
	}
	if got, want := fmt.Sprintf("%q", sent), fmt.Sprintf("%q", m.sent); got != want {
		t.Fatalf("after %q there was sent\n%s, and the model has\n%s", did, got, want)
	}
}

// Plain: it repeats the same thing thousands of times; other tests run the same code.
//
// Rows that are made again from a change on are those that all of the text has.
func TestRowsFollow(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 20))
		i := edit.New(look.New(true), nil)
		width := 7 + r.IntN(12)
		for range 60 {
			switch n := r.IntN(100); {
			case n < 30:
				typeIn(i, "type words and "[:6+r.IntN(9)])
			case n < 35:
				i.Paste("a longer word\n\nand more of them ")
			default:
				typeIn(i, keys[r.IntN(len(keys))])
			}
			got := picture(i, width, 1<<20)
			i.Rows(width+1, 9)
			if want := picture(i, width, 1<<20); got != want {
				t.Fatalf("%q is drawn as\n%s\nand, all of it at once, as\n%s", i.Text(), got, want)
			}
		}
	}
}

// unique is the label of a paste whose label others have already.
func (m *model) unique(label string) string {
	if label == "" {
		return ""
	}
	own := label
	for n := 2; slices.ContainsFunc(m.pastes, func(p pasted) bool { return p.label == own }); n++ {
		own = fmt.Sprintf("%s #%d]", strings.TrimSuffix(label, "]"), n)
	}
	return own
}

// x is the cell of the model's cursor.
func (m *model) x() int {
	start := strings.LastIndexByte(m.text[:m.pos], '\n') + 1
	x := 2 + m.column(start, m.pos)
	switch {
	case m.isShell() && m.pos == 0:
		return 0
	case m.isShell() && start == 0:
		return x - 1
	}
	return x
}

// fits checks what is drawn on a small screen.
func fits(t *testing.T, i *edit.Input, width, most int) {
	rows, x, y := i.Rows(width, most)
	if len(rows) == 0 || len(rows) > most || x < 0 || x >= width || y < 0 || y >= len(rows) {
		t.Fatalf("%q in %dx%d: %d rows, and the cursor is at %d,%d", i.Text(), width, most, len(rows), x, y)
	}
	for _, row := range rows {
		if look.Cells(row) > width || strings.ContainsAny(look.Plainly(row), "\n\t\x1b") {
			t.Fatalf("%q: %d cells in %d: %q", i.Text(), look.Cells(row), width, row)
		}
	}
	if all, _, _ := i.Rows(width, 1<<20); width > 40 && !i.IsEmpty() {
		shows(t, i.Text(), all)
	}
}

// shows checks that the rows have all of a text, spaces aside.
func shows(t *testing.T, text string, rows []string) {
	var b strings.Builder
	for n, row := range rows {
		row = look.Plainly(row)
		_, sign := utf8.DecodeRuneInString(row)
		if n == 0 && row[:sign] == "!" {
			text, row = strings.TrimPrefix(text, "!"), strings.TrimSuffix(row, "shell")
		}
		b.WriteString(row[sign:])
	}
	dense := func(s string) string { return strings.Join(strings.Fields(s), "") }
	if dense(b.String()) != dense(text) {
		t.Fatalf("%q is drawn as\n%s", text, strings.Join(rows, "\n"))
	}
}
