package index

import (
	"encoding/binary"

	"rein/vault/chunk"
	"rein/vault/parse"
)

// anchorsOf says where in a piece of several sections each begins: how many bytes after the one
// before, and its name.
func anchorsOf(headings []parse.Heading, c chunk.Chunk) []byte {
	var out []byte
	at := c.Start
	for _, h := range headings[max(c.Heading, 0) : c.Last+1] {
		out = binary.AppendUvarint(out, uint64(max(0, h.Start-at)))
		out = binary.AppendUvarint(out, uint64(len(h.Name)))
		out = append(out, h.Name...)
		at = max(at, h.Start)
	}
	return out
}

// An Anchor is a section that begins inside a piece.
type Anchor struct {
	At   int // bytes from the beginning of the piece
	Name string
}

// Anchors lists the sections of a piece that has several, in order; others have none.
func (f Found) Anchors() []Anchor {
	var all []Anchor
	at := 0
	for d := (decoder{data: f.anchors}); len(d.data) > 0; {
		at += int(d.uvarint())
		name := d.text()
		if d.bad {
			return all
		}
		all = append(all, Anchor{at, name})
	}
	return all
}
