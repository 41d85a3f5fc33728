// Package digest makes short names out of texts: the same texts always get the same name, and
// different ones never do. The names are kept in logs, tables and file names, so the two ways of
// writing the texts must not change.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// Joined is the first size bytes, in hex, of the SHA-256 of the texts with a NUL between them. It is for
// texts that hold no NUL themselves, such as names.
func Joined(size int, texts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(texts, "\x00")))
	return hex.EncodeToString(sum[:size])
}

// Listed is the same of the texts with their lengths before them. Whatever they hold, no two lists run
// together into the same bytes.
func Listed(size int, texts ...string) string {
	h := sha256.New()
	for _, text := range texts {
		h.Write([]byte(strconv.Itoa(len(text)) + ":"))
		h.Write([]byte(text))
	}
	return hex.EncodeToString(h.Sum(nil)[:size])
}

// Size is how many bytes a whole digest has.
const Size = sha256.Size
