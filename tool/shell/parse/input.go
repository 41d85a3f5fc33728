package parse

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"mvdan.cc/sh/v3/syntax"
)

// joined is what a command reads that has two inputs, of which it may use either.
func joined(a, b Word) Word {
	if a.Text == "" {
		return b
	}
	if b.Text != "" {
		a.Text += " " + b.Text
	}
	a.Kind = max(a.Kind, b.Kind)
	return a
}

// inputOf is what a redirection gives a command to read; it is empty for those that write.
func (w *walker) inputOf(r *syntax.Redirect) Word {
	quiet := &walker{text: w.text, variant: w.variant}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		if r.Hdoc == nil {
			return Word{}
		}
		sum := sha256.Sum256([]byte(w.source(r.Hdoc)))
		doc := Word{Text: r.Op.String() + hex.EncodeToString(sum[:16])}
		if slices.ContainsFunc(r.Hdoc.Parts, func(p syntax.WordPart) bool { _, plain := p.(*syntax.Lit); return !plain }) {
			doc.Kind = Unknown
		}
		return doc
	case syntax.WordHdoc:
		return Word{Text: "<<<", Kind: Unknown}
	case syntax.RdrIn, syntax.RdrInOut, syntax.DplIn:
		from := quiet.word(r.Word)
		return Word{Text: r.Op.String() + " " + from.Text, Kind: from.Kind}
	}
	return Word{}
}

// joined walks two commands with an operator between them. The second one of a pipe reads what the first one writes.
func (w *walker) joined(c *syntax.BinaryCmd) {
	n := len(w.parts)
	w.stmt(c.X)
	if c.Op == syntax.AndStmt || c.Op == syntax.OrStmt {
		w.stmt(c.Y)
		return
	}
	before := w.input
	w.input = joined(before, Word{Text: "| " + w.source(c.X)})
	for _, p := range w.parts[n:] {
		w.input = joined(w.input, Word{Text: p.Input.Text}) // with the here-documents, which are elsewhere in the line
		if !p.IsKnown() {
			w.input.Kind = Unknown
		}
	}
	w.stmt(c.Y)
	w.input = before
}
