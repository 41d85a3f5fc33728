// Package jsonkeys finds keys that occur twice in a JSON object. Parsers differ in which of the two
// they use, so the part that checks such an object could see another value than the part that acts
// on it.
package jsonkeys

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Twice returns a key that an object in the JSON has more than once; names that differ in the case of
// their letters alone count as one, for encoding/json reads them so. What is not JSON has none: its
// reader says what is wrong.
func Twice(data []byte) (key string, twice bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var open []object
	for {
		token, err := d.Token()
		if err != nil {
			return "", false
		}
		top := len(open) - 1
		if name, ok := token.(string); ok && top >= 0 && open[top].isKey() {
			if open[top].add(name) {
				return name, true
			}
			continue
		}
		switch token {
		case json.Delim('{'):
			open = append(open, object{keys: map[string]bool{}})
		case json.Delim('['):
			open = append(open, object{})
		case json.Delim('}'), json.Delim(']'):
			open = open[:top]
			top--
			fallthrough
		default:
			if top >= 0 {
				open[top].value = false // the value has ended
			}
		}
	}
}

// An object is an object, or a list, that is being read.
type object struct {
	keys  map[string]bool // nil: a list
	value bool            // what comes next is the value of a key
}

func (o *object) isKey() bool { return o.keys != nil && !o.value }

// add reports whether the key was there before.
func (o *object) add(name string) bool {
	o.value = true
	folded := strings.ToLower(name)
	if o.keys[folded] {
		return true
	}
	o.keys[folded] = true
	return false
}
