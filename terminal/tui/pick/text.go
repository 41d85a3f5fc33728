package pick

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"rein/terminal/tui/look"
)

// A pen writes the parts of a row.
type pen struct {
	theme  look.Theme
	chosen bool
}

func (p pen) plain(s string) string {
	if p.chosen {
		return p.theme.Chosen(s)
	}
	return s
}

func (p pen) dim(s string) string {
	if p.chosen {
		return p.theme.Chosen(s)
	}
	return p.theme.Dim(s)
}

func (p pen) found(s string) string {
	if p.chosen {
		return p.theme.Strong(p.theme.Chosen(s))
	}
	return p.theme.Strong(p.theme.Accent(s))
}

// text writes what fits of a text, with what was found in it.
func (p pen) text(s string, cells int, at []int, dim bool) string {
	cut := p.theme.Cut(s, cells)
	end := len(cut)
	if cut != s {
		end -= len(p.theme.Signs.More) // which stands for the rest, found or not
	}
	ordinary := p.plain
	if dim {
		ordinary = p.dim
	}
	var b strings.Builder
	for from := 0; from < len(cut); {
		to, found := run(cut, from, end, at)
		if found {
			b.WriteString(p.found(cut[from:to]))
		} else {
			b.WriteString(ordinary(cut[from:to]))
		}
		from = to
	}
	return b.String()
}

// run returns where the characters end that are found, or not found, like the one at from. Characters are what people
// see as such, so that an accent stays on its letter.
func run(s string, from, end int, at []int) (to int, found bool) {
	for to = from; to < len(s); {
		character, _ := ansi.FirstGraphemeCluster(s[to:], ansi.GraphemeWidth)
		is := to < end && hasBetween(at, to, to+len(character))
		if to > from && is != found {
			return to, found
		}
		found = is
		to += len(character)
	}
	return to, found
}

func hasBetween(at []int, from, to int) bool {
	for _, i := range at {
		if from <= i && i < to {
			return true
		}
	}
	return false
}

// withoutFirst is a text without its first character.
func withoutFirst(s string) string {
	character, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return s[len(character):]
}

// keyName is how a key is called on the screen: Ctrl+R.
func keyName(key string) string {
	parts := strings.Split(key, "+")
	for i, part := range parts {
		parts[i] = strings.ToUpper(part[:1]) + part[1:]
	}
	return strings.Join(parts, "+")
}
