package guard

import (
	"cmp"
	"slices"
	"strings"
)

// passes bounds how often a text is looked at: what stood beside a secret may look like one when the
// secret is gone.
const passes = 8

// A span is a secret in a text.
type span struct {
	from, to int
	kind     string
	block    bool
}

// Text takes the secrets out of a text. It returns the kinds that it found, sorted, and whether one
// of them forbids to pass the text on at all. Taking them out twice changes nothing more.
func (r *Redactor) Text(s string) (out string, found []string, block bool) {
	for range passes {
		spans := r.spans(s)
		if len(spans) == 0 {
			break
		}
		for _, span := range spans {
			found = append(found, span.kind)
			block = block || span.block
		}
		s = replace(s, spans)
	}
	slices.Sort(found)
	return s, slices.Compact(found), block
}

// spans finds all secrets, and leaves the labels of those that were taken out alone.
func (r *Redactor) spans(s string) []span {
	var spans []span
	if r != nil {
		for _, e := range r.exact {
			spans = e.find(s, spans)
		}
		for _, shape := range r.shapes {
			spans = shape.find(s, spans)
		}
	}
	for _, shape := range wellKnown {
		spans = shape.find(s, spans)
	}
	if len(spans) == 0 {
		return nil
	}
	labels := r.labels(s)
	return slices.DeleteFunc(spans, func(found span) bool {
		i, _ := slices.BinarySearchFunc(labels, found.from+1, func(l span, at int) int { return cmp.Compare(l.from, at) })
		return i > 0 && found.to <= labels[i-1].to
	})
}

func (e exact) find(s string, spans []span) []span {
	for at := 0; ; {
		i := strings.Index(s[at:], e.text)
		if i < 0 {
			return spans
		}
		at += i + len(e.text)
		spans = append(spans, span{from: at - len(e.text), to: at, kind: e.kind})
	}
}

func (p shape) find(s string, spans []span) []span {
	for _, part := range p.parts(s) {
		for _, at := range p.re.FindAllStringSubmatchIndex(s[part.from:part.to], -1) {
			found := span{part.from + at[0], part.from + at[1], p.kind, p.block}
			if len(at) > 2 && at[2] >= 0 {
				found.from, found.to = part.from+at[2], part.from+at[3]
			}
			if found.to == part.to && len(p.hints) > 0 {
				found.to += solidSize(s[found.to:]) // the part ended before the secret did
			}
			if found.to > found.from && (p.likely == nil || p.likely(s[found.from:found.to])) {
				spans = append(spans, found)
			}
		}
	}
	return spans
}

// How far around a hint a secret is looked for, within its line or the next.
const before, behind = 256, 4096

// parts returns the parts of the text that can have a match, in order: the neighbourhood of hints.
func (p shape) parts(s string) []span {
	if len(p.hints) == 0 {
		return []span{{from: 0, to: len(s)}}
	}
	var parts []span
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
	slices.SortFunc(parts, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	merged := parts[:0]
	for _, part := range parts {
		if n := len(merged); n > 0 && part.from <= merged[n-1].to {
			merged[n-1].to = max(merged[n-1].to, part.to)
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
func (e *lineEnds) around(s string, from, to int) span {
	if e.next == 0 || e.this < to {
		e.this = to + lineSize(s[to:])
		e.next = min(e.this+1, len(s))
		e.next += lineSize(s[e.next:])
	}
	first := max(from-before, 0)
	if i := strings.LastIndexByte(s[first:from], '\n'); i >= 0 {
		first += i + 1
	}
	return span{from: first, to: min(e.next, to+behind)}
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

// labels finds what Text has put in the place of secrets. Only the labels of known kinds count, so
// that nothing can be hidden in a made-up one.
func (r *Redactor) labels(s string) []span {
	const begin = "[redacted: "
	var labels []span
	for at := 0; ; {
		i := strings.Index(s[at:], begin)
		if i < 0 {
			return labels
		}
		from := at + i
		at = from + len(begin)
		kind, _, ok := strings.Cut(s[at:min(at+64, len(s))], "]")
		if ok && r.knows(kind) {
			labels = append(labels, span{from: from, to: at + len(kind) + 1})
		}
	}
}

func (r *Redactor) knows(kind string) bool {
	known := func(s shape) bool { return s.kind == kind }
	if slices.ContainsFunc(wellKnown, known) {
		return true
	}
	return r != nil && (slices.ContainsFunc(r.shapes, known) || slices.ContainsFunc(r.exact, func(e exact) bool { return e.kind == kind }))
}

// replace puts labels in the place of secrets; of those that overlap, the one that begins first gives
// its name to all.
func replace(s string, spans []span) string {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	var b strings.Builder
	at := 0
	for i := 0; i < len(spans); {
		from, to, kind := spans[i].from, spans[i].to, spans[i].kind
		for i++; i < len(spans) && spans[i].from < to; i++ {
			to = max(to, spans[i].to)
		}
		b.WriteString(s[at:from] + label(kind))
		at = to
	}
	b.WriteString(s[at:])
	return b.String()
}
