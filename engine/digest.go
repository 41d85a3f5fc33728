package engine

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// argsDigest identifies a call's arguments, whatever their spelling.
func argsDigest(args json.RawMessage) string {
	sum := sha256.Sum256([]byte(canonical(args)))
	return hex.EncodeToString(sum[:8])
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

// digest identifies a list of texts. The lengths are part of it, so that no two lists run together into
// the same bytes.
func digest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// callDigest identifies a call by its tool and arguments. Equal calls have equal digests.
func callDigest(tool string, args json.RawMessage) string { return digest(tool, canonical(args)) }
