package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"rein/terminal/tui/look"
)

// What a text must not begin a row with are the signs of rein, and what looks like one. At the beginning of a row
//
//   - an upright line is drawn as ¦,
//   - other lines, which boxes and trees are made of, as `, ., + or -, as in drawings of ASCII,
//   - any other sign stands in parentheses.
//
// So all of them can still be read, and drawings keep their columns. Where something else stands before it, as a
// bullet or the gutter of a quote does, a sign stays as it is. Nothing is changed for terminals with ASCII only:
// their signs are ordinary characters such as + and *, which texts cannot do without, and there the gutter alone tells
// whose text it is.
const (
	uprights = "|│┃╎╏┆┇┊┋║╽╿╷╹╵╻├┝┞┟┠┡┢┣╞╟╠┤┥┦┧┨┩┪┫╡╢╣∣∥ǀǁ❘❙❚⎜⎟⎢⎥⎪⎮⏐⏽￨｜︱▏▎▍▌▐▕"
	rising   = "└┕┖┗╘╙╚╰┘┙┚┛╛╜╝╯"
	falling  = "┌┍┎┏╒╓╔╭┐┑┒┓╕╖╗╮"
	level    = "─━┄┅┈┉╌╍═╴╶╸╺╼╾"
	signs    = "›❯❱»〉⟩▸▶►▹▷‣⏵▾▼▽▿⏷●⬤⚫○◯⚪◐◑◒◓✓✔✗✘✕✖☑☒☐□·∙⋅…⋯"
)

// harmless returns what is drawn for a cluster that is the first to be seen in a row.
func (d *drawer) harmless(c cluster) cluster {
	if c.text[0] < utf8.RuneSelf && c.text != "|" || d.theme.Signs == look.Plain {
		return c
	}
	r, _ := utf8.DecodeRuneInString(c.text)
	switch {
	case strings.ContainsRune(uprights, r):
		return cluster{"¦", 1}
	case strings.ContainsRune(rising, r):
		return cluster{"`", 1}
	case strings.ContainsRune(falling, r):
		return cluster{".", 1}
	case strings.ContainsRune(level, r):
		return cluster{"-", 1}
	case r >= 0x2500 && r <= 0x257F: // what is left of the lines
		return cluster{"+", 1}
	case !strings.ContainsRune(signs, r):
		return c
	}
	return cluster{"(" + c.text + ")", c.cells + 2}
}

// isBlank reports whether nothing of a cluster can be seen.
func isBlank(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.Is(unicode.Zs, r) }) < 0
}
