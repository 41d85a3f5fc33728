package lenient

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// A reading is one part of the text, read as strict JSON.
type reading struct {
	json  json.RawMessage
	value any
	exact bool // nothing in it was invalid UTF-8 or half a surrogate pair
}

// strict reads text as one JSON value with nothing around it but white space.
func strict(text string) (reading, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return reading{}, syntaxError(text, err)
	}
	if end := int(dec.InputOffset()); strings.TrimLeft(text[end:], space) != "" {
		return reading{}, &Error{Msg: "there is more after the JSON value", Offset: end}
	}
	if depth(text) > maxDepth {
		return reading{}, errDepth
	}
	out, err := canonical(value)
	return reading{json: out, value: value, exact: utf8.ValidString(text) && !loneSurrogate(text)}, err
}

// space is what JSON calls white space.
const space = " \t\r\n"

func syntaxError(text string, err error) error {
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return &Error{Msg: syntax.Error(), Offset: max(0, min(int(syntax.Offset)-1, len(text)))}
	}
	return &Error{Msg: "the JSON is cut off or missing", Offset: len(text)}
}

// canonical writes a value of maps, slices, strings, json.Numbers, booleans and nil.
func canonical(value any) (json.RawMessage, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return nil, &Error{Msg: err.Error(), Offset: -1}
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// depth returns how deeply the brackets of valid JSON are nested.
func depth(text string) int {
	deepest, now, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			now++
			deepest = max(deepest, now)
		case c == '}' || c == ']':
			now--
		}
	}
	return deepest
}

// loneSurrogate reports whether valid JSON escapes half a surrogate pair, which no Go string can
// hold.
func loneSurrogate(text string) bool {
	for i := 0; i+5 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		i++
		if text[i] != 'u' {
			continue
		}
		high, ok := hex4(text[i+1:])
		if !ok || high < 0xD800 || high > 0xDFFF {
			continue
		}
		rest := text[i+5:]
		if high > 0xDBFF || !strings.HasPrefix(rest, `\u`) {
			return true
		}
		if low, ok := hex4(rest[2:]); !ok || low < 0xDC00 || low > 0xDFFF {
			return true
		}
		i += 10
	}
	return false
}

// hex4 reads four hex digits.
func hex4(text string) (rune, bool) {
	if len(text) < 4 {
		return 0, false
	}
	var r rune
	for _, c := range []byte(text[:4]) {
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 + rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 + rune(c|0x20-'a') + 10
		default:
			return 0, false
		}
	}
	return r, true
}
