package index

import (
	"bufio"
	"encoding/binary"
	"hash/crc32"
	"io"
	"maps"
	"slices"
	"strings"

	"rein/vault/words"
)

// A segment is an immutable file that holds a batch of notes: a header, then these parts.
const (
	partNotes     = iota
	partChunks    // a record of recordBytes for each piece
	partSections  // of each piece its section's name and its anchors, each with its length before it
	partTerms     // keys one after the other, sorted
	partTermEnds  // where each key and its postings end: two uint32
	partPostings  // of each key
	partStems     // keys, as of terms
	partStemEnds  // where each key and its list end
	partStemLists // ordinals of the words that have the stem
	parts
)

const (
	magic       = "reinseg1"
	headerBytes = len(magic) + parts*8 + 4
	recordBytes = 8*4 + 16 + 16 + printBytes
)

// Keys of terms begin with what they are.
const (
	keyName = "t" // a title, alias or file name; its postings are first pieces
	keyTag  = "g" // a tag or one above it; its postings are first pieces
	keyWord = "w"
)

// A posting says how much a word counts in a piece, in quarters.
type posting struct{ chunk, tf uint32 }

// A table is what becomes a segment.
type table struct {
	notes    []Note
	chunks   []byte
	sections []byte
	// terms yields keys in order with postings in order. The slice is good until the next.
	terms func(yield func(key string, list []posting))
}

// tableOf puts documents into a table.
func tableOf(docs []Doc) *table {
	t := &table{}
	lists := map[string][]posting{}
	n := uint32(0)
	for i := range docs {
		d := &docs[i]
		d.Note.first, d.Note.count = n, uint32(len(d.Pieces))
		t.notes = append(t.notes, d.Note)
		for _, key := range d.nameKeys() {
			if len(d.Pieces) > 0 {
				lists[key] = append(lists[key], posting{n, 4})
			}
		}
		for j := range d.Pieces {
			p := &d.Pieces[j]
			t.addRecord(uint32(len(t.notes)-1), p)
			for w, tf := range p.words {
				lists[keyWord+w] = append(lists[keyWord+w], posting{n, tf})
			}
			n++
		}
	}
	t.terms = func(yield func(string, []posting)) {
		for _, key := range slices.Sorted(maps.Keys(lists)) {
			yield(key, lists[key])
		}
	}
	return t
}

// nameKeys returns the keys by which the note is found exactly, each once.
func (d *Doc) nameKeys() []string {
	set := map[string]bool{keyName + words.Key(d.Title): true, keyName + words.Key(FileTitle(d.Path)): true}
	for _, a := range d.Aliases {
		set[keyName+words.Key(a)] = true
	}
	for _, tag := range d.Tags {
		key := tagKey(tag)
		for {
			set[keyTag+key] = true
			i := strings.LastIndexByte(key, '/')
			if i < 0 {
				break
			}
			key = key[:i]
		}
	}
	return slices.Collect(maps.Keys(set))
}

func (t *table) addRecord(note uint32, p *Piece) {
	at := t.addSection(p.Section, p.anchors)
	for _, v := range []uint32{note, uint32(p.Start), uint32(p.End), uint32(p.RuneStart), uint32(p.RuneEnd), uint32(p.Size), p.length, at} {
		t.chunks = binary.LittleEndian.AppendUint32(t.chunks, v)
	}
	t.chunks = append(t.chunks, p.Hash[:]...)
	t.chunks = append(t.chunks, p.Key[:]...)
	t.chunks = append(t.chunks, p.print[:]...)
}

// addSection returns where the names of a piece's sections are kept.
func (t *table) addSection(name string, anchors []byte) uint32 {
	at := uint32(len(t.sections))
	t.sections = binary.AppendUvarint(t.sections, uint64(len(name)))
	t.sections = append(t.sections, name...)
	t.sections = binary.AppendUvarint(t.sections, uint64(len(anchors)))
	t.sections = append(t.sections, anchors...)
	return at
}

// writeTo writes the segment.
func (t *table) writeTo(w io.Writer) error {
	var body [parts][]byte
	for i := range t.notes {
		body[partNotes] = appendNote(body[partNotes], &t.notes[i])
	}
	body[partChunks], body[partSections] = t.chunks, t.sections
	stems := map[string][]uint32{}
	ordinal := uint32(0)
	t.terms(func(key string, list []posting) {
		body[partTerms] = append(body[partTerms], key...)
		body[partPostings] = appendPostings(body[partPostings], list)
		body[partTermEnds] = appendEnds(body[partTermEnds], body[partTerms], body[partPostings])
		if word, ok := strings.CutPrefix(key, keyWord); ok {
			for _, l := range words.Languages {
				stem := string(l) + l.Stem(word)
				stems[stem] = append(stems[stem], ordinal)
			}
		}
		ordinal++
	})
	for _, key := range slices.Sorted(maps.Keys(stems)) {
		body[partStems] = append(body[partStems], key...)
		for _, o := range stems[key] {
			body[partStemLists] = binary.AppendUvarint(body[partStemLists], uint64(o))
		}
		body[partStemEnds] = appendEnds(body[partStemEnds], body[partStems], body[partStemLists])
	}
	out := bufio.NewWriterSize(w, 1<<20)
	header := []byte(magic)
	for _, part := range body {
		header = binary.LittleEndian.AppendUint64(header, uint64(len(part)))
	}
	header = binary.LittleEndian.AppendUint32(header, crc32.ChecksumIEEE(header))
	_, _ = out.Write(header) // an error stays with the writer
	for _, part := range body {
		_, _ = out.Write(part)
	}
	return out.Flush()
}

func appendEnds(ends, keys, values []byte) []byte {
	ends = binary.LittleEndian.AppendUint32(ends, uint32(len(keys)))
	return binary.LittleEndian.AppendUint32(ends, uint32(len(values)))
}

// appendPostings writes steps from piece to piece; most words count once, which takes one bit.
func appendPostings(b []byte, list []posting) []byte {
	before := uint32(0)
	for _, p := range list {
		step := uint64(p.chunk-before) << 1
		before = p.chunk
		if p.tf == weightText {
			b = binary.AppendUvarint(b, step|1)
			continue
		}
		b = binary.AppendUvarint(b, step)
		b = binary.AppendUvarint(b, uint64(p.tf))
	}
	return b
}

func appendNote(b []byte, n *Note) []byte {
	b = append(b, n.Hash[:]...)
	b = append(b, byte(n.Lang))
	for _, v := range []int64{n.Size, n.ModTime, n.Indexed, int64(n.first), int64(n.count)} {
		b = binary.AppendVarint(b, v)
	}
	names := []string{n.Path, n.Title}
	if n.Linked { // what older programs wrote has only two
		names = append(append(names, ""), n.Links...)
	}
	b = appendTexts(b, names)
	b = appendTexts(b, n.Aliases)
	b = appendTexts(b, n.Tags)
	return appendTexts(b, n.Problems)
}

func appendTexts(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return b
}
