package lenient

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// quoteAt returns the quote at the start of text, 0 if there is none.
func quoteAt(text string) rune {
	if r, _ := utf8.DecodeRuneInString(text); r == '"' || r == '\'' || quoteLike(r) {
		return r
	}
	return 0
}

// quoteLike reports whether a rune is a quote of typographers or of other keyboards.
func quoteLike(r rune) bool { return strings.ContainsRune("“”‘’`´", r) }

// closes reports whether a rune can end a string that began with a quote.
func closes(start, r rune) bool {
	switch start {
	case '"', '\'':
		return r == start
	case '“', '”':
		return r == '"' || r == '“' || r == '”'
	}
	return r == '\'' || r == '‘' || r == '’' || r == '`' || r == '´'
}

// joined reads a string and those added to it with a plus.
func (m *mender) joined() string {
	text := m.str(false)
	var parts []string
	for m.err == nil {
		after := m.skipFrom(m.i)
		if after >= len(m.text) || m.text[after] != '+' {
			break
		}
		m.i = after + 1
		if m.skip(); quoteAt(m.rest()) == 0 {
			break
		}
		parts = append(parts, m.str(false))
	}
	return text + strings.Join(parts, "")
}

// A cut is a place inside a string where it may have been meant to end.
type cut struct {
	at, length int // in the text, and of the string read until there
	set        bool
}

// str reads a string in quotes. Where a quote is missing or not escaped, what stands around it
// decides.
func (m *mender) str(key bool) string {
	start, size := utf8.DecodeRuneInString(m.text[m.i:])
	m.i += size
	var out []byte
	var delimiter, comma cut
	for !m.done() {
		r, size := utf8.DecodeRuneInString(m.text[m.i:])
		m.step(1)
		switch {
		case m.err != nil:
			return ""
		case r == '\\':
			out = m.escape(out)
			continue
		case closes(start, r) && m.ends(m.i+size, key):
			m.i += size
			return string(out)
		case closes(start, r) && comma.set && m.forgotten(comma.at, m.i, key):
			m.i = comma.at
			return strings.TrimSpace(string(out[:comma.length]))
		case r == 0:
			m.fail("a string cannot hold the character NUL")
			return ""
		}
		if here := (cut{m.i, len(out), true}); r == ',' {
			comma = here
			if !delimiter.set {
				delimiter = here
			}
		} else if !delimiter.set && (strings.ContainsRune("[]{}\n+", r) || key && r == ':') {
			delimiter = here
		}
		out = utf8.AppendRune(out, r)
		m.i += size
	}
	return m.cutOff(string(out), delimiter, key)
}

// ends reports whether a quote ends its string, by what follows it.
func (m *mender) ends(after int, key bool) bool {
	next := m.skipFrom(after)
	if next >= len(m.text) {
		return true
	}
	c := m.text[next]
	switch c {
	case ':':
		return key
	case ',':
		return m.inside() == 0 || m.inside() != '{' || key || m.partAhead(next+1)
	case '}':
		return m.within('{')
	case ']':
		return m.within('[')
	case ')':
		return m.within('(')
	case '{', '[':
		return key || m.inside() == '['
	case '+':
		rest := m.text[m.skipFrom(next+1):]
		return rest == "" || quoteAt(rest) != 0
	}
	if quoteAt(m.text[next:]) != 0 {
		return m.inside() != 0 && (next > after || !m.endsPlainly(next+1))
	}
	switch {
	case '0' <= c && c <= '9' || c == '-':
		return key || m.inside() == '['
	case key:
		return next > after && strings.IndexByte("tfnTFN", c) >= 0
	case !strings.Contains(m.text[after:next], "\n"):
		return false
	case m.inside() == '{':
		return keyAhead(m.text[next:min(len(m.text), next+maxLookahead)])
	}
	return m.inside() == '['
}

// endsPlainly reports whether a quote before a byte has a comma or bracket after it.
func (m *mender) endsPlainly(after int) bool {
	next := m.skipFrom(after)
	return next >= len(m.text) || strings.IndexByte(",}]", m.text[next]) >= 0
}

// partAhead reports whether what follows a comma can be the next part of an object. If not, the
// comma belongs to a string with a quote in it that was not escaped.
func (m *mender) partAhead(i int) bool {
	rest := m.text[m.skipFrom(i):]
	if rest == "" || quoteAt(rest) != 0 || strings.IndexByte(`}],/.{[\`, rest[0]) >= 0 {
		return true
	}
	m.step(maxLookahead)
	return keyAhead(rest[:min(len(rest), maxLookahead)])
}

// forgotten reports whether the quote at a byte begins the next string, because the one under way
// was meant to end at the comma before it.
func (m *mender) forgotten(comma, quote int, key bool) bool {
	if key || m.skipFrom(comma+1) != quote {
		return false
	}
	switch m.inside() {
	case '[':
		return true
	case '{':
		rest := m.text[quote+1 : min(len(m.text), quote+1+maxLookahead)]
		m.step(len(rest))
		n := strings.IndexByte(rest, m.text[quote])
		return n >= 0 && strings.HasPrefix(strings.TrimLeft(rest[n+1:], space), ":")
	}
	return false
}

// cutOff ends a string whose last quote is missing.
func (m *mender) cutOff(text string, delimiter cut, key bool) string {
	trimmed := strings.TrimRight(text, space)
	if trimmed == "" {
		m.cut = true
		return ""
	}
	last := trimmed[len(trimmed)-1]
	switch {
	case key && delimiter.set, delimiter.set && m.inside() != '{' && strings.IndexByte("]},+", last) >= 0:
		m.i = delimiter.at
		return strings.TrimSpace(text[:delimiter.length])
	case m.inside() != '{':
		m.cut = true
		return trimmed
	}
	m.cut = strings.TrimRight(trimmed, "}])"+space) == trimmed
	// The brackets at the end that would close what is open are brackets, not text.
	for n := len(m.open) - 1; n >= 0 && trimmed != "" && trimmed[len(trimmed)-1] == closer(m.open[n]); n-- {
		trimmed = strings.TrimRight(trimmed[:len(trimmed)-1], space)
	}
	return trimmed
}

func closer(open byte) byte {
	switch open {
	case '{':
		return '}'
	case '[':
		return ']'
	}
	return ')'
}

// escape reads what a backslash escapes. An escape that JSON does not know keeps its backslash: it
// is part of a path or a pattern.
func (m *mender) escape(out []byte) []byte {
	rest := m.text[m.i+1:]
	if rest == "" {
		m.i++
		return out
	}
	if n := strings.IndexByte(`bfnrt"\/'`+"`\n", rest[0]); n >= 0 {
		m.i += 2
		return append(out, "\b\f\n\r\t\"\\/'`\n"[n])
	}
	if rest[0] != 'u' {
		m.i++
		return append(out, '\\')
	}
	r, ok := hex4(rest[1:])
	switch {
	case !ok && len(rest) < 5:
		m.i = len(m.text)
		return out
	case !ok:
		m.fail("\\u must be followed by four hex digits")
		return out
	}
	m.i += 6
	if utf16.IsSurrogate(r) {
		if low, ok := hex4(strings.TrimPrefix(m.text[m.i:], `\u`)); ok && strings.HasPrefix(m.text[m.i:], `\u`) {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				m.i += 6
				return utf8.AppendRune(out, pair)
			}
		}
	}
	return utf8.AppendRune(out, r)
}
