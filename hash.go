package rein

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
)

// A Hash is a SHA-256.
type Hash [sha256.Size]byte

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

// MarshalText writes the hash in hex.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText reads a hash written in hex.
func (h *Hash) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(h)) {
		return fmt.Errorf("%.80q is not a SHA-256 in hex", text)
	}
	if _, err := hex.Decode(h[:], text); err != nil {
		return fmt.Errorf("%q is not a SHA-256 in hex", text)
	}
	return nil
}

// maxStack is the most that is hashed from a copy on the stack, which spares an allocation. Most events
// have less.
const maxStack = 1024

// PayloadDigest is what the chain knows of a payload. The salt is erased with the payload, so that
// a short text cannot be guessed from what remains.
func PayloadDigest(salt, data []byte) Hash {
	if 16+len(salt)+len(data) > maxStack {
		h := sha256.New()
		h.Write(appendField(nil, salt))
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(data))))
		h.Write(data)
		return Hash(h.Sum(nil))
	}
	var stack [maxStack]byte
	return sha256.Sum256(appendField(appendField(stack[:0], salt), data))
}

// ChainHash links an event to the one before it. It covers everything but the payload, and of the
// payload its digest.
func ChainHash(prev Hash, e Event, payload Hash) Hash {
	var stack [maxStack]byte
	b := append(stack[:0], prev[:]...)
	b = appendField(b, e.Run)
	b = appendField(b, e.Kind)
	b = appendField(b, e.Step)
	b = appendField(b, e.By)
	b = binary.BigEndian.AppendUint64(b, uint64(e.Seq))
	b = binary.BigEndian.AppendUint64(b, uint64(e.At.UnixMicro()))
	for _, part := range e.Spend.Parts() {
		b = binary.BigEndian.AppendUint64(b, uint64(part))
	}
	return sha256.Sum256(append(b, payload[:]...))
}

// appendField appends the bytes after their length, so that no two lists of fields look the same.
func appendField[T ~string | ~[]byte](b []byte, field T) []byte {
	b = binary.BigEndian.AppendUint64(b, uint64(len(field)))
	return append(b, field...)
}
