package jsontext

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"
)

// AppendCanonical appends a JSON value in the one spelling that encoding/json gives it after decoding: without
// white space, the keys of objects in order. Numbers keep their digits. It reports whether raw is JSON; if not,
// nothing is appended.
func AppendCanonical(dst, raw []byte) ([]byte, bool) {
	if out, ok := AppendPlain(dst, raw); ok {
		return out, true
	}
	return appendDecoded(dst, raw)
}

// AppendPlain is AppendCanonical for the JSON that models usually write: values of a few members, in which nothing is
// escaped. It reports false for all else, JSON or not.
func AppendPlain(dst, raw []byte) ([]byte, bool) {
	c := canonical{in: raw, out: dst}
	c.space()
	if !c.value(0) {
		return dst, false
	}
	c.space()
	return c.out, c.at == len(raw)
}

// appendDecoded is AppendCanonical for any JSON.
func appendDecoded(dst, raw []byte) ([]byte, bool) {
	var v any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // else long numbers that differ in their last digits would be the same
	if !json.Valid(raw) || decoder.Decode(&v) != nil {
		return dst, false
	}
	data, err := json.Marshal(v)
	return append(dst, data...), err == nil
}

// A canonical copies JSON as most models write it: small objects, and no character that needs an escape. It
// gives up on all else.
type canonical struct {
	in, out []byte
	at      int
}

const maxPlainDepth = 32

func (c *canonical) space() {
	for c.at < len(c.in) && (c.in[c.at] == ' ' || c.in[c.at] == '\n' || c.in[c.at] == '\t' || c.in[c.at] == '\r') {
		c.at++
	}
}

// take copies the next byte if it is this one.
func (c *canonical) take(b byte) bool {
	if c.at == len(c.in) || c.in[c.at] != b {
		return false
	}
	c.out = append(c.out, b)
	c.at++
	return true
}

func (c *canonical) value(depth int) bool {
	if c.at == len(c.in) || depth > maxPlainDepth {
		return false
	}
	switch b := c.in[c.at]; b {
	case '{':
		return c.object(depth + 1)
	case '[':
		return c.list(depth + 1)
	case '"':
		_, ok := c.text()
		return ok
	case 't':
		return c.word("true")
	case 'f':
		return c.word("false")
	case 'n':
		return c.word("null")
	default:
		return c.number()
	}
}

// A member is a member of an object, and where it stands in the output.
type member struct {
	key      []byte
	from, to int
}

const maxMembers = 16

// object copies an object of a few members whose keys differ.
func (c *canonical) object(depth int) bool {
	c.take('{')
	if c.space(); c.take('}') {
		return true
	}
	var members [maxMembers]member
	for n := range members {
		m := member{from: len(c.out)}
		var ok bool
		if m.key, ok = c.text(); !ok {
			return false
		}
		if c.space(); !c.take(':') {
			return false
		}
		if c.space(); !c.value(depth) {
			return false
		}
		m.to = len(c.out)
		members[n] = m
		if c.space(); c.take('}') {
			return c.order(members[:n+1])
		}
		if !c.take(',') {
			return false
		}
		c.space()
	}
	return false
}

// order puts the members of the object at the end of the output in order.
func (c *canonical) order(members []member) bool {
	start, end, sorted := members[0].from, len(c.out), true
	for i := range members {
		for j := i; j > 0; j-- {
			switch bytes.Compare(members[j-1].key, members[j].key) {
			case 0:
				return false
			case 1:
				members[j-1], members[j] = members[j], members[j-1]
				sorted = false
			}
		}
	}
	if sorted {
		return true
	}
	for i, m := range members {
		if i > 0 {
			c.out = append(c.out, ',')
		}
		c.out = append(c.out, c.out[m.from:m.to]...)
	}
	copy(c.out[start:end-1], c.out[end:]) // the brace stays
	c.out = c.out[:end]
	return true
}

func (c *canonical) list(depth int) bool {
	c.take('[')
	if c.space(); c.take(']') {
		return true
	}
	for {
		if !c.value(depth) {
			return false
		}
		if c.space(); c.take(']') {
			return true
		}
		if !c.take(',') {
			return false
		}
		c.space()
	}
}

// text copies a string in which nothing is escaped, and nothing would be. It returns what stands between the
// quotes.
func (c *canonical) text() ([]byte, bool) {
	if c.at == len(c.in) || c.in[c.at] != '"' {
		return nil, false
	}
	for i := c.at + 1; i < len(c.in); {
		switch b := c.in[i]; {
		case b == '"':
			inside := c.in[c.at+1 : i]
			c.out = append(c.out, c.in[c.at:i+1]...)
			c.at = i + 1
			return inside, true
		case b < ' ', b == '\\', b == '<', b == '>', b == '&':
			return nil, false
		case b < utf8.RuneSelf:
			i++
		default:
			r, size := utf8.DecodeRune(c.in[i:])
			if r == utf8.RuneError || r == '\u2028' || r == '\u2029' {
				return nil, false
			}
			i += size
		}
	}
	return nil, false
}

func (c *canonical) word(word string) bool {
	if !bytes.HasPrefix(c.in[c.at:], []byte(word)) {
		return false
	}
	c.out = append(c.out, word...)
	c.at += len(word)
	return true
}

// number copies a number as it is written.
func (c *canonical) number() bool {
	from := c.at
	if c.at < len(c.in) && c.in[c.at] == '-' {
		c.at++
	}
	if c.at < len(c.in) && c.in[c.at] == '0' {
		c.at++
	} else if !c.digits() {
		return false
	}
	if c.at < len(c.in) && c.in[c.at] == '.' {
		if c.at++; !c.digits() {
			return false
		}
	}
	if c.at < len(c.in) && c.in[c.at]|0x20 == 'e' {
		c.at++
		if c.at < len(c.in) && (c.in[c.at] == '+' || c.in[c.at] == '-') {
			c.at++
		}
		if !c.digits() {
			return false
		}
	}
	c.out = append(c.out, c.in[from:c.at]...)
	return true
}

func (c *canonical) digits() bool {
	from := c.at
	for c.at < len(c.in) && c.in[c.at] >= '0' && c.in[c.at] <= '9' {
		c.at++
	}
	return c.at > from
}
