package archtest

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Sentences are the places that recognise words of a text: code that does so breaks when somebody
// rewrites the text. New code uses a code, a kind, a typed error or a field instead.
var Sentences = []Hand{
	{"model/anthropic/fault.go", "the provider's own words: it has no code for an empty account"},
	{"model/offline/sources.go", "a clipped result in a prompt: docs/internal/spellings.md"},
	{"replay/cassette/model.go", "a summary in an old log: docs/internal/spellings.md"},
	{"store/sqlite/file.go", "the driver's own words: it has no type for these errors"},
	{"internal/mutants/run.go", "what go test prints"},
	{"follow/deliver/mail/smtp.go", "what servers ask for in the log-in of SMTP"},
	{"household/agenda/ics/zones.go", "names of zones that other programs write"},
	{"model/offline/household.go", "what people call their list of groceries"},
	{"tool/files/patch/unified.go", "the headers of git's diffs"},
}

// labs are packages of tests: they compare texts on purpose.
var labs = []string{"engine/enginetest/...", "store/storetest", "dispatch/dispatchtest", "internal/flowtest", "internal/rig/...", "engine/crash/...", "bench/...", "examples/..."}

// searches are the functions that look for one text in another.
var searches = []string{"Contains", "HasPrefix", "HasSuffix", "Cut", "CutPrefix", "CutSuffix", "EqualFold", "Index", "LastIndex", "TrimPrefix", "TrimSuffix", "Split", "SplitN", "Equal"}

// words are two or more of them, as in a sentence.
var words = regexp.MustCompile(`\pL{2,} \pL+`)

// CheckSentences returns a line for every place below root, tests aside, that compares a text with words
// and is not in the list, and for every row of the list that nothing needs any more.
func CheckSentences(root string, allowed []Hand) ([]string, error) {
	var wrong []string
	needed := map[string]bool{}
	err := goFiles(root, func(name string) error {
		if strings.HasSuffix(name, "_test.go") || slices.ContainsFunc(labs, func(p string) bool { return matches(p, filepath.ToSlash(filepath.Dir(name))) }) {
			return nil
		}
		found, err := sentencesIn(root, name)
		if slices.ContainsFunc(allowed, func(h Hand) bool { return h.For == name }) {
			needed[name] = needed[name] || len(found) > 0
			return err
		}
		wrong = append(wrong, found...)
		return err
	})
	for _, h := range allowed {
		if !needed[h.For] {
			wrong = append(wrong, fmt.Sprintf("%s recognises no words of a text: take its row out of Sentences", h.For))
		}
	}
	return wrong, err
}

func sentencesIn(root, name string) (found []string, err error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, filepath.Join(root, filepath.FromSlash(name)), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	report := func(in ast.Expr) {
		if text, ok := sentence(in); ok {
			found = append(found, fmt.Sprintf("%s:%d compares a text with %q: use a code, a kind or a field, or add a row to Sentences with the reason", name, files.Position(in.Pos()).Line, text))
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if isSearch(n.Fun) {
				for _, arg := range n.Args {
					report(arg)
				}
			}
		case *ast.BinaryExpr:
			if n.Op == token.EQL || n.Op == token.NEQ {
				report(n.X)
				report(n.Y)
			}
		case *ast.CaseClause:
			for _, value := range n.List {
				report(value)
			}
		}
		return true
	})
	return found, nil
}

func isSearch(fun ast.Expr) bool {
	s, ok := fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains(searches, s.Sel.Name) {
		return false
	}
	of, ok := s.X.(*ast.Ident)
	return ok && (of.Name == "strings" || of.Name == "bytes")
}

// sentence returns the text of a literal that has words.
func sentence(in ast.Expr) (string, bool) {
	lit, ok := in.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(lit.Value)
	return text, err == nil && words.MatchString(text)
}
