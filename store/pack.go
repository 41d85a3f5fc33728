package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"

	"rein"
)

// MaxPayload is the most that one payload, or the text of one command, may have in bytes.
const MaxPayload = 16 << 20

// minText is the length from which a string literal is kept apart from its payload. Below it a
// reference (32 bytes, and a row that maps it) saves too little.
const minText = 256

// packed is the first byte of the segmented form. No JSON text begins with it.
const packed = 0

// A Text is the inside of a long string literal, as it was encoded, or a content that an event names by its hash.
type Text struct {
	Hash rein.Hash
	Data []byte
}

// NewText returns a content to be kept with an event that names it.
func NewText(data []byte) Text { return Text{Hash: sha256.Sum256(data), Data: data} }

// Pack takes the long string literals out of a payload, so that a text that many payloads repeat
// is kept once. What remains is the payload itself if it had none, or else
//
//	0x00, number of texts, length, bytes { hash of a text, length, bytes }
//
// with uvarint numbers. The texts share the memory of data.
func Pack(data []byte) (blob []byte, texts []Text) {
	var cuts []int                      // where a text begins and ends, in pairs
	for at := 0; len(data) > minText; { // less cannot hold one
		begin, end := nextLiteral(data, at)
		if begin < 0 {
			break
		}
		if end-begin >= minText {
			cuts = append(cuts, begin, end)
		}
		at = end + 1
	}
	if cuts == nil && (len(data) == 0 || data[0] != packed) {
		return data, nil
	}
	blob = append(make([]byte, 0, 64+len(cuts)*(sha256.Size+8)), packed)
	blob = binary.AppendUvarint(blob, uint64(len(cuts)/2))
	from := 0
	for i := 0; i < len(cuts); i += 2 {
		text := Text{Hash: sha256.Sum256(data[cuts[i]:cuts[i+1]]), Data: data[cuts[i]:cuts[i+1]]}
		texts = append(texts, text)
		blob = appendSegment(blob, data[from:cuts[i]])
		blob = append(blob, text.Hash[:]...)
		from = cuts[i+1]
	}
	return appendSegment(blob, data[from:]), texts
}

// nextLiteral returns where the inside of the next string literal begins and ends, or -1.
func nextLiteral(data []byte, at int) (begin, end int) {
	open := bytes.IndexByte(data[at:], '"')
	if open < 0 {
		return -1, -1
	}
	begin = at + open + 1
	for i := begin; i < len(data); i++ {
		switch data[i] {
		case '\\':
			i++ // whatever is escaped does not end the literal
		case '"':
			return begin, i
		}
	}
	return -1, -1
}

func appendSegment(blob, segment []byte) []byte {
	blob = binary.AppendUvarint(blob, uint64(len(segment)))
	return append(blob, segment...)
}

// Unpack is the inverse of Pack. It asks lookup for each text; one that is missing, or a blob that
// Pack did not make, is CodeDamaged.
func Unpack(blob []byte, lookup func(rein.Hash) ([]byte, bool)) ([]byte, error) {
	if len(blob) == 0 || blob[0] != packed {
		return blob, nil
	}
	count, n := binary.Uvarint(blob[1:])
	if n <= 0 {
		return nil, errCut
	}
	data, rest, ok := cutSegment(nil, blob[1+n:])
	for ; ok && count > 0; count-- {
		if len(rest) < sha256.Size {
			return nil, errCut
		}
		hash := rein.Hash(rest[:sha256.Size])
		text, found := lookup(hash)
		if !found {
			return nil, rein.Errorf(rein.CodeDamaged, "text %s is missing", hash)
		}
		// A forged blob could name one text a million times.
		if len(data)+len(text) > MaxPayload {
			return nil, rein.Errorf(rein.CodeDamaged, "payload has more than %d bytes", MaxPayload)
		}
		data, rest, ok = cutSegment(append(data, text...), rest[sha256.Size:])
	}
	if !ok || len(rest) > 0 {
		return nil, errCut
	}
	return data, nil
}

var errCut = rein.Errorf(rein.CodeDamaged, "payload is not as long as it says")

// cutSegment appends the segment that the blob begins with to data, and returns what follows it.
func cutSegment(data, blob []byte) (longer, rest []byte, ok bool) {
	size, n := binary.Uvarint(blob)
	if n <= 0 || size > uint64(len(blob)-n) {
		return nil, nil, false
	}
	end := n + int(size)
	return append(data, blob[n:end]...), blob[end:], true
}
