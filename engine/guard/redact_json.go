package guard

import (
	"bytes"
	"encoding/json"
	"slices"

	"rein/internal/secret"
)

// JSON takes the secrets out of the strings of a JSON value, keys too, one string at a time; numbers
// and white space stay as they are, and what was JSON stays JSON. A string whose key tells that it is
// secret is one. What is not JSON is treated as text.
func (r *Redactor) JSON(raw json.RawMessage) (json.RawMessage, []string, bool) {
	if !json.Valid(raw) {
		text, found, block := r.Text(string(raw))
		return json.RawMessage(text), found, block
	}
	var out bytes.Buffer
	var all []string
	var key string
	blocked := false
	for at := 0; at < len(raw); {
		next := bytes.IndexByte(raw[at:], '"')
		if next < 0 {
			out.Write(raw[at:])
			break
		}
		between := raw[at : at+next]
		out.Write(between)
		at += next
		literal := raw[at : at+literalSize(raw[at:])]
		at += len(literal)
		var text string
		if json.Unmarshal(literal, &text) != nil {
			out.Write(literal) // cannot be: the whole is valid
			continue
		}
		clean, found, block := r.Text(text)
		if kind := secret.ByKey(key, clean); kind != "" && string(bytes.TrimSpace(between)) == ":" {
			clean, found = secret.Label(kind), append(found, kind)
		}
		key = ""
		if bytes.HasPrefix(bytes.TrimLeft(raw[at:], " \t\r\n"), []byte(":")) {
			key = text
		}
		if clean == text {
			out.Write(literal)
			continue
		}
		out.Write(literally(clean))
		all, blocked = append(all, found...), blocked || block
	}
	slices.Sort(all)
	return out.Bytes(), slices.Compact(all), blocked
}

// literalSize is the length of the string literal at the beginning of valid JSON.
func literalSize(raw []byte) int {
	for i := 1; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(raw)
}

func literally(text string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string always encodes
	return bytes.TrimRight(b.Bytes(), "\n")
}
