package parse

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A walker collects the parts of a text.
type walker struct {
	text    string
	variant syntax.LangVariant
	depth   int // of texts that other commands run
	dir     string
	via     []string
	input   Word // where commands get their standard input from
	parts   []Part
}

func (w *walker) add(p Part) {
	p.Dir, p.Nested = w.dir, w.depth > 0
	p.Via = slices.Clip(append(slices.Clone(w.via), p.Via...))
	if p.Kind == Command || p.Kind == Opaque {
		p.Input = joined(w.input, p.Input)
	}
	w.parts = append(w.parts, p)
}

func (w *walker) opaque(n syntax.Node, why string) {
	w.add(Part{Kind: Opaque, Source: w.source(n), Why: why})
}

func (w *walker) file(f *syntax.File) {
	if w.depth == 0 {
		if to, rest, ok := w.leadingCd(f.Stmts); ok {
			w.add(to)
			w.dir = to.Argv[1].Text
			w.stmts(rest)
			return
		}
	}
	w.stmts(f.Stmts)
}

// leadingCd finds the one place where a change of folder is sure to hold for all that follows: at the
// beginning of a line that is nothing but commands joined by &&.
func (w *walker) leadingCd(stmts []*syntax.Stmt) (to Part, rest []*syntax.Stmt, ok bool) {
	if len(stmts) != 1 {
		return Part{}, nil, false
	}
	for s := stmts[0]; ; {
		if s.Negated || s.Background || s.Coprocess || s.Disown || len(s.Redirs) > 0 {
			return Part{}, nil, false
		}
		both, isBoth := s.Cmd.(*syntax.BinaryCmd)
		if isBoth && both.Op == syntax.AndStmt {
			rest = append(rest, both.Y)
			s = both.X
			continue
		}
		call, isCall := s.Cmd.(*syntax.CallExpr)
		if !isCall || len(call.Assigns) > 0 || len(call.Args) != 2 || call.Args[0].Lit() != "cd" || len(rest) == 0 {
			return Part{}, nil, false
		}
		quiet := &walker{text: w.text, variant: w.variant}
		to = Part{Kind: Command, Source: w.source(s), Argv: quiet.words(call.Args)}
		target := to.Argv[1]
		ok = target.Kind == Literal && target.Text != "" && !strings.HasPrefix(target.Text, "-") && len(quiet.parts) == 0
		slices.Reverse(rest)
		return to, rest, ok
	}
}

func (w *walker) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		w.stmt(s)
	}
}

func (w *walker) stmt(s *syntax.Stmt) {
	if s.Background || s.Coprocess || s.Disown {
		w.opaque(s, "it goes on in the background")
	}
	before := w.input
	for _, r := range s.Redirs {
		w.redirect(r)
		w.input = joined(w.input, w.inputOf(r))
	}
	w.command(s.Cmd)
	w.input = before
}

// command walks one command. What is not in the list is opaque, and commands inside are still found.
func (w *walker) command(c syntax.Command) {
	switch c := c.(type) {
	case nil:
	case *syntax.CallExpr:
		w.call(c)
	case *syntax.BinaryCmd:
		if c.Op != syntax.AndStmt && c.Op != syntax.OrStmt && c.Op != syntax.Pipe {
			w.opaque(c, "|& is read differently by other shells")
		}
		w.joined(c)
	case *syntax.Subshell:
		w.stmts(c.Stmts)
	case *syntax.Block:
		w.stmts(c.Stmts)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			w.stmts(c.Cond)
			w.stmts(c.Then)
		}
	case *syntax.WhileClause:
		if w.isEndless(c) {
			w.opaque(c, "it is a loop that may not end")
		}
		w.stmts(c.Cond)
		w.stmts(c.Do)
	case *syntax.ForClause:
		w.loop(c)
	case *syntax.CaseClause:
		w.choice(c)
	case *syntax.TimeClause:
		w.within("time", func() { w.stmtOrNone(c.Stmt) })
	case *syntax.FuncDecl:
		w.opaque(c, "it defines a function, which changes what a name means")
		w.stmtOrNone(c.Body)
	default:
		w.opaque(c, "this kind of command is not read")
		w.inside(c)
	}
}

func (w *walker) stmtOrNone(s *syntax.Stmt) {
	if s != nil {
		w.stmt(s)
	}
}

// within walks what another command runs.
func (w *walker) within(via string, walk func()) {
	w.via = append(w.via, via)
	walk()
	w.via = w.via[:len(w.via)-1]
}

// inside finds the commands in something that is not read itself.
func (w *walker) inside(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			w.stmts(n.Stmts)
			return false
		case *syntax.ProcSubst:
			w.stmts(n.Stmts)
			return false
		case *syntax.Stmt:
			w.stmt(n)
			return false
		}
		return true
	})
}

func (w *walker) loop(c *syntax.ForClause) {
	items, ok := c.Loop.(*syntax.WordIter)
	if !ok || c.Select || c.Braces {
		w.opaque(c, "this kind of loop is not read")
		w.inside(c)
		return
	}
	w.words(items.Items)
	w.add(Part{Kind: Assign, Source: w.source(items), Env: []Variable{{items.Name.Value, Word{Kind: Unknown}}}})
	w.stmts(c.Do)
}

// isEndless reports whether the condition of a loop is the same every time.
func (w *walker) isEndless(c *syntax.WhileClause) bool {
	if len(c.Cond) == 0 {
		return false
	}
	call, ok := c.Cond[len(c.Cond)-1].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	if c.Until {
		return call.Args[0].Lit() == "false"
	}
	for _, a := range call.Args[1:] {
		if w.hasExpansion(a) {
			return false
		}
	}
	return slices.Contains([]string{"true", ":", "[", "test", "echo", "printf"}, call.Args[0].Lit())
}

// hasExpansion reports whether a word is computed.
func (w *walker) hasExpansion(word *syntax.Word) bool {
	quiet := &walker{text: w.text, variant: w.variant}
	return quiet.word(word).Kind != Literal
}

func (w *walker) choice(c *syntax.CaseClause) {
	w.word(c.Word)
	for _, item := range c.Items {
		if item.Op != syntax.Break || c.Braces {
			w.opaque(c, "this kind of case is not read")
		}
		w.words(item.Patterns)
		w.stmts(item.Stmts)
	}
}

// redirect adds the file that a redirection opens. Copies of what is open already are no parts.
func (w *walker) redirect(r *syntax.Redirect) {
	if r.N != nil && strings.Trim(r.N.Value, "0123456789") != "" {
		w.opaque(r, "this kind of redirection is not read")
	}
	switch r.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		w.heredoc(r)
		return
	case syntax.WordHdoc:
		w.opaque(r, "<<< is read differently by other shells")
		w.word(r.Word)
		return
	}
	to := w.word(r.Word)
	part := Part{Kind: Redirect, Source: w.source(r), Path: to, Mode: Write}
	switch r.Op {
	case syntax.DplIn, syntax.DplOut:
		if digits := strings.Trim(to.Text, "0123456789"); to.Kind == Literal && to.Text != "" && (digits == "" || to.Text == "-") {
			return
		}
		part = Part{Kind: Opaque, Source: part.Source, Why: "this kind of redirection is not read"}
	case syntax.RdrIn:
		part.Mode = Read
	case syntax.RdrOut, syntax.AppOut, syntax.RdrInOut, syntax.RdrClob:
	default:
		part = Part{Kind: Opaque, Source: part.Source, Why: "this kind of redirection is read differently by other shells"}
	}
	w.add(part)
}

// heredoc walks the text that a command reads. It is data, apart from what the shell computes in it.
func (w *walker) heredoc(r *syntax.Redirect) {
	if r.Hdoc == nil {
		return
	}
	if why := w.otherEnd(r); why != "" {
		w.opaque(r, why)
	}
	computes := false
	for _, p := range r.Hdoc.Parts {
		if _, plain := p.(*syntax.Lit); !plain {
			computes = true
			w.expansion(p)
		}
	}
	if computes && strings.ContainsAny(w.source(r.Word), `'"\`) {
		w.opaque(r, "the word of the here-document is quoted in part, so shells compute nothing in it")
	}
}

// otherEnd says why shells may find the end of a here-document elsewhere than the parser did. They take the first line that
// is its word, whatever was opened before; the parser goes by what it reads.
func (w *walker) otherEnd(r *syntax.Redirect) string {
	const elsewhere = "shells may find the end of the here-document elsewhere"
	start, end := int(r.Hdoc.Pos().Offset()), int(r.Hdoc.End().Offset())
	if start < 1 || end > len(w.text) || start > end || strings.Contains(w.text[start:end]+"\n", "\\\n") {
		return "shells join lines that end with a backslash, and may find the end of the here-document elsewhere"
	}
	stop := w.word(r.Word)
	if stop.Kind != Literal || w.text[start-1] != '\n' || end < len(w.text) && w.text[end] != '\n' {
		return elsewhere
	}
	lines := strings.Split(w.text[start:end], "\n")
	for i, line := range lines {
		if r.Op == syntax.DashHdoc {
			line = strings.TrimLeft(line, "\t")
		}
		isLast := i == len(lines)-1
		if (line == stop.Text) != isLast || strings.HasPrefix(line, stop.Text+")") || strings.HasPrefix(line, stop.Text+"`") {
			return elsewhere
		}
	}
	return ""
}

// call adds a simple command.
func (w *walker) call(c *syntax.CallExpr) {
	var env []Variable
	for _, a := range c.Assigns {
		if v, ok := w.assign(a); ok {
			env = append(env, v)
		} else {
			w.opaque(a, "this kind of assignment is not read")
		}
	}
	if len(c.Args) == 0 {
		w.add(Part{Kind: Assign, Source: w.source(c), Env: env})
		return
	}
	w.run(Part{Kind: Command, Source: w.source(c), Argv: w.words(c.Args), Env: env})
}

func (w *walker) assign(a *syntax.Assign) (Variable, bool) {
	if a.Append || a.Naked || a.Name == nil || a.Index != nil || a.Array != nil {
		w.inside(a)
		return Variable{}, false
	}
	if a.Value == nil {
		return Variable{Name: a.Name.Value}, true
	}
	return Variable{a.Name.Value, w.word(a.Value)}, true
}
