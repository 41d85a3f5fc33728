package engine

import (
	"encoding/json"

	"rein/internal/digest"
	"rein/internal/jsontext"
)

// argsDigest identifies a call's arguments, whatever their spelling.
func argsDigest(args json.RawMessage) string {
	return digest.Joined(8, canonical(args))
}

// canonical is JSON in one spelling; what is not JSON stays as it is. Two spellings of the same arguments
// must not pass for two calls.
func canonical(raw json.RawMessage) string {
	var buffer [512]byte
	if out, ok := jsontext.AppendCanonical(buffer[:0], raw); ok {
		return string(out)
	}
	return string(raw)
}

// callDigest identifies a call by its tool and arguments. Equal calls have equal digests.
func callDigest(tool string, args json.RawMessage) string {
	return digest.Listed(16, tool, canonical(args))
}
