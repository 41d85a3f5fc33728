// Package parse reads a shell command line without running anything, and says which simple commands,
// redirections and assignments it holds. What cannot be known before the line runs is marked as such:
// words that depend on variables, files or other commands, and commands whose arguments are programs.
//
// A line counts as understood only if bash and a POSIX shell such as dash read it the same way. So it
// does not matter which of the two runs it. The shell must be started as Shell.Argv says, with the
// environment that Environ returns: no aliases, no rc files, no functions from outside.
//
// The package decides nothing. Package verdict does.
package parse

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// Kind says what a part of a line is.
type Kind string

const (
	Command  Kind = "command"     // a program or builtin with its arguments
	Redirect Kind = "redirection" // a file that the shell opens
	Assign   Kind = "assignment"  // a variable that later parts see
	Opaque   Kind = "opaque"      // something whose effect cannot be read from the line
)

// Mode says how a redirection opens its file.
type Mode string

const (
	Read  Mode = "read"
	Write Mode = "write" // also appends, and opens for both
)

// A Part is one thing that a line does.
type Part struct {
	Kind   Kind
	Source string     // as it is written
	Argv   []Word     // of a command; of an opaque part if it is one
	Env    []Variable // set for this command only, or what an assignment sets
	Dir    string     // the folder that the line changes to before, "" for the one it starts in
	Via    []string   // commands that run this one: "timeout", "xargs", "sh -c"
	Mode   Mode       // of a redirection
	Path   Word       // of a redirection
	Why    string     // why the part is opaque
	// Input is where its standard input comes from, "" if from nowhere: what is before a pipe, a file, the digest of a
	// here-document. It is unknown if that depends on what the shell computes.
	Input  Word
	Nested bool // it is inside a text that another command runs, so its words have no place in the line
}

// Name is the command's name, or "".
func (p Part) Name() string {
	if len(p.Argv) == 0 || p.Argv[0].Kind != Literal {
		return ""
	}
	return p.Argv[0].Text
}

// IsKnown reports whether every word of the part is known in advance.
func (p Part) IsKnown() bool {
	unknown := func(w Word) bool { return w.Kind != Literal }
	return !slices.ContainsFunc(p.Argv, unknown) && p.Path.Kind == Literal && p.Input.Kind == Literal &&
		!slices.ContainsFunc(p.Env, func(v Variable) bool { return unknown(v.Value) })
}

// A Variable is a name with a value.
type Variable struct {
	Name  string
	Value Word
}

// WordKind says what is known of a word.
type WordKind int

const (
	Literal WordKind = iota // Text is what the command gets
	Glob                    // Text is a pattern of file names, and the command gets what matches
	Unknown                 // nothing is known: Text is the source
)

// A Word is one argument. Start and End are its place in the line.
type Word struct {
	Text       string
	Kind       WordKind
	Start, End int
}

// A Line is what a command line holds.
type Line struct {
	Text  string
	Parts []Part
	// Trouble says why the line as a whole is not understood, in sentences. It is empty otherwise.
	Trouble []string
	// Unread says that the line may do more than its parts say, or something else: it was not read to its end, or shells
	// read it differently.
	Unread bool
}

// IsUnderstood reports whether the parts are all that the line does.
func (l Line) IsUnderstood() bool {
	return len(l.Trouble) == 0 && !slices.ContainsFunc(l.Parts, func(p Part) bool { return p.Kind == Opaque })
}

const (
	longest = 32 << 10 // bytes of a line that is read at all
	deepest = 500      // brackets of one kind: more of them than this is not written by people
	nesting = 8        // how deep texts for sh -c and eval are read
)

// Parse reads a line. It never fails: what it cannot read is in Trouble.
func Parse(text string) Line {
	l := Line{Text: text}
	if why := hidden(text); why != "" {
		l.Trouble, l.Unread = append(l.Trouble, why), !utf8.ValidString(text)
	}
	if why := tooMuch(text); why != "" {
		l.Trouble, l.Unread = append(l.Trouble, why), true
		return l
	}
	parts, err := read(text, syntax.LangBash, 0)
	l.Parts = parts
	if err != nil {
		l.Trouble, l.Unread = append(l.Trouble, "The line is not complete or not valid: "+plain(err)+"."), true
		return l
	}
	if !l.IsUnderstood() {
		return l
	}
	other, err := read(text, syntax.LangPOSIX, 0)
	if err != nil || !slices.EqualFunc(parts, other, same) {
		l.Trouble, l.Unread = append(l.Trouble, "bash and sh read this line differently."), true
	}
	return l
}

// plain is an error of the parser without what only its authors need.
func plain(err error) string {
	var wrong syntax.ParseError
	if e, ok := err.(syntax.ParseError); ok {
		wrong = e
		return fmt.Sprintf("%s (character %d)", wrong.Text, wrong.Pos.Offset()+1)
	}
	return strings.TrimSuffix(strings.TrimPrefix(err.Error(), ":"), ".")
}

// tooMuch says why a text is not parsed.
func tooMuch(text string) string {
	if len(text) > longest {
		return fmt.Sprintf("The line has %d bytes. Lines of more than %d are not read.", len(text), longest)
	}
	if strings.Count(text, "(") > deepest || strings.Count(text, "`") > deepest || strings.Count(text, "{") > 4*deepest || strings.Count(text, "<<") > deepest {
		return "The line has too many brackets, quotes or here-documents to be read."
	}
	return ""
}

// hidden says what a line has that a reader of it does not see.
func hidden(text string) string {
	if !utf8.ValidString(text) {
		return "The line is not valid UTF-8."
	}
	for _, r := range text {
		switch {
		case r == '\n', r == '\t', r >= ' ' && r < 0x7f:
		case r == '\r':
			return "The line has a carriage return, which hides what stands before it."
		case isHidden(r):
			return fmt.Sprintf("The line has a character that cannot be seen or looks like a blank (%U).", r)
		}
	}
	return ""
}

// read parses a text in one variant of the language.
func read(text string, variant syntax.LangVariant, depth int) (parts []Part, err error) {
	defer func() { // the parser is not ours, and nothing that a model writes may end the program
		if p := recover(); p != nil {
			err = fmt.Errorf("the parser failed: %v", p)
		}
	}()
	w := &walker{text: text, variant: variant, depth: depth}
	file, err := syntax.NewParser(syntax.Variant(variant), syntax.KeepComments(true)).Parse(strings.NewReader(text), "")
	if err != nil {
		return w.before(err)
	}
	syntax.Walk(file, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok && strings.Contains(w.source(c), `\`) {
			w.opaque(c, "a comment with a backslash is read differently by different programs")
		}
		return true
	})
	w.file(file)
	return w.parts, nil
}

// before collects the parts before an error, for those who deny them.
func (w *walker) before(err error) ([]Part, error) {
	for s, problem := range syntax.NewParser(syntax.Variant(w.variant)).StmtsSeq(strings.NewReader(w.text)) {
		if problem != nil || s == nil {
			break
		}
		w.stmt(s)
	}
	return w.parts, err
}

// same reports whether two readings of a part agree.
func same(a, b Part) bool {
	words := func(a, b []Word) bool { return slices.Equal(a, b) }
	return a.Kind == b.Kind && words(a.Argv, b.Argv) && slices.Equal(a.Env, b.Env) && a.Dir == b.Dir &&
		slices.Equal(a.Via, b.Via) && a.Mode == b.Mode && a.Path == b.Path && a.Input == b.Input && a.Why == b.Why
}
