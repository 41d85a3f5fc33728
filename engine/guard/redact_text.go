package guard

import (
	"cmp"
	"slices"
	"strings"

	"rein"
	"rein/internal/secret"
)

// passes bounds how often a text is looked at: what stood beside a secret may look like one when the
// secret is gone.
const passes = 8

// A span is a secret in a text.
type span struct {
	secret.Span
	block bool
}

// Suspects reports whether a text may hold a secret. If not, taking them out changes nothing.
func (r *Redactor) Suspects(s string) bool { return r.lookout().Suspects(s) }

// Text takes the secrets out of a text. It returns the kinds that it found, sorted, and whether one
// of them forbids to pass the text on at all. Taking them out twice changes nothing more.
func (r *Redactor) Text(s string) (out string, found []string, block bool) {
	if !r.Suspects(s) {
		return s, nil, false
	}
	for range passes {
		spans := r.spans(s)
		if len(spans) == 0 {
			break
		}
		for _, span := range spans {
			found = append(found, span.Kind)
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
			spans = add(spans, shape.Find(s), shape.block)
		}
	}
	spans = add(spans, secret.Find(s), false)
	if len(spans) == 0 {
		return nil
	}
	labels := r.labels(s)
	beside := spans[:0]
	for _, found := range spans {
		if found = found.beside(labels); found.From < found.To {
			beside = append(beside, found)
		}
	}
	return beside
}

// beside takes the labels that a span begins or ends in off it.
func (found span) beside(labels []span) span {
	i, _ := slices.BinarySearchFunc(labels, found.From+1, func(l span, at int) int { return cmp.Compare(l.From, at) })
	if i > 0 {
		found.From = max(found.From, labels[i-1].To)
	}
	i, _ = slices.BinarySearchFunc(labels, found.To, func(l span, at int) int { return cmp.Compare(l.From, at) })
	if i > 0 && found.To <= labels[i-1].To {
		found.To = min(found.To, labels[i-1].From)
	}
	return found
}

func add(spans []span, found []secret.Span, block bool) []span {
	for _, f := range found {
		spans = append(spans, span{f, block})
	}
	return spans
}

func (e exact) find(s string, spans []span) []span {
	for at := 0; ; {
		i := strings.Index(s[at:], e.text)
		if i < 0 {
			return spans
		}
		at += i + len(e.text)
		spans = append(spans, span{Span: secret.Span{From: at - len(e.text), To: at, Kind: e.kind}})
	}
}

// labels finds what Text has put in the place of secrets. Only the labels of known kinds count, so
// that nothing can be hidden in a made-up one.
func (r *Redactor) labels(s string) []span {
	var labels []span
	for at := 0; ; {
		i := strings.Index(s[at:], rein.Mask)
		if i < 0 {
			return labels
		}
		from := at + i
		at = from + len(rein.Mask)
		kind, _, ok := strings.Cut(s[at:min(at+64, len(s))], "]")
		if ok && r.knows(kind) {
			labels = append(labels, span{Span: secret.Span{From: from, To: at + len(kind) + 1}})
		}
	}
}

func (r *Redactor) knows(kind string) bool {
	if secret.IsWellKnown(kind) {
		return true
	}
	return r != nil && (slices.ContainsFunc(r.shapes, func(s shape) bool { return s.Kind() == kind }) || slices.ContainsFunc(r.exact, func(e exact) bool { return e.kind == kind }))
}

// replace puts labels in the place of secrets; of those that overlap, the one that begins first gives
// its name to all.
func replace(s string, spans []span) string {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	var b strings.Builder
	at := 0
	for i := 0; i < len(spans); {
		from, to, kind := spans[i].From, spans[i].To, spans[i].Kind
		for i++; i < len(spans) && spans[i].From < to; i++ {
			to = max(to, spans[i].To)
		}
		b.WriteString(s[at:from] + secret.Label(kind))
		at = to
	}
	b.WriteString(s[at:])
	return b.String()
}
