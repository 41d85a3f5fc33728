package index

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"os"
	"sort"

	"golang.org/x/sys/unix"

	"rein"
	"rein/vault/chunk"
	"rein/vault/words"
)

// A segment is a file that is mapped and read in place. What every search walks over is unpacked.
type segment struct {
	name string
	data []byte
	part [parts][]byte

	notes   []Note
	dead    []bool // notes that were replaced or removed
	deaths  int
	merging bool    // being read without a lock
	live    int     // pieces
	volume  float64 // in live pieces

	noteOf []uint32 // piece → note
	alive  []bool   // piece
	lang   []words.Lang
	length []float32 // in words
	size   []uint32
	slots  []slot // piece → its vectors
}

func openSegment(file, name string) (*segment, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() < int64(headerBytes) || info.Size() > math.MaxInt {
		return nil, damaged(name)
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(info.Size()), unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	s := &segment{name: name, data: data}
	if err := s.unpack(); err != nil {
		_ = s.close()
		return nil, err
	}
	return s, nil
}

func damaged(name string) error {
	return rein.Errorf(rein.CodeDamaged, "segment %s of the index is damaged", name)
}

func (s *segment) close() error {
	data := s.data
	s.data = nil
	return unix.Munmap(data)
}

func (s *segment) unpack() error {
	head := s.data[:headerBytes]
	sum := binary.LittleEndian.Uint32(head[headerBytes-4:])
	if string(head[:len(magic)]) != magic || crc32.ChecksumIEEE(head[:headerBytes-4]) != sum {
		return damaged(s.name)
	}
	at := uint64(headerBytes)
	for i := range s.part {
		size := binary.LittleEndian.Uint64(head[len(magic)+i*8:])
		if size > uint64(len(s.data)) || at+size > uint64(len(s.data)) {
			return damaged(s.name)
		}
		s.part[i] = s.data[at : at+size]
		at += size
	}
	if at != uint64(len(s.data)) || len(s.part[partChunks])%recordBytes != 0 || len(s.part[partTermEnds])%8 != 0 || len(s.part[partStemEnds])%8 != 0 {
		return damaged(s.name)
	}
	d := decoder{data: s.part[partNotes]}
	for len(d.data) > 0 && !d.bad {
		s.notes = append(s.notes, d.note())
	}
	if d.bad {
		return damaged(s.name)
	}
	s.dead = make([]bool, len(s.notes))
	return s.unpackChunks()
}

func (s *segment) unpackChunks() error {
	n := s.pieces()
	s.noteOf, s.alive, s.lang = make([]uint32, n), make([]bool, n), make([]words.Lang, n)
	s.length, s.size, s.slots = make([]float32, n), make([]uint32, n), make([]slot, n)
	for i := range n {
		note := s.field(i, 0)
		if int(note) >= len(s.notes) {
			return damaged(s.name)
		}
		s.noteOf[i], s.alive[i], s.lang[i] = note, true, s.notes[note].Lang
		s.size[i], s.length[i] = s.field(i, 5), float32(s.field(i, 6))/weightText
		s.live++
		s.volume += float64(s.length[i])
	}
	for i := range s.notes {
		if end := uint64(s.notes[i].first) + uint64(s.notes[i].count); end > uint64(n) {
			return damaged(s.name)
		}
	}
	return nil
}

func (s *segment) pieces() int { return len(s.part[partChunks]) / recordBytes }

func (s *segment) field(piece, i int) uint32 {
	return binary.LittleEndian.Uint32(s.part[partChunks][piece*recordBytes+i*4:])
}

func (s *segment) record(piece int) []byte {
	return s.part[partChunks][piece*recordBytes : (piece+1)*recordBytes]
}

func (s *segment) hash(piece int) chunk.Hash { return chunk.Hash(s.record(piece)[32:48]) }
func (s *segment) key(piece int) chunk.Hash  { return chunk.Hash(s.record(piece)[48:64]) }
func (s *segment) print(piece int) []byte    { return s.record(piece)[64:] }

// section returns the name of the piece's section, and the anchors of a piece that has several. They
// are good as long as the segment.
func (s *segment) section(piece int) (name string, anchors []byte) {
	at := int(s.field(piece, 7))
	if at > len(s.part[partSections]) {
		return "", nil
	}
	d := decoder{data: s.part[partSections][at:]}
	name = d.text()
	return name, d.take(d.uvarint())
}

// kill marks a note as replaced or removed.
func (s *segment) kill(note int) {
	if s.dead[note] {
		return
	}
	s.dead[note] = true
	s.deaths++
	n := &s.notes[note]
	for i := n.first; i < n.first+n.count; i++ {
		s.alive[i] = false
		s.live--
		s.volume -= float64(s.length[i])
	}
}

// find returns the ordinal of a key in a sorted part.
func (s *segment) find(keys, ends int, key string) (int, bool) {
	n := len(s.part[ends]) / 8
	i := sort.Search(n, func(i int) bool { return string(s.entry(keys, ends, 0, i)) >= key })
	return i, i < n && string(s.entry(keys, ends, 0, i)) == key
}

// entry returns key (which 0) or value (which 1) of an ordinal, out of a part that holds them one
// after the other. A damaged place is empty.
func (s *segment) entry(part, ends, which, i int) []byte {
	e := s.part[ends]
	from := uint32(0)
	if i > 0 {
		from = binary.LittleEndian.Uint32(e[(i-1)*8+which*4:])
	}
	to := binary.LittleEndian.Uint32(e[i*8+which*4:])
	if from > to || int(to) > len(s.part[part]) {
		return nil
	}
	return s.part[part][from:to]
}

func (s *segment) terms() int        { return len(s.part[partTermEnds]) / 8 }
func (s *segment) term(i int) []byte { return s.entry(partTerms, partTermEnds, 0, i) }
func (s *segment) postings(i int) postings {
	return postings{data: s.entry(partPostings, partTermEnds, 1, i)}
}

// postings walks over the pieces that hold a word.
type postings struct {
	data  []byte
	chunk uint32
}

func (p *postings) next() (chunk, tf uint32, ok bool) {
	var step uint64
	if len(p.data) == 0 {
		return 0, 0, false
	}
	if c := p.data[0]; c < 0x80 {
		step, p.data = uint64(c), p.data[1:]
	} else {
		v, n := binary.Uvarint(p.data)
		if n <= 0 {
			p.data = nil
			return 0, 0, false
		}
		step, p.data = v, p.data[n:]
	}
	p.chunk += uint32(step >> 1)
	if step&1 != 0 {
		return p.chunk, weightText, true
	}
	v, n := binary.Uvarint(p.data)
	if n <= 0 {
		p.data = nil
		return 0, 0, false
	}
	p.data = p.data[n:]
	return p.chunk, uint32(v), true
}

// A decoder reads what the encoder wrote and remembers if it could not.
type decoder struct {
	data []byte
	bad  bool
}

func (d *decoder) take(n uint64) []byte {
	if d.bad || n > uint64(len(d.data)) {
		d.bad, d.data = true, nil
		return nil
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b
}

func (d *decoder) uvarint() uint64 {
	v, n := binary.Uvarint(d.data)
	if n <= 0 {
		d.bad, d.data = true, nil
		return 0
	}
	d.data = d.data[n:]
	return v
}

func (d *decoder) varint() int64 {
	v, n := binary.Varint(d.data)
	if n <= 0 {
		d.bad, d.data = true, nil
		return 0
	}
	d.data = d.data[n:]
	return v
}

func (d *decoder) text() string { return string(d.take(d.uvarint())) }

func (d *decoder) texts() []string {
	n := d.uvarint()
	var list []string
	for i := uint64(0); i < n && !d.bad; i++ {
		list = append(list, d.text())
	}
	return list
}

func (d *decoder) note() (n Note) {
	copy(n.Hash[:], d.take(16))
	if lang := d.take(1); len(lang) == 1 {
		n.Lang = words.Lang(lang[0])
	}
	n.Size, n.ModTime, n.Indexed = d.varint(), d.varint(), d.varint()
	n.first, n.count = uint32(d.varint()), uint32(d.varint())
	switch names := d.texts(); len(names) {
	case 0, 1:
		d.bad = true
	case 2:
		n.Path, n.Title = names[0], names[1]
	default:
		n.Path, n.Title, n.Linked, n.Links = names[0], names[1], true, names[3:]
	}
	n.Aliases, n.Tags, n.Problems = d.texts(), d.texts(), d.texts()
	return n
}
