// Package index keeps the index of one vault in its own folder: words and the passages that contain
// them, names, tags and vectors. One process writes; what was committed survives a crash. It finds
// and scores passages; package rank orders them.
package index

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"rein/vault/chunk"
	"rein/vault/parse"
	"rein/vault/words"
)

// What a word counts for, in quarters. Code, templates and front matter are found but say less.
const (
	weightText  = 4
	weightHead  = 8
	weightCode  = 2
	weightBoil  = 1
	weightFront = 1
	weightAbove = 2 // title and headings, for pieces that do not hold them
)

// A Note is what the index keeps of a note beside its pieces.
type Note struct {
	Path     string
	Hash     chunk.Hash // of the whole text
	Size     int64
	ModTime  int64 // nanoseconds
	Indexed  int64 // when it was read, nanoseconds
	Lang     words.Lang
	Title    string
	Aliases  []string
	Tags     []string
	Problems []string
	Links    []string // to other notes and files, as written, without sections, each once
	Linked   bool     // links are known: an older program kept none
	first    uint32   // piece
	count    uint32
}

// Pieces returns how many pieces the note has.
func (n *Note) Pieces() int { return int(n.count) }

// A Doc is a note that was read and can be put into an index.
type Doc struct {
	Note
	Pieces []Piece
}

// A Piece is a chunk with what is searched of it.
type Piece struct {
	chunk.Chunk
	Section string
	anchors []byte     // of a piece that has several sections
	Size    int        // characters that are no blanks at the ends
	Key     chunk.Hash // of its passage; zero if it has none
	words   map[string]uint32
	length  uint32
	print   [printBytes]byte
}

// Read makes a Doc of a note's text.
func Read(name string, text []byte, o chunk.Options) Doc {
	note := parse.Parse(text)
	d := Doc{Note: Note{
		Path: name, Hash: chunk.HashOf(text), Size: int64(len(text)), Lang: note.Lang,
		Title: note.Title, Aliases: note.Aliases, Tags: note.Tags, Problems: note.Problems,
		Links: linksOf(&note), Linked: true,
	}}
	if d.Title == "" {
		d.Title = FileTitle(name)
	}
	cut, isWhole := chunk.Cut(text, &note, o)
	d.limited(cut, isWhole)
	if len(cut) == 0 {
		cut = []chunk.Chunk{{Heading: -1, Last: -1, Hash: chunk.HashOf(nil)}} // an empty note has a name to be found by
	}
	for i, c := range cut {
		d.Pieces = append(d.Pieces, readPiece(text, &note, d.Title, c, i == 0))
	}
	return d
}

// maxLinks bounds what is kept of a note's links, and maxLink of one, in bytes.
const (
	maxLinks = 1000
	maxLink  = 500
)

// linksOf returns the targets of a note's links that may lie in the vault.
func linksOf(note *parse.Note) (all []string) {
	seen := map[string]bool{}
	for _, l := range note.Links {
		if target := l.Target; target != "" && len(target) <= maxLink && !seen[target] && !strings.Contains(target, ":") && len(all) < maxLinks {
			seen[target] = true
			all = append(all, target)
		}
	}
	return all
}

// limited says so if the note has more sections, or more text, than are searched each by itself.
func (d *Doc) limited(cut []chunk.Chunk, isWhole bool) {
	if slices.ContainsFunc(cut, func(c chunk.Chunk) bool { return c.Last != c.Heading }) {
		d.Problems = append(d.Problems, parse.TooMuch+"its small sections are searched together")
	}
	if !isWhole {
		d.Problems = append(d.Problems, fmt.Sprintf("%sonly the first %d passages are searched", parse.TooMuch, len(cut)))
	}
}

// A Passage is what vectors are made of.
type Passage struct {
	Text string
	Key  chunk.Hash
}

// Passages returns the passages of the note's pieces, in order.
func Passages(name string, text []byte, o chunk.Options) []Passage {
	note := parse.Parse(text)
	title := note.Title
	if title == "" {
		title = FileTitle(name)
	}
	var all []Passage
	cut, _ := chunk.Cut(text, &note, o)
	for _, c := range cut {
		if said := passage(text, &note, title, c); said != "" {
			all = append(all, Passage{said, chunk.HashOf([]byte(said))})
		}
	}
	return all
}

// FileTitle is what a note without a title is called.
func FileTitle(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

func readPiece(text []byte, note *parse.Note, title string, c chunk.Chunk, first bool) Piece {
	p := Piece{Chunk: c, words: map[string]uint32{}}
	body := string(text[c.Start:c.End])
	p.Size = len([]rune(strings.TrimSpace(withoutFront(body, note, c))))
	words.Each(body, func(w words.Word) { p.add(w.Text, weightAt(note, c.Start+w.Start)) })
	above := title
	if first {
		above += " " + strings.Join(note.Aliases, " ") + " " + strings.Join(note.Tags, " ")
	}
	if c.Heading >= 0 {
		h := note.Headings[c.Heading]
		p.Section = h.Name
		above += " " + strings.Join(h.Path, " ")
	}
	if c.Last != c.Heading {
		p.anchors = anchorsOf(note.Headings, c)
	}
	words.Each(above, func(w words.Word) { p.add(w.Text, weightAbove) })
	p.print = fingerprint(p.words)
	if said := passage(text, note, title, c); said != "" {
		p.Key = chunk.HashOf([]byte(said))
	}
	return p
}

func (p *Piece) add(word string, weight uint32) {
	p.words[word] += weight
	p.length += weight
}

func withoutFront(body string, note *parse.Note, c chunk.Chunk) string {
	return body[max(0, min(note.Front.End-c.Start, len(body))):]
}

func weightAt(note *parse.Note, at int) uint32 {
	switch {
	case at < note.Front.End:
		return weightFront
	case parse.In(note.Code, at):
		return weightCode
	case parse.In(note.Boiler, at):
		return weightBoil
	case inHeading(note.Headings, at):
		return weightHead
	}
	return weightText
}

func inHeading(headings []parse.Heading, at int) bool {
	low, high := 0, len(headings)
	for low < high {
		mid := (low + high) / 2
		if headings[mid].Body <= at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < len(headings) && headings[low].Start <= at
}

// codeInPassage is how much of a block of code a vector is made of: enough to know what it is.
const codeInPassage = 200

// passage is what a piece says: where it stands and its text, without front matter and boilerplate
// and with little of its code.
func passage(text []byte, note *parse.Note, title string, c chunk.Chunk) string {
	var b strings.Builder
	at := max(c.Start, min(note.Front.End, c.End))
	for at < c.End {
		next, skip, keep := c.End, c.End, 0
		for _, spans := range [][]parse.Span{note.Boiler, note.Code} {
			if s, ok := spanAfter(spans, at); ok && s.Start < next {
				next, skip, keep = max(s.Start, at), min(s.End, c.End), 0
				if parse.In(note.Code, next) {
					keep = codeInPassage
				}
			}
		}
		b.Write(text[at:next])
		if next < skip {
			b.Write(text[next:min(skip, next+keep)])
			b.WriteByte(' ')
		}
		at = max(skip, next)
	}
	said := strings.ToValidUTF8(strings.TrimSpace(b.String()), "")
	if said == "" {
		return ""
	}
	where := title
	if c.Heading >= 0 && note.Headings[c.Heading].Text != title {
		where += ": " + note.Headings[c.Heading].Text
	}
	return where + "\n" + said
}

// spanAfter returns the first span that ends after a byte.
func spanAfter(spans []parse.Span, at int) (parse.Span, bool) {
	low, high := 0, len(spans)
	for low < high {
		mid := (low + high) / 2
		if spans[mid].End <= at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == len(spans) {
		return parse.Span{}, false
	}
	return spans[low], true
}

// printBytes is the size of a fingerprint.
const printBytes = 64

// fingerprint is a sketch of a set of words: two sets agree in about as many bytes as they share words.
func fingerprint(set map[string]uint32) (print [printBytes]byte) {
	var least [printBytes]uint64
	for w := range set {
		h := uint64(14695981039346656037)
		for i := range len(w) {
			h = (h ^ uint64(w[i])) * 1099511628211
		}
		h ^= h >> 32
		h *= 0x9e3779b97f4a7c15
		bin := h >> 58
		if v := h<<6 | 1; least[bin] == 0 || v < least[bin] {
			least[bin] = v
		}
	}
	for i, v := range least {
		if v != 0 {
			print[i] = byte(v>>8%255) + 1 // 0 is for none
		}
	}
	return print
}

// Alike returns how many words two pieces share, from 0 to 1, by their fingerprints.
func Alike(a, b []byte) float64 {
	same, all := 0, 0
	for i := range min(len(a), len(b)) {
		if a[i] == 0 && b[i] == 0 {
			continue
		}
		all++
		if a[i] == b[i] {
			same++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(same) / float64(all)
}

// tagKey brings a tag into the form in which tags are compared.
func tagKey(tag string) string {
	tag = strings.Trim(strings.TrimLeft(strings.TrimSpace(tag), "#"), "/ ")
	return norm.NFC.String(strings.ToLower(tag))
}
