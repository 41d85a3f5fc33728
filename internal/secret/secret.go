// Package secret recognises secrets by their shape: tokens, keys and passwords with a prefix, a
// frame or a name that hardly anything else has. It is pure, and takes time linear in the text.
package secret

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"rein"
)

// A Span is where a secret stands in a text, and of what kind it is.
type Span struct {
	From, To int
	Kind     string
}

// Label is what stands in the place of a secret that was taken out of a text.
func Label(kind string) string { return rein.Mask + kind + "]" }

// Matching is a shape of one's own: what the expression, or its group if it has one, matches.
func Matching(kind string, re *regexp.Regexp) Shape { return Shape{kind: kind, re: re} }

// Kind names what the shape finds.
func (p Shape) Kind() string { return p.kind }

// Find returns the secrets of the well-known shapes in a text. They may overlap.
func Find(s string) []Span {
	var spans []Span
	for _, shape := range wellKnown() {
		spans = append(spans, shape.Find(s)...)
	}
	return spans
}

// Kinds returns the kinds of the secrets in a text, sorted.
func Kinds(s string) []string {
	var kinds []string
	for _, span := range Find(s) {
		kinds = append(kinds, span.Kind)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds)
}

// IsWellKnown reports whether there is a well-known shape of this kind.
func IsWellKnown(kind string) bool {
	return slices.ContainsFunc(wellKnown(), func(s Shape) bool { return s.kind == kind })
}

// Find returns the secrets of this shape in a text.
func (p Shape) Find(s string) []Span {
	var spans []Span
	for _, part := range p.parts(s) {
		for _, at := range p.re.FindAllStringSubmatchIndex(s[part.From:part.To], -1) {
			found := Span{part.From + at[0], part.From + at[1], p.kind}
			if len(at) > 2 && at[2] >= 0 {
				found.From, found.To = part.From+at[2], part.From+at[3]
			}
			if found.To == part.To && len(p.hints) > 0 {
				found.To += solidSize(s[found.To:]) // the part ended before the secret did
			}
			if p.bare > 0 && trailOf(s[:found.From]).inWord() {
				found.From += p.bare
			}
			if found.To > found.From && (p.likely == nil || p.likely(s[found.From:found.To])) {
				spans = append(spans, found)
			}
		}
	}
	return spans
}

// How far around a hint a secret is looked for, within its line or the next.
const before, behind = 256, 4096

// parts returns the parts of the text that can have a match, in order: the neighbourhood of hints.
func (p Shape) parts(s string) []Span {
	if len(p.hints) == 0 {
		return []Span{{From: 0, To: len(s)}}
	}
	var parts []Span
	for _, hint := range p.hints {
		var ends lineEnds
		for at := 0; ; {
			i := strings.Index(s[at:], hint)
			if i < 0 {
				break
			}
			from := at + i
			at = from + len(hint)
			if p.near == nil || p.near(s[at:]) {
				parts = append(parts, ends.around(s, from, at))
			}
		}
	}
	slices.SortFunc(parts, func(a, b Span) int { return cmp.Compare(a.From, b.From) })
	merged := parts[:0]
	for _, part := range parts {
		if n := len(merged); n > 0 && part.From <= merged[n-1].To {
			merged[n-1].To = max(merged[n-1].To, part.To)
		} else {
			merged = append(merged, part)
		}
	}
	return merged
}

// lineEnds remembers where the line of the last hint ends and the one after, so that a long line is
// searched once and not for each of its hints.
type lineEnds struct{ this, next int }

// around returns the neighbourhood of a hint: its line and the next one, if they are not too long.
func (e *lineEnds) around(s string, from, to int) Span {
	if e.next == 0 || e.this < to {
		e.this = to + lineSize(s[to:])
		e.next = min(e.this+1, len(s))
		e.next += lineSize(s[e.next:])
	}
	first := max(from-before, 0)
	if i := strings.LastIndexByte(s[first:from], '\n'); i >= 0 {
		first += i + 1
	}
	return Span{From: first, To: min(e.next, to+behind)}
}

func lineSize(s string) int {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		return i
	}
	return len(s)
}

// solidSize is how far the text goes on in characters of tokens.
func solidSize(s string) int {
	rest := strings.TrimLeft(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-.+/=~")
	return len(s) - len(rest)
}
