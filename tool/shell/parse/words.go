package parse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// word resolves quotes. Commands in substitutions become parts of their own.
func (w *walker) word(in *syntax.Word) Word {
	r := reading{w: w}
	for _, p := range in.Parts {
		r.part(p, false)
	}
	if r.braces {
		w.opaque(in, "braces are read differently by other shells")
	}
	out := Word{Text: r.text.String(), Kind: r.kind, Start: int(in.Pos().Offset()), End: int(in.End().Offset())}
	switch {
	case out.Kind == Unknown:
		out.Text = w.source(in)
	case out.Text == "[": // the command; a pattern has more
		out.Kind = Literal
	}
	return out
}

func (w *walker) words(in []*syntax.Word) []Word {
	var out []Word
	for _, word := range in {
		out = append(out, w.word(word))
	}
	return out
}

// source is a node as it is written.
func (w *walker) source(n syntax.Node) string {
	start, end := int(n.Pos().Offset()), int(n.End().Offset())
	if start < 0 || end > len(w.text) || start > end {
		return ""
	}
	return strings.TrimSpace(w.text[start:end])
}

// A reading is a word of which some parts are read.
type reading struct {
	w    *walker
	text strings.Builder
	kind WordKind

	braces bool
}

func (r *reading) is(kind WordKind) { r.kind = max(r.kind, kind) }

func (r *reading) part(p syntax.WordPart, quoted bool) {
	switch p := p.(type) {
	case *syntax.Lit:
		if quoted {
			r.inQuotes(p.Value)
		} else {
			r.bare(p.Value)
		}
	case *syntax.SglQuoted:
		if p.Dollar {
			r.is(Unknown) // escapes, which sh does not know
			r.w.opaque(p, "$'…' is read differently by other shells")
		}
		r.text.WriteString(p.Value)
	case *syntax.DblQuoted:
		if p.Dollar {
			r.is(Unknown)
			r.w.opaque(p, `$"…" is read differently by other shells`)
		}
		for _, inner := range p.Parts {
			r.part(inner, true)
		}
	default:
		r.is(Unknown)
		r.w.expansion(p)
	}
}

// inQuotes reads text between double quotes, where a backslash escapes four characters only.
func (r *reading) inQuotes(s string) {
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			r.text.WriteByte(s[i])
			continue
		}
		i++
		switch s[i] {
		case '\n':
		case '$', '`', '"', '\\':
			r.text.WriteByte(s[i])
		default:
			r.text.WriteByte('\\')
			r.text.WriteByte(s[i])
		}
	}
}

// bare reads text without quotes.
func (r *reading) bare(s string) {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 == len(s):
			r.is(Unknown)
		case c == '\\':
			if i++; s[i] != '\n' {
				r.text.WriteByte(s[i])
			}
		case c == '{' && strings.HasPrefix(s[i:], "{}"):
			r.text.WriteString("{}")
			i++
		case c == '{':
			r.is(Unknown)
			r.braces = true
		case c == '~' && r.homeStartsHere():
			r.is(Unknown)
		case strings.IndexByte("*?[", c) >= 0:
			r.is(Glob)
			r.text.WriteByte(c)
		default:
			r.text.WriteByte(c)
		}
	}
}

// homeStartsHere reports whether a tilde would stand for a home folder: at the beginning, and after
// what separates values.
func (r *reading) homeStartsHere() bool {
	before := r.text.String()
	return before == "" || strings.HasSuffix(before, "=") || strings.HasSuffix(before, ":")
}

// expansion walks what the shell computes. Its value is not known.
func (w *walker) expansion(p syntax.WordPart) {
	switch p := p.(type) {
	case *syntax.ParamExp:
		w.param(p)
	case *syntax.CmdSubst:
		switch {
		case p.TempFile || p.ReplyVar:
			w.opaque(p, "this kind of substitution is not read")
		case p.Backquotes && strings.Contains(w.source(p), `\`):
			w.opaque(p, "backslashes inside backquotes are read twice")
		}
		w.stmts(p.Stmts)
	case *syntax.ArithmExp:
		if p.Bracket || !isNumeric(p.X) {
			w.opaque(p, "arithmetic with variables can run commands")
			w.inside(p)
		}
	default:
		w.opaque(p, "this kind of expansion is not read")
		w.inside(p)
	}
}

// param walks an expansion of a variable. Those that only choose a value or cut pieces off have no
// effect; the others may assign, or run commands.
func (w *walker) param(p *syntax.ParamExp) {
	if p.Excl || p.Index != nil || p.Slice != nil || p.Repl != nil || p.Names != 0 || p.Width || p.Param == nil {
		w.opaque(p, "this kind of expansion is not read")
		w.inside(p)
		return
	}
	if p.Exp == nil {
		return
	}
	if strings.ContainsAny(w.source(p), `'"\`) {
		w.opaque(p, "quotes inside ${…} are read differently by different shells")
	}
	harmless := []syntax.ParExpOperator{
		syntax.AlternateUnset, syntax.AlternateUnsetOrNull, syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull,
		syntax.RemSmallSuffix, syntax.RemLargeSuffix, syntax.RemSmallPrefix, syntax.RemLargePrefix,
	}
	switch {
	case p.Exp.Op == syntax.AssignUnset || p.Exp.Op == syntax.AssignUnsetOrNull:
		w.add(Part{Kind: Assign, Source: w.source(p), Env: []Variable{{p.Param.Value, Word{Kind: Unknown}}}})
	case !slices.Contains(harmless, p.Exp.Op):
		w.opaque(p, "this kind of expansion is not read")
	}
	if p.Exp.Word != nil {
		w.word(p.Exp.Word)
	}
}

// isNumeric reports whether arithmetic has numbers only. A variable's value is itself computed, and
// may hold a command.
func isNumeric(x syntax.ArithmExpr) bool {
	numeric := true
	syntax.Walk(x, func(n syntax.Node) bool {
		switch n := n.(type) {
		case nil, *syntax.BinaryArithm, *syntax.UnaryArithm, *syntax.ParenArithm, *syntax.Word:
		case *syntax.Lit:
			numeric = numeric && n.Value != "" && strings.Trim(n.Value, "0123456789") == ""
		default:
			numeric = false
		}
		return numeric
	})
	return numeric
}
