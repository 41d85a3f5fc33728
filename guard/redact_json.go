package guard

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
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
		if secret := kindByKey(key, clean); secret != "" && string(bytes.TrimSpace(between)) == ":" {
			clean, found = label(secret), append(found, secret)
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

var (
	secretKey = regexp.MustCompile(`(?i)(?:` + telling + `)$`)
	authKey   = regexp.MustCompile(`(?i)^(?:proxy-)?authorization$`)
	authValue = regexp.MustCompile(`(?i)^(?:bearer|basic|token)\s+[A-Za-z0-9._~+/=-]{8,}$`)
)

// kindByKey says what kind of secret a value is by its key, or "".
func kindByKey(key, value string) string {
	switch {
	case key == "" || strings.Contains(value, "[redacted: "):
		return ""
	case authKey.MatchString(key) && authValue.MatchString(value):
		return "credentials"
	case secretKey.MatchString(key) && len(value) >= minSecret && !strings.ContainsAny(value, " \t\r\n") && random(value):
		return "secret value"
	}
	return ""
}
