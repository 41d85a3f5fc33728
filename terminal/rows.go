package terminal

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// rows sets the text of models, tools and people apart from rein's own lines. Each line of it begins
// with a bar, and so does each row that a long line is folded into: nothing of rein's own does, so the
// text cannot look like a prompt, with or without colours.
type rows struct {
	signs  signs
	width  int    // of the terminal; 0: there is none, and lines are not folded
	bare   bool   // the first row is rein's own and has no bar
	row    []byte // what the row has so far
	column int    // how far that reaches; 0: the row has not begun
}

// barCells is what a bar takes with the space behind it. Some terminals show one as wide as a letter of
// Chinese.
const barCells = 3

// tabStop is the width of a tab, which is written as spaces: where a real one ends depends on where the
// terminal believes to be.
const tabStop = 8

// resume returns what brings the terminal back to the end of the row. Someone may have typed meanwhile,
// even a line's end: what comes next would then begin a row without a bar.
func (r *rows) resume() string {
	if r.column == 0 {
		return ""
	}
	return "\r" + string(r.row)
}

// add returns the text with bars before its rows. It may be cut anywhere; what comes next goes on from
// there. The text must be safe to show.
func (r *rows) add(text string) string {
	var b strings.Builder
	before := ' '
	for i, c := range text {
		switch {
		case c == '\n':
			if r.column == 0 {
				b.WriteString(r.signs.bar)
			}
			b.WriteByte('\n')
			r.row, r.column, r.bare = r.row[:0], 0, false
		case c == '\t':
			for n := tabStop - max(0, r.column-barCells)%tabStop; n > 0; n-- {
				r.put(&b, ' ', 1)
			}
		case before == ' ' && c != ' ':
			r.put(&b, c, word(text[i:]))
		default:
			r.put(&b, c, cells(c))
		}
		if before = c; c == '\n' || c == '\t' {
			before = ' '
		}
	}
	return b.String()
}

// put adds a character, on a new row if what begins with it does not fit. A word that fits no row is
// folded where the row ends.
func (r *rows) put(b *strings.Builder, c rune, needs int) {
	if r.column == 0 {
		r.begin(b, r.signs.bar)
	}
	if needs > r.width/2 {
		needs = cells(c)
	}
	if r.width > 0 && r.column > barCells && r.column+needs > r.width-1 {
		b.WriteByte('\n')
		r.row, r.bare = r.row[:0], false
		r.begin(b, r.signs.fold)
		if c == ' ' {
			return
		}
	}
	b.WriteRune(c)
	r.row = utf8.AppendRune(r.row, c)
	r.column += cells(c)
}

func (r *rows) begin(b *strings.Builder, sign string) {
	r.column = barCells
	if !r.bare {
		b.WriteString(sign + " ")
		r.row = append(r.row, sign+" "...)
	}
}

// word is how many cells the word takes that the text begins with.
func word(text string) (n int) {
	for _, c := range text {
		if c == ' ' || c == '\n' || c == '\t' {
			break
		}
		n += cells(c)
	}
	return n
}

// cells is the most that a terminal takes for a character.
func cells(c rune) int {
	if c < 0x7f {
		return 1
	}
	switch width.LookupRune(c).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth, width.EastAsianAmbiguous:
		return 2
	}
	return 1
}

// Quoted returns a text in rows with bars, complete with the end of its last line.
func (s Screen) Quoted(text string) string {
	r := &rows{signs: s.signs, width: s.Columns()}
	return r.add(strings.TrimRight(safeLines(text), "\n") + "\n")
}

// Folded returns a line of rein's own that holds words of others: if it is long, the rows after the
// first have a bar.
func (s Screen) Folded(line string) string {
	r := &rows{signs: s.signs, width: s.Columns(), bare: true}
	return r.add(line)
}
