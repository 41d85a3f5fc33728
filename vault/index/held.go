package index

import (
	"bytes"

	"rein"
)

// A Held index is in memory alone, whole and without vectors: for a few short texts that come and go and must not stay on a
// disk. It is safe for use by many at once.
type Held struct{ seg *segment }

// Hold makes an index of documents.
func Hold(docs []Doc) (*Held, error) {
	var data bytes.Buffer
	if err := tableOf(docs).writeTo(&data); err != nil {
		return nil, rein.Errorf(rein.CodeInternal, "make an index: %w", err)
	}
	s := &segment{name: "held", data: data.Bytes()}
	if err := s.unpack(); err != nil {
		return nil, err
	}
	return &Held{s}, nil
}

// Look calls fn with a view that is good until fn returns. Its pieces are those of the documents, in their order.
func (h *Held) Look(fn func(*View)) {
	v := &View{segs: []*segment{h.seg}, base: []int{0}, pieces: h.seg.pieces(), live: h.seg.live, volume: h.seg.volume}
	defer v.lent.giveBack()
	fn(v)
}
