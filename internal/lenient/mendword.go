package lenient

import (
	"encoding/json"
	"strings"
)

// regex reads /a pattern/ as a string.
func (m *mender) regex() any {
	end := m.i + 1
	for end < len(m.text) && m.text[end] != '/' {
		if m.text[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end+1, len(m.text))
	m.step(end - m.i)
	value := m.text[m.i:end]
	m.i = end
	return strings.ToValidUTF8(value, "\uFFFD")
}

// unescape takes one level of escapes off the rest of the text: the whole was written as if inside
// of a string.
func (m *mender) unescape() {
	m.unescaped = true
	m.step(len(m.text) - m.i)
	var out strings.Builder
	rest := m.rest()
	for i := 0; i < len(rest); i++ {
		if rest[i] == '\\' {
			if i++; i == len(rest) {
				break
			}
			switch rest[i] {
			case 'n', 't', 'r':
				out.WriteByte('\n')
				continue
			case '"', '\\', '\'', '/':
			default:
				out.WriteByte('\\')
			}
		}
		out.WriteByte(rest[i])
	}
	m.text = m.text[:m.i] + out.String()
}

// number returns the length of the number at hand and what it is; a number that cannot be one in
// JSON (a leading zero, say) is kept as a string, because its spelling may matter.
func (m *mender) number() (int, any) {
	rest := m.rest()
	n := 0
	digits := func() int {
		from := n
		for n < len(rest) && '0' <= rest[n] && rest[n] <= '9' {
			n++
		}
		return n - from
	}
	sign, fraction, exponent := "", "", ""
	if rest[0] == '-' {
		sign, n = "-", 1
	}
	from := n
	digits()
	whole := rest[from:n]
	if n < len(rest) && rest[n] == '.' {
		n++
		from := n
		digits()
		fraction = "." + orZero(rest[from:n])
	}
	if n < len(rest) && rest[n]|0x20 == 'e' && (whole != "" || fraction != "") {
		from := n
		if n++; n < len(rest) && (rest[n] == '+' || rest[n] == '-') {
			n++
		}
		if exponent = rest[from:n]; digits() == 0 {
			exponent += "0"
		} else {
			exponent = rest[from:n]
		}
	}
	m.step(n + 1)
	if n == 0 || n < len(rest) && strings.IndexByte(" \t\r\n,:[]{}()/\"'", rest[n]) < 0 || fraction == ".0" && whole == "" {
		return 0, nil
	}
	if len(whole) > 1 && whole[0] == '0' {
		return n, rest[:n]
	}
	return n, json.Number(sign + orZero(whole) + fraction + exponent)
}

func orZero(digits string) string {
	if digits == "" {
		return "0"
	}
	return digits
}

// words maps the words of JSON, Python and JavaScript to what they mean.
var words = map[string]any{
	"true": true, "false": false, "null": nil,
	"True": true, "False": false, "None": nil,
	"TRUE": true, "FALSE": false, "NULL": nil,
	"undefined": nil, "NaN": nil,
}

// word reads a value without quotes: a known word, a call around a value, or a string.
func (m *mender) word() any {
	rest := m.rest()
	n := wordLen(rest)
	if after := strings.TrimLeft(rest[n:], space); n > 0 && rest[n-1] < 0x80 && strings.HasPrefix(after, "(") {
		m.i += len(rest) - len(after)
		m.step(n)
		return m.call()
	}
	n = 0
	for n < len(rest) && !m.endsWord(rest, n) {
		n++
	}
	m.step(n + 1)
	text := strings.TrimSpace(rest[:n])
	if m.i += n; m.peek() == '"' {
		m.i++ // the quote at its start was forgotten
	}
	if value, ok := words[text]; ok {
		if m.i > 0 && m.text[m.i-1] == '"' {
			m.i-- // the quote begins what follows
		}
		return value
	}
	if text == "" {
		m.fail("a value was expected")
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}

func (m *mender) endsWord(rest string, n int) bool {
	switch c := rest[n]; c {
	case ',', '[', ']', '{', '}', '\n', '"':
		return true
	case ')':
		return m.within('(')
	case '/':
		comment := n+1 < len(rest) && (rest[n+1] == '/' || rest[n+1] == '*')
		return comment && n > 0 && strings.IndexByte(space, rest[n-1]) >= 0
	}
	return false
}

// call reads the value in `name(value);`.
func (m *mender) call() any {
	m.enter('(')
	defer m.leave()
	value := m.value()
	m.skip()
	if m.peek() == ')' {
		if m.i++; m.peek() == ';' {
			m.i++
		}
	}
	return value
}
