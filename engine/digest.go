package engine

import (
	"bytes"
	"encoding/json"

	"rein/internal/digest"
)

// argsDigest identifies a call's arguments, whatever their spelling.
func argsDigest(args json.RawMessage) string {
	return digest.Joined(8, canonical(args))
}

// canonical is JSON in one spelling; what is not JSON stays as it is. Two spellings of the same arguments
// must not pass for two calls.
func canonical(raw json.RawMessage) string {
	var v any
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber() // else long numbers that differ in their last digits would be the same
	if json.Valid(raw) && decoder.Decode(&v) == nil {
		if data, err := json.Marshal(v); err == nil {
			return string(data)
		}
	}
	return string(raw)
}

// callDigest identifies a call by its tool and arguments. Equal calls have equal digests.
func callDigest(tool string, args json.RawMessage) string {
	return digest.Listed(16, tool, canonical(args))
}
