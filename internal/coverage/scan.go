package coverage

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// claim is one ID of one line that makes claims.
type claim struct {
	id, file, test string
	part           string // the capability that it is about; empty: the first of the requirement
	line           int
}

// What the lines begin with that make a claim: of a requirement, or of an attack by its number.
const (
	covers  = "Covers:"
	attacks = "Attack:"
)

// scan reads all tests of the tree. It returns the claims with this marker, in order of file and
// line, and what is wrong with how they are made.
func scan(tree fs.FS, marker string) (claims []claim, wrong []error, err error) {
	err = fs.WalkDir(tree, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return skipDir(tree, name)
		}
		var got []claim
		var bad []error
		switch {
		case isTest(name):
			got, bad, err = scanGo(tree, name, marker)
		case path.Ext(name) == ".txtar":
			got, bad, err = scanTxtar(tree, name, marker)
		case strings.HasSuffix(name, ".test.ts") || strings.HasSuffix(name, ".test.mjs"):
			got, bad, err = scanScript(tree, name, marker)
		}
		claims, wrong = append(claims, got...), append(wrong, bad...)
		return err
	})
	slices.SortStableFunc(claims, func(a, b claim) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	return claims, wrong, err
}

// skipDir leaves out what is not ours to read: hidden folders, packages of others, modules of
// their own.
func skipDir(tree fs.FS, name string) error {
	if name == "." {
		return nil
	}
	base := path.Base(name)
	if strings.HasPrefix(base, ".") || base == "node_modules" {
		return fs.SkipDir
	}
	if _, err := fs.Stat(tree, path.Join(name, "go.mod")); err == nil {
		return fs.SkipDir
	}
	return nil
}

// isTest reports whether the file can hold tests: a _test.go file, or a file of a contract suite (in
// or below a folder whose name ends in test). Go files in testdata are nobody's tests.
func isTest(name string) bool {
	folders := strings.Split(path.Dir(name), "/")
	if path.Ext(name) != ".go" || slices.Contains(folders, "testdata") {
		return false
	}
	suite := func(folder string) bool { return strings.HasSuffix(folder, "test") }
	return strings.HasSuffix(name, "_test.go") || slices.ContainsFunc(folders, suite)
}

func scanGo(tree fs.FS, name, marker string) (claims []claim, wrong []error, err error) {
	src, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, nil, err
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, err
	}
	for _, group := range file.Comments {
		for _, comment := range group.List {
			ids, ok := strings.CutPrefix(comment.Text, "// "+marker)
			if !ok {
				continue
			}
			line := fset.Position(comment.Pos()).Line
			test := owner(file, comment.Pos())
			if test == "" {
				wrong = append(wrong, fmt.Errorf("%s:%d: this %q line stands above no test and not above the package clause", name, line, marker))
			}
			got, err := split(ids, claim{file: name, test: test, line: line})
			claims = append(claims, got...)
			if err != nil {
				wrong = append(wrong, err)
			}
		}
	}
	return claims, wrong, nil
}

// owner names what a comment belongs to: the declaration that it is the doc comment of or stands
// in, or the whole file if it stands above the package clause.
func owner(file *ast.File, pos token.Pos) string {
	if pos < file.Package {
		return "(whole file)"
	}
	for _, decl := range file.Decls {
		start := decl.Pos()
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Doc != nil {
				start = decl.Doc.Pos()
			}
			if start <= pos && pos < decl.End() {
				return decl.Name.Name
			}
		case *ast.GenDecl:
			if decl.Doc != nil {
				start = decl.Doc.Pos()
			}
			if v, ok := first(decl.Specs).(*ast.ValueSpec); ok && start <= pos && pos < decl.End() {
				return v.Names[0].Name // a table of cases
			}
		}
	}
	return ""
}

func first(specs []ast.Spec) ast.Spec {
	if len(specs) == 0 {
		return nil
	}
	return specs[0]
}

// scanTxtar reads the prose on top of a txtar file, which ends at the first "-- name --" line.
func scanTxtar(tree fs.FS, name, marker string) (claims []claim, wrong []error, err error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, nil, err
	}
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "-- ") && strings.HasSuffix(line, " --") {
			break
		}
		ids, ok := strings.CutPrefix(strings.TrimLeft(line, "# "), marker)
		if !ok {
			continue
		}
		got, err := split(ids, claim{file: name, test: strings.TrimSuffix(path.Base(name), ".txtar"), line: n})
		claims = append(claims, got...)
		if err != nil {
			wrong = append(wrong, err)
		}
	}
	return claims, wrong, nil
}

// scriptTest is a line that begins a test of TypeScript or JavaScript; its name is between quotes.
var scriptTest = regexp.MustCompile("^\\s*(?:test|it|describe)(?:\\.\\w+)*\\(.*?['\"`](.+?)['\"`]")

// scanScript reads the comments right above the tests of TypeScript and JavaScript.
func scanScript(tree fs.FS, name, marker string) (claims []claim, wrong []error, err error) {
	text, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil, nil, err
	}
	var open []claim // of the comment that the next line may belong to
	n := 0
	for line := range strings.Lines(string(text)) {
		n++
		if ids, ok := strings.CutPrefix(strings.TrimSpace(line), "// "+marker); ok {
			got, err := split(ids, claim{file: name, line: n})
			open = append(open, got...)
			if err != nil {
				wrong = append(wrong, err)
			}
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(line), "//") {
			continue
		}
		m := scriptTest.FindStringSubmatch(line)
		for _, c := range open {
			if m == nil {
				wrong = append(wrong, fmt.Errorf("%s:%d: this %q line stands above no test", name, c.line, marker))
				break
			}
			c.test = strings.ReplaceAll(m[1], "|", "/")
			claims = append(claims, c)
		}
		open = nil
	}
	return claims, wrong, nil
}

// split makes a claim of each ID.
func split(ids string, c claim) ([]claim, error) {
	fields := strings.Fields(ids)
	if len(fields) == 0 {
		return nil, fmt.Errorf("%s:%d: this line names nothing", c.file, c.line)
	}
	var out []claim
	for _, id := range fields {
		c.id, c.part, _ = strings.Cut(id, "/")
		out = append(out, c)
	}
	return out, nil
}
