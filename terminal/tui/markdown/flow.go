package markdown

import "strings"

// flow breaks a text into rows that fit, between words where it can.
func (d *drawer) flow(spans []span, p place) []string {
	return d.filled(spans, p.width, p.before)
}

// filled is flow for rows of which some have something before them on the screen.
func (d *drawer) filled(spans []span, width int, before func(row int) bool) []string {
	f := filler{d: d, width: width, before: before}
	for _, s := range spans {
		f.words(s)
	}
	f.endWord()
	f.endRow()
	return f.rows
}

// verbatim breaks a line where it is full, and keeps its spaces. A blank line is a row.
func (d *drawer) verbatim(spans []span, p place) []string {
	f := filler{d: d, width: p.width, before: p.before}
	for _, s := range spans {
		for text := s.text; text != ""; {
			c, size := first(text)
			f.put(c, s.pen)
			text = text[size:]
		}
	}
	f.endRow()
	if len(f.rows) == 0 {
		return []string{""}
	}
	return f.rows
}

// A filler fills rows with text.
type filler struct {
	d      *drawer
	width  int
	before func(row int) bool

	rows []string
	row  strings.Builder
	pen  pen
	used int  // cells of the row
	seen bool // it has something visible

	word      []inked
	wordCells int
	space     bool // stands before the word
	spacePen  pen
}

// inked is a cluster with its pen.
type inked struct {
	cluster
	pen pen
}

// words takes the words of a text, of which the last may continue.
func (f *filler) words(s span) {
	for text := s.text; text != ""; {
		switch text[0] {
		case '\n':
			f.endWord()
			f.endRow()
			text = text[1:]
			continue
		case ' ':
			f.endWord()
			f.space, f.spacePen = true, s.pen
			text = text[1:]
			continue
		}
		c, size := first(text)
		wide := c.cells > 1
		if wide { // scripts with wide characters break between any two of them
			f.endWord()
		}
		f.word = append(f.word, inked{c, s.pen})
		f.wordCells += c.cells
		if wide {
			f.endWord()
		}
		text = text[size:]
	}
}

// endWord writes the word that was read, on the next row if it does not fit.
func (f *filler) endWord() {
	if len(f.word) == 0 {
		return
	}
	if f.used > 0 {
		gap := 0
		if f.space {
			gap = 1
		}
		switch {
		case f.used+gap+f.wordCells > f.width:
			f.endRow()
		case f.space:
			f.put(cluster{" ", 1}, f.spacePen)
		}
	}
	for _, c := range f.word {
		f.put(c.cluster, c.pen)
	}
	f.word, f.wordCells, f.space = f.word[:0], 0, false
}

// shown is what is drawn for a cluster at the present place.
func (f *filler) shown(c cluster) cluster {
	if f.seen || f.before(len(f.rows)) {
		return c
	}
	return f.d.harmless(c)
}

// put writes a cluster, on the next row if it does not fit.
func (f *filler) put(c cluster, k pen) {
	out := f.shown(c)
	if f.used > 0 && f.used+out.cells > f.width {
		f.endRow()
		out = f.shown(c)
	}
	if out.cells > f.width { // a wide character in a column of one cell
		out = cluster{f.d.theme.Signs.Unsure, 1}
	}
	f.use(k)
	f.row.WriteString(out.text)
	f.used += out.cells
	f.seen = f.seen || !isBlank(c.text)
}

// use changes the pen.
func (f *filler) use(k pen) {
	if k == f.pen {
		return
	}
	_, after := f.d.pens.of(f.pen)
	before, _ := f.d.pens.of(k)
	f.row.WriteString(after + before)
	f.pen = k
}

// endRow ends a row that has something in it.
func (f *filler) endRow() {
	if f.used == 0 {
		return
	}
	f.use(0)
	f.rows = append(f.rows, f.row.String())
	f.row.Reset()
	f.used, f.seen = 0, false
}
