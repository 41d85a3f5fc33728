package rein

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash"
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

// PayloadDigest is what the chain knows of a payload. The salt is erased with the payload, so that
// a short text cannot be guessed from what remains.
func PayloadDigest(salt, data []byte) Hash {
	h := sha256.New()
	writeField(h, salt)
	writeField(h, data)
	return Hash(h.Sum(nil))
}

// ChainHash links an event to the one before it. It covers everything but the payload, and of the
// payload its digest.
func ChainHash(prev Hash, e Event, payload Hash) Hash {
	h := sha256.New()
	h.Write(prev[:])
	for _, field := range []string{string(e.Run), string(e.Kind), string(e.Step), e.By} {
		writeField(h, []byte(field))
	}
	var n [8]byte
	number := func(v int64) {
		binary.BigEndian.PutUint64(n[:], uint64(v))
		h.Write(n[:])
	}
	number(e.Seq)
	number(e.At.UnixMicro())
	for _, part := range e.Spend.Parts() {
		number(part)
	}
	h.Write(payload[:])
	return Hash(h.Sum(nil))
}

// writeField writes a length before the bytes, so that no two lists of fields look the same.
func writeField(h hash.Hash, b []byte) {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(b)))
	h.Write(n[:])
	h.Write(b)
}
