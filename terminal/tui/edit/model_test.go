package edit_test

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// A model is an editor as simple as it can be: a text that is taken apart again for each key. A paste is a control
// character, and rows are lines.
type model struct {
	text   string
	pos    int // bytes
	pastes []pasted
	killed string

	last    string // what the key before did
	goal    int
	undoing []snapshot
	history []string
	at      int
	kept    map[int]string
	sent    []string
}

type pasted struct{ label, text string }

type snapshot struct {
	text string
	pos  int
}

// edges are where the characters of the text begin, and its end.
func (m *model) edges() (edges []int) {
	for rest := m.text; rest != ""; {
		edges = append(edges, len(m.text)-len(rest))
		character, _ := ansi.FirstGraphemeCluster(rest, ansi.GraphemeWidth)
		rest = rest[len(character):]
	}
	return append(edges, len(m.text))
}

func (m *model) left(pos int) int {
	before := 0
	for _, edge := range m.edges() {
		if edge >= pos {
			break
		}
		before = edge
	}
	return before
}

func (m *model) right(pos int) int {
	for _, edge := range m.edges() {
		if edge > pos {
			return edge
		}
	}
	return len(m.text)
}

// runeAt is the first character of what stands at a position.
func (m *model) runeAt(pos int) rune {
	r, _ := utf8.DecodeRuneInString(m.text[pos:])
	return r
}

func (m *model) replace(from, to int, with string, alone bool) {
	if from == to && with == "" {
		return
	}
	if alone {
		m.undoing = append(m.undoing, snapshot{m.text, m.pos})
	}
	m.text = m.text[:from] + with + m.text[to:]
	m.pos = from + len(with)
	for !slices.Contains(m.edges(), m.pos) {
		m.pos++
	}
}

func (m *model) start(pos int) int {
	at := strings.LastIndexByte(m.text[:pos], '\n') + 1
	if at == 0 && pos > 1 && m.isShell() {
		return 1
	}
	return at
}

func (m *model) isShell() bool { return m.text != "" && m.edges()[1] == 1 && m.text[0] == '!' }

func (m *model) end(pos int) int {
	if n := strings.IndexByte(m.text[pos:], '\n'); n >= 0 {
		return pos + n
	}
	return len(m.text)
}

func isWord(r rune) bool {
	return r < ' ' && r != '\n' && r != '\t' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}

// skip goes left or right over what a function accepts.
func (m *model) skip(pos int, left bool, over func(rune) bool) int {
	for {
		next := m.right(pos)
		at := pos
		if left {
			next = m.left(pos)
			at = next
		}
		if next == pos || !over(m.runeAt(at)) {
			return pos
		}
		pos = next
	}
}

func isGap(r rune) bool   { return !isWord(r) }
func isSolid(r rune) bool { return !unicode.IsSpace(r) }

func (m *model) word(pos int, left bool) int { return m.skip(m.skip(pos, left, isGap), left, isWord) }

// key takes a key by its name; what types something is the text itself.
func (m *model) key(name string) {
	last := m.last
	m.last = ""
	switch name {
	case "left", "right", "alt+b", "alt+f", "home", "end", "ctrl+home", "ctrl+end":
		m.pos = map[string]func() int{
			"left": func() int { return m.left(m.pos) }, "right": func() int { return m.right(m.pos) },
			"alt+b": func() int { return m.word(m.pos, true) }, "alt+f": func() int { return m.word(m.pos, false) },
			"home": func() int { return m.start(m.pos) }, "end": func() int { return m.end(m.pos) },
			"ctrl+home": func() int { return 0 }, "ctrl+end": func() int { return len(m.text) },
		}[name]()
	case "up", "down":
		m.vertical(name == "up", last == "moved")
		m.last = "moved"
	case "backspace":
		m.replace(m.left(m.pos), m.pos, "", true)
	case "delete":
		m.replace(m.pos, m.right(m.pos), "", true)
	case "ctrl+k", "ctrl+u", "ctrl+w", "alt+backspace", "alt+d":
		m.kill(name, last == "killed")
		m.last = "killed"
	case "ctrl+y":
		m.replace(m.pos, m.pos, m.killed, true)
	case "ctrl+j":
		m.replace(m.pos, m.pos, "\n", true)
	case "ctrl+_":
		if n := len(m.undoing) - 1; n >= 0 {
			m.text, m.pos, m.undoing = m.undoing[n].text, m.undoing[n].pos, m.undoing[:n]
		}
	case "enter":
		m.enter()
	default:
		before := 'x'
		if m.pos > 0 {
			before = m.runeAt(m.left(m.pos))
		}
		m.replace(m.pos, m.pos, name, last != "typed" || unicode.IsSpace(before) && name != " ")
		m.last = "typed"
	}
}

func (m *model) kill(name string, more bool) {
	from, to := m.pos, m.pos
	switch name {
	case "ctrl+k":
		if to = m.end(m.pos); to == m.pos {
			to = m.right(m.pos)
		}
	case "ctrl+u":
		if from = m.start(m.pos); from == m.pos {
			from = m.left(m.pos)
		}
	case "ctrl+w":
		from = m.skip(m.skip(m.pos, true, unicode.IsSpace), true, isSolid)
	case "alt+backspace":
		from = m.word(m.pos, true)
	case "alt+d":
		to = m.word(m.pos, false)
	}
	own := m.text[from:to]
	switch {
	case own == "":
		return
	case !more:
		m.killed = own
	case to == m.pos:
		m.killed = own + m.killed
	default:
		m.killed += own
	}
	m.replace(from, to, "", true)
}

// column is how many cells are before a position of a line.
func (m *model) column(start, pos int) (cells int) {
	return ansi.StringWidth(m.shown(m.text[start:pos]))
}

func (m *model) vertical(up, again bool) {
	start := strings.LastIndexByte(m.text[:m.pos], '\n') + 1
	column := m.column(start, m.pos)
	if m.isShell() && start == 0 && m.pos > 0 {
		column-- // the sign is beside the text
	}
	if !again {
		m.goal = column
	}
	switch {
	case up && start == 0:
		m.recall(-1)
	case up:
		m.toColumn(strings.LastIndexByte(m.text[:start-1], '\n') + 1)
	case m.end(m.pos) == len(m.text):
		m.recall(1)
	default:
		m.toColumn(m.end(m.pos) + 1)
	}
}

func (m *model) toColumn(start int) {
	m.pos = start
	for m.pos < m.end(start) {
		next := m.right(m.pos)
		column := m.column(start, next)
		if m.isShell() && start == 0 {
			column--
		}
		if column > m.goal {
			return
		}
		m.pos = next
	}
}

func (m *model) recall(by int) {
	if to := m.at + by; to < 0 || to > len(m.history) {
		return
	}
	m.kept[m.at] = m.text
	m.at += by
	kept, ok := m.kept[m.at]
	if !ok {
		kept = m.history[m.at]
	}
	m.text, m.pos, m.undoing = kept, len(kept), nil
	if by < 0 {
		m.pos = m.end(0)
	}
}

func (m *model) enter() {
	if m.pos > 0 && m.text[m.left(m.pos):m.pos] == `\` && m.pos == m.end(m.pos) {
		from := m.pos - 1
		if m.isShell() {
			from++
		}
		m.replace(from, m.pos, "\n", true)
		return
	}
	if strings.TrimSpace(m.shown(m.text)) == "" || m.isShell() && strings.TrimSpace(m.shown(m.text[1:])) == "" {
		return
	}
	m.sent = append(m.sent, m.whole())
	m.remember()
	m.text, m.pos, m.undoing = "", 0, nil
}

func (m *model) remember() {
	if n := len(m.history); n == 0 || m.history[n-1] != m.text {
		m.history = append(m.history, m.text)
	}
	m.leave()
}

func (m *model) leave() { m.at, m.kept = len(m.history), map[int]string{} }

// whole is the text as it is sent.
func (m *model) whole() string {
	text := strings.TrimRight(m.text, " \t\n")
	if m.isShell() {
		text = strings.TrimSpace(m.text[1:])
	}
	for n, p := range m.pastes {
		own := p.label
		if m.isShell() {
			own = p.text
		}
		text = strings.ReplaceAll(text, string(rune(n+1)), own)
	}
	return strings.TrimRight(text, " \t\n")
}

func (m *model) paste(text, label string) {
	m.last = ""
	if label != "" {
		m.pastes = append(m.pastes, pasted{label, text})
		text = string(rune(len(m.pastes))) // a control character is a character of its own
	}
	m.replace(m.pos, m.pos, text, true)
}

// shown is a text as people see it.
func (m *model) shown(text string) string {
	for n, p := range m.pastes {
		text = strings.ReplaceAll(text, string(rune(n+1)), p.label)
	}
	return strings.ReplaceAll(text, "\t", "    ")
}
