package quote

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Only what could begin one of our tags is escaped, not every "<": models read code and HTML all
// day, and "&lt;div&gt;" costs tokens, breaks edits that match on the text, and gets copied into
// files. The price is that we must recognise a tag in every disguise (see disguised).
//
// To be exact, the way back must know what was escaped from what looked escaped before. So escaping
// counts: "<" becomes "&lt;", which becomes "&amp;lt;", and so on, one "amp;" a time; the way back
// takes one away. The same holds for bytes that are not text (NUL, invalid UTF-8): "&byte-ff;".

// openers are the characters that read like the beginning of a tag, with the entity of each.
var openers = []struct {
	char, entity string
}{
	{"<", "lt"},
	{"＜", "#xff1c"},
	{"﹤", "#xfe64"},
	{"‹", "#x2039"},
	{"〈", "#x3008"},
	{"⟨", "#x27e8"},
	{"❮", "#x276e"},
	{"˂", "#x2c2"},
	{"ᐸ", "#x1438"},
	{"[", "#x5b"},
	{"［", "#xff3b"},
}

// shift escapes (by +1) or unescapes (by -1) a text. extra is a folded tag to be treated like ours.
func shift(text, extra string, by int) string {
	var b strings.Builder
	b.Grow(len(text) + len(text)/64)
	for text != "" {
		if n := plain(text); n > 0 {
			b.WriteString(text[:n])
			text = text[n:]
			continue
		}
		m, ok := marked(text)
		if ok && (m.byte >= 0 || m.opens(text[m.size:], extra)) && m.level+by >= 0 {
			b.WriteString(m.at(m.level + by))
			text = text[m.size:]
			continue
		}
		_, n := utf8.DecodeRuneInString(text)
		b.WriteString(text[:n])
		text = text[n:]
	}
	return b.String()
}

// plain returns how many bytes at the beginning of the text cannot be a mark.
func plain(text string) int {
	for i := range len(text) {
		if c := text[i]; c == '<' || c == '[' || c == '&' || c == 0 || c >= utf8.RuneSelf {
			return i
		}
	}
	return len(text)
}

// A mark is a character that may have to be escaped, or what escaping has made of one.
type mark struct {
	size  int    // in the text
	level int    // how often it was escaped
	char  string // at level 0
	name  string // of the entity
	byte  int    // what is not text; -1 if it is
}

func (m mark) at(level int) string {
	if level == 0 {
		return m.char
	}
	return "&" + strings.Repeat("amp;", level-1) + m.name + ";"
}

// opens reports whether the mark and what follows read like one of our tags, or like what a chat
// template puts around a turn.
func (m mark) opens(rest, extra string) bool {
	if m.char == "[" || m.char == "［" {
		return takesTurn(rest, bracketed)
	}
	return takesTurn(rest, pointed) || disguised(rest, extra)
}

// marked reads the mark at the beginning of the text.
func marked(text string) (mark, bool) {
	if text[0] == '&' {
		return entity(text)
	}
	if r, n := utf8.DecodeRuneInString(text); r == 0 || (r == utf8.RuneError && n == 1) {
		return mark{size: 1, char: text[:1], name: fmt.Sprintf("byte-%02x", text[0]), byte: int(text[0])}, true
	}
	for _, o := range openers {
		if strings.HasPrefix(text, o.char) {
			return mark{size: len(o.char), char: o.char, name: o.entity, byte: -1}, true
		}
	}
	return mark{}, false
}

// entity reads "&lt;", "&amp;lt;", "&byte-00;" and their like.
func entity(text string) (mark, bool) {
	rest, level := text[1:], 1
	for strings.HasPrefix(rest, "amp;") {
		rest, level = rest[len("amp;"):], level+1
	}
	name, _, ok := strings.Cut(rest[:min(len(rest), 10)], ";")
	if !ok {
		return mark{}, false
	}
	m := mark{size: len(text) - len(rest) + len(name) + 1, level: level, name: name, byte: -1}
	for _, o := range openers {
		if o.entity == name {
			m.char = o.char
			return m, true
		}
	}
	if m.byte = rawByte(name); m.byte < 0 {
		return mark{}, false
	}
	m.char = string([]byte{byte(m.byte)})
	return m, true
}

// rawByte reads the name that marked gives to a byte; -1 if it never gives this name.
func rawByte(name string) int {
	hex, ok := strings.CutPrefix(name, "byte-")
	n, err := strconv.ParseUint(hex, 16, 8)
	if !ok || err != nil || fmt.Sprintf("%02x", n) != hex || (n > 0 && n < utf8.RuneSelf) {
		return -1
	}
	return int(n)
}

// escapeAttr makes a value fit between double quotes. No "<" is ever left in an attribute, which is
// what lets a parser stop at one.
func escapeAttr(value string) string {
	var b strings.Builder
	for value != "" {
		r, n := utf8.DecodeRuneInString(value)
		m, ok := mark{}, false
		if r != '&' && r != '[' && r != '［' {
			m, ok = marked(value)
		}
		switch {
		case ok:
			b.WriteString(m.at(1))
		case r == '&':
			b.WriteString("&amp;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '>':
			b.WriteString("&gt;")
		case r < ' ':
			fmt.Fprintf(&b, "&#%d;", r)
		default:
			b.WriteString(value[:n])
		}
		value = value[n:]
	}
	return b.String()
}

// unescapeAttr reads an attribute, ours or a model's. What is no entity stays as it is.
func unescapeAttr(value string) string {
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(value, "&")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, ok := strings.Cut(rest[:min(len(rest), 10)], ";")
		text, known := attrEntity(name)
		if !ok || !known {
			b.WriteByte('&')
			value = rest
			continue
		}
		b.WriteString(text)
		value = after + rest[min(len(rest), 10):]
	}
}

func attrEntity(name string) (string, bool) {
	switch name {
	case "amp":
		return "&", true
	case "quot":
		return `"`, true
	case "apos":
		return "'", true
	case "gt":
		return ">", true
	}
	for _, o := range openers {
		if o.entity == name {
			return o.char, true
		}
	}
	if n := rawByte(name); n >= 0 {
		return string([]byte{byte(n)}), true
	}
	if dec, ok := strings.CutPrefix(name, "#"); ok {
		if n, err := strconv.ParseUint(dec, 10, 7); err == nil && n > 0 {
			return string(rune(n)), true
		}
	}
	return "", false
}
