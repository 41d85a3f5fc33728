package words

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// exempt are files that may use the phrases, with the reason.
var exempt = map[string]string{
	"docs/internal/decisions.md":    "history: dated paragraphs stay as they were written",
	"docs/internal/requirements.md": "quotes the documents that it lists",
	"docs/internal/coverage.md":     "generated from requirements and tests",
}

func TestPages(t *testing.T) {
	t.Parallel()
	pages, err := filepath.Glob("../../docs/*.md")
	inside, err2 := filepath.Glob("../../docs/internal/*.md")
	if err := errors.Join(err, err2); err != nil || len(pages) < 10 || len(inside) < 5 {
		t.Fatalf("found %d and %d pages in docs: %v", len(pages), len(inside), err)
	}
	for _, page := range slices.Concat(pages, inside, []string{"../../README.md", "../../CONTRIBUTING.md", "../../CHANGELOG.md"}) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		report(t, strings.TrimPrefix(filepath.ToSlash(page), "../../"), InMarkdown(string(text)))
	}
}

func report(t *testing.T, name string, found []Finding) {
	t.Helper()
	if exempt[name] != "" {
		return
	}
	for _, f := range found {
		t.Errorf("%s: %s", name, f)
	}
}

// docLink is a name of code in a comment.
var docLink = regexp.MustCompile(`\[[\w.]+\]`)

// What go doc shows of a package is a text for people too. Every package has a comment.
func TestPackageComments(t *testing.T) {
	t.Parallel()
	seen, packages := map[string]bool{}, map[string]bool{}
	for name, file := range sources(t, "../..", parser.PackageClauseOnly|parser.ParseComments) {
		packages[filepath.Dir(name)] = true
		if file.Doc == nil {
			continue
		}
		seen[filepath.Dir(name)] = true
		for _, f := range In(docLink.ReplaceAllString(file.Doc.Text(), "")) {
			t.Errorf("%s: the package comment, %s", name, f)
		}
	}
	for name := range packages {
		if !seen[name] {
			t.Errorf("%s has no package comment: say what it is for", name)
		}
	}
	if len(seen) < 80 {
		t.Errorf("found only %d package comments", len(seen))
	}
}

// sources parses the Go files below a folder, without tests and what Go ignores.
func sources(t *testing.T, dir string, mode parser.Mode) map[string]*ast.File {
	t.Helper()
	all := map[string]*ast.File{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || d.Name() == "node_modules" || strings.HasPrefix(d.Name(), "_") || strings.HasPrefix(d.Name(), ".git")):
			return fs.SkipDir
		case d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		all[name], err = parser.ParseFile(token.NewFileSet(), name, nil, mode)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// What the command line, the runtime and the API say to people: help, errors, summaries.
func TestLiterals(t *testing.T) {
	t.Parallel()
	for _, dir := range []string{"cmd/rein", "cli", "app", "terminal", "server", "api"} {
		for _, found := range literals(t, "../../"+dir) {
			t.Error(found)
		}
	}
}

// literals finds avoided phrases in the strings of all packages below a folder, tests and struct tags
// aside. A folder that does not exist has none.
func literals(t *testing.T, dir string) (found []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
			found = append(found, literalsOf(t, name)...)
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	return found
}

func literalsOf(t *testing.T, name string) (found []string) {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if _, ok := n.(*ast.Field); ok {
			return false
		}
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range InMarkdown(text) {
			found = append(found, fmt.Sprintf("%s says %q: write %s", fset.Position(lit.Pos()), f.Phrase, f.Instead))
		}
		return true
	})
	return found
}

func TestIn(t *testing.T) {
	t.Parallel()
	page := "It is mended.\n\n```go\nanew\n```\n\nA key `mended` and an amended text.\n~~~\ntold of\n```\n~~~\nThe model is told of it, Likewise.\n"
	want := []string{
		`line 1 says "mended": write fix, repair`,
		`line 12 says "is told": write an active verb: the model sees, rein reports`,
		`line 12 says "Likewise": write also, the same way`,
	}
	found := InMarkdown(page)
	if len(found) != len(want) {
		t.Fatalf("found %v", found)
	}
	for i, f := range found {
		if f.String() != want[i] {
			t.Errorf("%s, want %s", f, want[i])
		}
	}
}

// Every phrase of the list can be found, and names what to write.
func TestList(t *testing.T) {
	t.Parallel()
	for _, a := range List {
		if a.Instead == "" || instead("no such phrase") == a.Instead {
			t.Errorf("%q does not say what to write instead", a.Phrase)
		}
	}
}

var spelled = regexp.MustCompile("(?m)^\\| `([^`]+)` \\| `([^`]+\\.go)` \\|")

// docs/internal/spellings.md lists what keeps its spelling and where: it is there, in a string or a tag.
func TestSpellings(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/internal/spellings.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := spelled.FindAllStringSubmatch(string(page), -1)
	if len(rows) < 10 {
		t.Fatalf("found only %d spellings", len(rows))
	}
	for _, row := range rows {
		if code, err := os.ReadFile("../../" + row[2]); err != nil || !strings.Contains(string(code), row[1]) {
			t.Errorf("docs/internal/spellings.md: %q is not in %s: logs and clients rely on it (%v)", row[1], row[2], err)
		}
	}
}
