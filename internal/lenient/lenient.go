// Package lenient extracts JSON from what models write: as it is, from a code fence, from the prose
// around it, or repaired. It reports which, takes time linear in the text, and never panics.
package lenient

import (
	"encoding/json"
	"fmt"
)

// Found is a JSON value and where it stood.
type Found struct {
	// JSON is strict and canonical: compact, keys sorted, of equal keys the last, numbers spelled as
	// they were.
	JSON json.RawMessage
	// Start and End are the bytes of the text that the value took up, with the code fence around it.
	Start, End int
	// Repaired says that something had to be guessed: this is not what strict JSON says.
	Repaired bool
	// Cut says that the text ends inside of a string or before a key or value that was to come, so that
	// the JSON says less than was meant.
	Cut bool
}

// An Error says why there is no JSON in a text.
type Error struct {
	Msg    string
	Offset int // the byte of the text at which strict JSON ends, -1 if that says nothing
}

func (e *Error) Error() string { return e.Msg }

// maxDepth bounds how deeply values may be nested. It is far beyond what people or models write,
// and far below what would hurt.
const maxDepth = 500

var errDepth = &Error{Msg: fmt.Sprintf("the JSON is nested more than %d deep", maxDepth), Offset: -1}

// Value reads a text that is meant to be one JSON value, such as the arguments of a call. To pick a
// value out of other text is a guess here.
func Value(text string) (Found, error) { return newSearch(text).value() }

// First returns the first object that has the key, or the first object if the key is empty. Objects
// in a code fence come before others. It is for calls.
func First(text, key string) (Found, error) { return newSearch(text).first(key) }

// Last returns the last object. It is for control blocks that trail the prose.
func Last(text string) (Found, error) { return newSearch(text).last() }
