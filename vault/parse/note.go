// Package parse reads a Markdown note: front matter, headings, tags, links, code and boilerplate,
// each with its exact position. It never fails: it reports what is malformed and reads the rest.
package parse

import "rein/vault/words"

// A Span is a half-open range of bytes of a note.
type Span struct{ Start, End int }

// A Note is what is known of a text. All places are bytes of the whole text, front matter included.
type Note struct {
	Title    string // of the front matter, else the first heading of level 1; "" if there is neither
	Aliases  []string
	Tags     []string // without "#", each once, in the order of their first use
	Front    Span     // the front matter with its fences; empty if there is none
	Headings []Heading
	Links    []Link
	Code     []Span // blocks and spans of code, in order
	Boiler   []Span // what templates leave behind, comments, lines that only link; in order
	Lang     words.Lang
	Problems []string // what was malformed, for the person who keeps the note
}

// A Heading begins a section.
type Heading struct {
	Level int
	Text  string // without marks
	// Name is unique in the note: the text, or with the headings above it ("A > B") if the text
	// stands there twice, or with a number ("A > B (2)") if that does too.
	Name  string
	Path  []string // the texts of the headings above it and its own
	Start int      // where its line begins
	Body  int      // where the line after it begins
	End   int      // where the next heading of its level or above begins: the section with all below it
}

// A Link is a mention of another note or address.
type Link struct {
	Target  string // as written, without the section
	Section string
	Label   string
	Wiki    bool
	Embed   bool // shows what it links to
	At      int
}

// In reports whether a byte lies in one of the spans, which are in order.
func In(spans []Span, at int) bool {
	low, high := 0, len(spans)
	for low < high {
		mid := (low + high) / 2
		if spans[mid].End <= at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	return low < len(spans) && spans[low].Start <= at
}
