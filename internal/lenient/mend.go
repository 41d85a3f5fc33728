package lenient

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A mender reads what was meant to be JSON: quotes of any kind or none, missing or superfluous
// commas, colons and brackets, comments, words of Python and JavaScript, text that was cut off.
// It goes back only as far as its steps allow, so its time is linear in the text.
type mender struct {
	text  string
	i     int
	open  []byte // what it is inside of: { [ (
	steps int
	limit int
	err   error

	unescaped bool // one level of escapes was taken off the text
	cut       bool // the text ends inside of a string or before a key or value that was to come
}

// menderSteps is how often a mender may look at a byte, on average.
const menderSteps = 16

func (m *mender) fail(msg string) {
	if m.err == nil {
		m.err = &Error{Msg: msg, Offset: m.i}
	}
}

// step counts n bytes of work.
func (m *mender) step(n int) {
	if m.steps += n; m.steps > m.limit {
		m.fail("the text is too damaged to be read as JSON")
	}
}

// done reports whether there is nothing left to read, which is so after a failure.
func (m *mender) done() bool { return m.err != nil || m.i >= len(m.text) }

func (m *mender) rest() string {
	if m.done() {
		return ""
	}
	return m.text[m.i:]
}

func (m *mender) peek() byte {
	if m.done() {
		return 0
	}
	return m.text[m.i]
}

func (m *mender) inside() byte {
	if len(m.open) == 0 {
		return 0
	}
	return m.open[len(m.open)-1]
}

func (m *mender) within(kind byte) bool { return bytes.IndexByte(m.open, kind) >= 0 }

// mend reads the whole text. Values that follow each other on lines of their own, or after a comma,
// become an array if several may.
func (m *mender) mend(several bool) (any, error) {
	m.text = strings.TrimRight(m.text, space)
	if body := strings.TrimRight(m.text, "`"); len(m.text)-len(body) >= len(fence) {
		m.text = strings.TrimRight(body, space)
	}
	value := m.value()
	list := []any{value}
	for m.err == nil {
		before := m.i
		m.skip()
		for c := m.peek(); c == '}' || c == ']' || c == ',' || c == ';'; c = m.peek() {
			m.i++
			m.skip()
		}
		if m.done() {
			break
		}
		if !several || !strings.ContainsAny(m.text[before:m.i], ",\n") && (before == 0 || m.text[before-1] != '\n') {
			m.fail("there is more after the value")
			break
		}
		list = append(list, m.value())
	}
	if m.err != nil {
		return nil, m.err
	}
	if len(list) > 1 {
		return list, nil
	}
	return value, nil
}

// skip passes white space of all kinds and comments.
func (m *mender) skip() { m.i = m.skipFrom(m.i) }

func (m *mender) skipFrom(i int) int {
	start := i
	for i < len(m.text) {
		r, size := utf8.DecodeRuneInString(m.text[i:])
		rest := m.text[i:]
		switch {
		case unicode.IsSpace(r) || r == '\u200b' || r == '\ufeff' || r == '\u180e':
			i += size
		case strings.HasPrefix(rest, "//"):
			i += lineEnd(rest)
		case strings.HasPrefix(rest, "/*"):
			if n := strings.Index(rest, "*/"); n >= 0 {
				i += n + 2
			} else {
				i = len(m.text)
			}
		default:
			m.step(i - start + 1)
			return i
		}
	}
	m.step(i - start + 1)
	return i
}

func lineEnd(text string) int {
	if n := strings.IndexByte(text, '\n'); n >= 0 {
		return n
	}
	return len(text)
}

// value reads one value; it fails where there is none.
func (m *mender) value() any {
	m.skip()
	rest := m.rest()
	switch {
	case rest == "":
		m.fail("there is no value")
		return nil
	case rest[0] == '{':
		return m.object()
	case rest[0] == '[':
		return m.array()
	case quoteAt(rest) != 0:
		return m.joined()
	case rest[0] == '\\' && len(rest) > 1 && quoteAt(rest[1:]) != 0 && !m.unescaped:
		m.unescape()
		return m.value()
	case rest[0] == '/':
		return m.regex()
	}
	if n, number := m.number(); n > 0 {
		m.i += n
		return number
	}
	return m.word()
}

// enter goes into a bracket, leave out of it.
func (m *mender) enter(kind byte) {
	m.i++
	if m.open = append(m.open, kind); len(m.open) > maxDepth {
		m.err = errDepth
	}
}

func (m *mender) leave() { m.open = m.open[:len(m.open)-1] }

// filler passes commas and ellipses between the parts of an object or array.
func (m *mender) filler() {
	for {
		m.skip()
		switch {
		case m.peek() == ',':
			m.i++
		case strings.HasPrefix(m.rest(), "..."):
			m.i += 3
		default:
			return
		}
	}
}

func (m *mender) object() map[string]any {
	object := map[string]any{}
	m.enter('{')
	defer m.leave()
	for m.filler(); !m.done(); m.filler() {
		switch m.peek() {
		case '}':
			m.i++
			return object
		case ']', ')':
			return object
		case '{', '[':
			if !m.within('[') {
				m.fail("an object's key was expected")
			}
			return object
		}
		m.pair(object)
	}
	m.ended()
	return object
}

// ended notes that the text ends inside of a bracket, and whether more was to come: right after the
// bracket or a comma.
func (m *mender) ended() {
	if m.err == nil && strings.IndexByte("{[,", m.text[len(m.text)-1]) >= 0 {
		m.cut = true
	}
}

func (m *mender) pair(object map[string]any) {
	key, ok := m.key()
	if !ok {
		m.fail("an object's key was expected")
		return
	}
	m.skip()
	colon := m.peek() == ':'
	if colon {
		m.i++
		m.skip()
	}
	switch c := m.peek(); {
	case m.err != nil:
	case m.done():
		object[key] = nil
		m.cut = true
	case colon && strings.IndexByte(",}]", c) >= 0:
		object[key] = nil
	case !colon && strings.IndexByte(",}])", c) >= 0:
		m.fail("a colon was expected")
	default:
		object[key] = m.value()
	}
}

func (m *mender) key() (string, bool) {
	rest := m.rest()
	if rest == "" {
		return "", false
	}
	if quoteAt(rest) != 0 {
		return m.str(true), true
	}
	if rest[0] == '\\' && len(rest) > 1 && quoteAt(rest[1:]) != 0 && !m.unescaped {
		m.unescape()
		return m.key()
	}
	n := 0
	for n < len(rest) && strings.IndexByte(":,[]{}\n\"", rest[n]) < 0 {
		if r, size := utf8.DecodeRuneInString(rest[n:]); size > 1 && quoteLike(r) {
			break
		}
		n++
	}
	m.step(n + 1)
	key := strings.TrimSpace(rest[:n])
	if m.i += n; m.peek() == '"' && strings.HasPrefix(strings.TrimLeft(m.text[m.i+1:], space), ":") {
		m.i++ // the quote at its start was forgotten
	}
	return strings.ToValidUTF8(key, "\uFFFD"), key != ""
}

func (m *mender) array() []any {
	array := []any{}
	m.enter('[')
	defer m.leave()
	for m.filler(); !m.done(); m.filler() {
		switch m.peek() {
		case ']':
			m.i++
			return array
		case '}':
			if m.within('{') {
				return array
			}
			m.i++
			continue
		case ')':
			return array
		}
		array = append(array, m.value())
	}
	m.ended()
	return array
}
