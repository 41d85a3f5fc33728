package pick

import (
	"strings"
	"unicode"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// mostTyped is how many bytes a search may have.
const mostTyped = 300

// An Act is what a key or a click meant.
type Act struct {
	Chosen *Item // with Enter or a click; with an Action, the item that it is for
	Closed bool
	Action rune // a key that the owner offered
	Taken  bool // the list had a use for it
}

// Key takes a key.
func (l *List) Key(k tea.KeyPressMsg) Act {
	name := k.Keystroke()
	for _, a := range l.actions {
		if a.key == name {
			if item := l.Current(); item != nil {
				return Act{Chosen: item, Action: a.rune, Taken: true}
			}
			return Act{Taken: true}
		}
	}
	switch name {
	case "enter":
		return Act{Chosen: l.Current(), Taken: true}
	case "esc":
		return Act{Closed: true, Taken: true}
	}
	return Act{Taken: l.move(name) || l.edit(name) || l.write(k)}
}

func (l *List) move(name string) bool {
	switch name {
	case "up", "ctrl+p":
		l.Move(-1)
	case "down", "ctrl+n":
		l.Move(1)
	case "pgup":
		l.Move(-max(1, l.page-1))
	case "pgdown":
		l.Move(max(1, l.page-1))
	case "home":
		l.chosen = 0
	case "end":
		l.Move(len(l.hits))
	default:
		return false
	}
	return true
}

// Move chooses an item further up or down.
func (l *List) Move(by int) { l.chosen = max(0, min(l.chosen+by, len(l.hits)-1)) }

func (l *List) edit(name string) bool {
	switch name {
	case "backspace", "ctrl+h":
		l.Search(withoutLast(l.typed))
	case "ctrl+u":
		l.Search("")
	case "ctrl+w", "alt+backspace", "ctrl+backspace":
		l.Search(withoutWord(l.typed))
	default:
		return false
	}
	return true
}

func (l *List) write(k tea.KeyPressMsg) bool {
	if k.Text == "" || k.Mod.Contains(tea.ModAlt) {
		return false
	}
	l.Paste(k.Text)
	return true
}

// Paste appends a text to what is typed.
func (l *List) Paste(text string) {
	text = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsPrint(r) && r != unicode.ReplacementChar:
			return r
		}
		return -1
	}, text[:min(len(text), mostTyped)])
	if len(l.typed)+len(text) <= mostTyped {
		l.Search(l.typed + text)
	}
}

// withoutLast is a text without its last character, as people see characters.
func withoutLast(s string) string {
	last := 0
	for rest := s; rest != ""; {
		character, _ := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		last = len(s) - len(rest)
		rest = rest[len(character):]
	}
	return s[:last]
}

func withoutWord(s string) string {
	s = strings.TrimRight(s, " ")
	return s[:strings.LastIndexByte(s, ' ')+1]
}

// Click takes a click on one of the rows that were drawn last.
func (l *List) Click(row int) Act {
	n := l.top + row - l.above
	if row < l.above || row >= l.above+l.page || n >= len(l.lines) || l.lines[n].heading {
		return Act{Taken: true}
	}
	l.chosen = int(l.lines[n].hit)
	return Act{Chosen: l.Current(), Taken: true}
}

// Wheel takes a turn of the mouse's wheel: below zero is up.
func (l *List) Wheel(delta int) { l.Move(delta) }
