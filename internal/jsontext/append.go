// Package jsontext writes JSON by appending to a slice, for what is written too often to be looked at by
// reflection each time. What it writes, encoding/json reads as the same values.
package jsontext

import "unicode/utf8"

const hex = "0123456789abcdef"

// AppendString appends a JSON string. Like encoding/json without its escapes for HTML, it escapes what JSON
// must, and writes U+FFFD for bytes that are no UTF-8.
func AppendString(dst []byte, s string) []byte { return appendString(dst, s, false) }

// AppendHTML appends a JSON string exactly as json.Marshal writes it: also <, > and & are escaped.
func AppendHTML(dst []byte, s string) []byte { return appendString(dst, s, true) }

func appendString(dst []byte, s string, html bool) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			if c >= ' ' && c != '"' && c != '\\' && (!html || c != '<' && c != '>' && c != '&') {
				i++
				continue
			}
			dst = appendEscape(append(dst, s[from:i]...), c)
			i++
			from = i
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			dst = append(append(dst, s[from:i]...), `\ufffd`...)
			from = i + size
		case r == '\u2028' || r == '\u2029': // line ends for JavaScript
			dst = append(append(dst, s[from:i]...), `\u202`...)
			dst = append(dst, hex[r&0xF])
			from = i + size
		}
		i += size
	}
	return append(append(dst, s[from:]...), '"')
}

func appendEscape(dst []byte, c byte) []byte {
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, '\\', 'b')
	case '\f':
		return append(dst, '\\', 'f')
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&0xF])
}
