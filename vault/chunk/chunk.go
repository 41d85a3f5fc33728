// Package chunk cuts a note into passages to search and cite: at headings and, in long sections, at
// paragraphs, lines, sentences or words. The passages cover the whole text, and each knows its
// exact position.
package chunk

import (
	"crypto/sha256"
	"unicode/utf8"

	"rein/vault/parse"
)

// Options say how long pieces are, in characters. The zero value means 2800 with an overlap of 400.
type Options struct {
	Size    int
	Overlap int
	// Most is how many pieces a note may have; zero means 10,000. What comes after them is left out.
	Most int
}

func (o Options) orDefault() Options {
	if o.Size <= 0 {
		o.Size, o.Overlap = 2800, 400
	}
	o.Overlap = max(0, min(o.Overlap, o.Size/2))
	if o.Most <= 0 {
		o.Most = 10_000
	}
	return o
}

// A Chunk is a piece of a note.
type Chunk struct {
	Start, End         int // bytes
	RuneStart, RuneEnd int
	Heading            int // of parse.Note.Headings; -1 before the first
	Last               int // the last heading whose section is in it, if several are: see Cut
	Hash               Hash
}

// A Hash tells texts apart.
type Hash [16]byte

// HashOf returns the hash of a text.
func HashOf(parts ...[]byte) Hash {
	h := sha256.New()
	for i, p := range parts {
		if i > 0 {
			h.Write([]byte{0})
		}
		h.Write(p)
	}
	return Hash(h.Sum(nil)[:16])
}

// plenty is how many sections a note of any length may have, and density how many characters each may
// take on average beyond, before small ones are joined. No note that people write comes near it.
const (
	plenty  = 256
	density = 512
)

// Cut cuts a note. The first piece begins where the text does, the last ends with it, and no byte
// between is left out, unless the note has more pieces than it may have: then whole is false.
//
// Each section is a piece of its own or several. Only in a note with very many sections small ones that
// follow each other are put into one piece, up to its usual length.
func Cut(text []byte, note *parse.Note, o Options) (out []Chunk, whole bool) {
	o = o.orDefault()
	ruler := ruler{text: text}
	for _, s := range joined(text, sections(text, note), o) {
		for _, piece := range pieces(text, s.start, s.end, o) {
			if len(out) == o.Most {
				return out, false
			}
			out = append(out, Chunk{
				Start: piece.Start, End: piece.End, RuneStart: ruler.at(piece.Start), RuneEnd: ruler.at(piece.End),
				Heading: s.heading, Last: s.last, Hash: HashOf(text[piece.Start:piece.End]),
			})
		}
	}
	return out, true
}

// joined puts small sections together if there are too many.
func joined(text []byte, all []section, o Options) []section {
	if len(all) <= min(plenty+len(text)/density, o.Most) {
		return all
	}
	out := all[:0]
	for _, s := range all {
		if n := len(out) - 1; n >= 0 && s.end-out[n].start <= o.Size { // bytes: not more characters than that
			out[n].end, out[n].last = s.end, s.heading
			continue
		}
		out = append(out, s)
	}
	return out
}

// A section ends where the next begins. The last heading is another than its own if it was joined.
type section struct{ start, end, heading, last int }

// sections returns the text between headings. One that has no text of its own goes with the next if
// that lies below it: alone it would say nothing.
func sections(text []byte, note *parse.Note) []section {
	var out []section
	from, of := 0, -1
	for i, h := range note.Headings {
		if h.Start <= from && i > 0 {
			continue
		}
		empty := blank(text[min(max(from, note.Front.End), h.Start):h.Start]) // front matter alone says nothing either
		if of >= 0 {
			empty = blank(text[min(note.Headings[of].Body, h.Start):h.Start]) && note.Headings[of].Level < h.Level
		}
		if h.Start > from && !empty {
			out = append(out, section{from, h.Start, of, of})
			from = h.Start
		}
		of = i
	}
	if from < len(text) {
		out = append(out, section{from, len(text), of, of})
	}
	return out
}

func blank(text []byte) bool {
	for _, c := range text {
		if c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// pieces cuts one section.
func pieces(text []byte, start, end int, o Options) []parse.Span {
	var out []parse.Span
	for {
		limit := forward(text[:end], start, o.Size+o.Size/10)
		if limit == end {
			return append(out, parse.Span{Start: start, End: end})
		}
		limit = forward(text[:end], start, o.Size)
		cut := boundary(text, forward(text[:end], start, o.Size*3/4), limit)
		out = append(out, parse.Span{Start: start, End: cut})
		start = overlapStart(text, start, cut, o.Overlap)
	}
}

// overlapStart goes back from a cut, to the beginning of a word.
func overlapStart(text []byte, start, cut, overlap int) int {
	at := cut
	for range overlap {
		_, size := utf8.DecodeLastRune(text[start:at])
		at -= size
	}
	for i := at; i < cut; i++ {
		if text[i] == ' ' || text[i] == '\n' {
			at = i + 1
			break
		}
	}
	if at <= start {
		return cut
	}
	return at
}

// boundary returns the best place to cut in a range: after a paragraph, a line, a sentence, a word.
func boundary(text []byte, low, high int) int {
	best, rank := high, 0
	for i := high; i > low; i-- {
		r := 0
		switch c := text[i-1]; {
		case c == '\n' && i >= 2 && text[i-2] == '\n':
			return i
		case c == '\n':
			r = 3
		case c == ' ' && i >= 2 && (text[i-2] == '.' || text[i-2] == '!' || text[i-2] == '?'):
			r = 2
		case c == ' ':
			r = 1
		}
		if r > rank {
			best, rank = i, r
		}
	}
	return best
}

// forward returns the byte that many characters on, at most the length of the text.
func forward(text []byte, at, runes int) int {
	for range runes {
		if at >= len(text) {
			return len(text)
		}
		_, size := utf8.DecodeRune(text[at:])
		at += size
	}
	return at
}

// A ruler counts characters up to a byte. Places asked for one after the other are near each other.
type ruler struct {
	text         []byte
	bytes, runes int
}

func (r *ruler) at(at int) int {
	if at >= r.bytes {
		r.runes += utf8.RuneCount(r.text[r.bytes:at])
	} else {
		r.runes -= utf8.RuneCount(r.text[at:r.bytes])
	}
	r.bytes = at
	return r.runes
}
