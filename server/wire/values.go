package wire

import (
	"rein"
	"rein/internal/jsonkeys"
)

// maxValues is how many values the JSON of a body may have: each takes far more memory than the two
// bytes that it can be written with.
const maxValues = 100_000

// checkValues refuses JSON of too many values, before anything is made of them.
func checkValues(data []byte) error {
	if n := countValues(data); n > maxValues {
		return rein.Errorf(rein.CodeInvalid, "the JSON has %d values: send at most %d", n, maxValues)
	}
	return nil
}

// CheckKeys refuses JSON with a key that an object has twice: it has two meanings.
func CheckKeys(data []byte) error {
	if key, twice := jsonkeys.Twice(data); twice {
		return rein.Errorf(rein.CodeInvalid, "the key %.60q appears twice in one object: send it once", key)
	}
	return nil
}

// countValues counts the values in JSON, or a few more.
func countValues(data []byte) (n int) {
	text, escaped := false, false
	for _, c := range data {
		switch {
		case escaped:
			escaped = false
		case c == '"':
			text = !text
		case text:
			escaped = c == '\\'
		case c == ',' || c == ':' || c == '[' || c == '{':
			n++
		}
	}
	return n
}
