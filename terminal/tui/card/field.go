package card

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"rein/terminal/tui/look"
)

// A field is text that is being typed, with a cursor. It only holds what can be seen, so what is sent is what was shown.
type field struct {
	before, after string // the cursor
	lines         bool   // it may have more than one line
}

func (f *field) text() string    { return f.before + f.after }
func (f *field) trimmed() string { return strings.TrimSpace(f.text()) }
func (f *field) isEmpty() bool   { return f.before == "" && f.after == "" }

// set puts the cursor behind so many bytes of a text.
func (f *field) set(text string, at int) { f.before, f.after = text[:at], text[at:] }

// insert adds a text that is safe to show.
func (f *field) insert(text string) { f.before += text }

// oneLine is a text of others for a field of one line.
func oneLine(text string) string {
	return strings.ReplaceAll(strings.TrimRight(look.Safe(text), "\n"), "\n", " ")
}

// key takes a key, and reports whether it means something here.
func (f *field) key(name string, k tea.KeyPressMsg) bool {
	switch name {
	case "left", "ctrl+b":
		f.move(len(f.before) - lastCluster(f.before))
	case "right", "ctrl+f":
		f.move(len(f.before) + firstCluster(f.after))
	case "home", "ctrl+a":
		f.move(f.lineStart())
	case "end", "ctrl+e":
		f.move(f.lineEnd())
	case "ctrl+left", "alt+left", "alt+b":
		f.move(wordStart(f.before))
	case "ctrl+right", "alt+right", "alt+f":
		f.move(len(f.before) + wordEnd(f.after))
	default:
		return f.change(name) || f.vertical(name) || f.typed(k)
	}
	return true
}

// change is for keys that delete.
func (f *field) change(name string) bool {
	switch name {
	case "backspace", "ctrl+h":
		f.before = f.before[:len(f.before)-lastCluster(f.before)]
	case "delete", "ctrl+d":
		f.after = f.after[firstCluster(f.after):]
	case "ctrl+u":
		f.before = f.before[:f.lineStart()]
	case "ctrl+k":
		f.after = f.after[f.lineEnd()-len(f.before):]
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		f.before = f.before[:wordStart(f.before)]
	default:
		return false
	}
	return true
}

// vertical is for keys that only a field of many lines has.
func (f *field) vertical(name string) bool {
	const page = 10
	if !f.lines {
		return false
	}
	switch name {
	case "up":
		f.up()
	case "down":
		f.down()
	case "pgup":
		for range page {
			f.up()
		}
	case "pgdown":
		for range page {
			f.down()
		}
	case "enter":
		f.insert("\n")
	case "tab":
		f.insert("  ")
	default:
		return false
	}
	return true
}

func (f *field) typed(k tea.KeyPressMsg) bool {
	if k.Text == "" || k.Mod&(tea.ModCtrl|tea.ModAlt|tea.ModMeta|tea.ModHyper|tea.ModSuper) != 0 {
		return false
	}
	f.insert(look.SafeLine(k.Text))
	return true
}

// move puts the cursor behind so many bytes of the whole.
func (f *field) move(at int) { f.set(f.text(), at) }

func (f *field) lineStart() int { return strings.LastIndexByte(f.before, '\n') + 1 }

func (f *field) lineEnd() int {
	if n := strings.IndexByte(f.after, '\n'); n >= 0 {
		return len(f.before) + n
	}
	return len(f.before) + len(f.after)
}

func (f *field) up() {
	start := f.lineStart()
	if start == 0 {
		f.move(0)
		return
	}
	column := look.Cells(f.before[start:])
	above := strings.LastIndexByte(f.before[:start-1], '\n') + 1
	f.move(above + fit(f.before[above:start-1], column))
}

func (f *field) down() {
	end, text := f.lineEnd(), f.text()
	if end == len(text) {
		f.move(end)
		return
	}
	column := look.Cells(f.before[f.lineStart():])
	line, _, _ := strings.Cut(text[end+1:], "\n")
	f.move(end + 1 + fit(line, column))
}

// fit is how many bytes of a line are left of a column.
func fit(line string, column int) int { return len(ansi.Truncate(line, column, "")) }

// firstCluster is how many bytes the first character has, as people count characters.
func firstCluster(s string) int {
	if s == "" {
		return 0
	}
	cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return len(cluster)
}

// lastCluster is how many bytes the last character has. One begins at every ASCII character.
func lastCluster(s string) int {
	if s == "" {
		return 0
	}
	i := len(s) - 1
	for i > 0 && s[i] >= 0x80 {
		i--
	}
	for {
		n := firstCluster(s[i:])
		if i+n >= len(s) {
			return len(s) - i
		}
		i += n
	}
}

// wordStart is where the last word of a text begins.
func wordStart(s string) int {
	s = strings.TrimRight(s, " \n")
	return strings.LastIndexAny(s, " \n") + 1
}

// wordEnd is where the first word of a text ends.
func wordEnd(s string) int {
	rest := strings.TrimLeft(s, " \n")
	if n := strings.IndexAny(rest, " \n"); n >= 0 {
		return len(s) - len(rest) + n
	}
	return len(s)
}
