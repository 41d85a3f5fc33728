// Package digest makes short names out of texts: the same texts always get the same name, and
// different ones never do. The names are kept in logs, tables and file names, so the two ways of
// writing the texts must not change.
package digest

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
)

// Joined is the first size bytes, in hex, of the SHA-256 of the texts with a NUL between them. It is for
// texts that hold no NUL themselves, such as names.
func Joined(size int, texts ...string) string {
	var buffer [small]byte
	joined := buffer[:0]
	for i, text := range texts {
		if i > 0 {
			joined = append(joined, 0)
		}
		joined = append(joined, text...)
	}
	return name(size, joined)
}

// Listed is the same of the texts with their lengths before them. Whatever they hold, no two lists run
// together into the same bytes.
func Listed(size int, texts ...string) string {
	var buffer [small]byte
	listed := buffer[:0]
	for _, text := range texts {
		listed = strconv.AppendInt(listed, int64(len(text)), 10)
		listed = append(append(listed, ':'), text...)
	}
	return name(size, listed)
}

// small is how many bytes of texts are joined on the stack.
const small = 512

func name(size int, text []byte) string {
	sum := sha256.Sum256(text)
	var digits [2 * Size]byte
	return string(hex.AppendEncode(digits[:0], sum[:size]))
}

// Size is how many bytes a whole digest has.
const Size = sha256.Size
