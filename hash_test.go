package rein_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"testing"

	"rein"
)

// What is hashed does not depend on how much it is: it is a list of fields, each after its length.
func TestPayloadDigest(t *testing.T) {
	t.Parallel()
	salt := []byte("0123456789abcdef")
	for _, size := range []int{0, 1, 991, 992, 993, 1 << 20} {
		data := bytes.Repeat([]byte("x"), size)
		h := sha256.New()
		for _, field := range [][]byte{salt, data} {
			h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(field))))
			h.Write(field)
		}
		if got := rein.PayloadDigest(salt, data); got != rein.Hash(h.Sum(nil)) {
			t.Errorf("the digest of %d bytes is %s, want %x", size, got, h.Sum(nil))
		}
	}
}
