package files_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A flavour is what may occur in a random tree besides what git and ripgrep treat alike.
type flavour struct {
	git bool // classes that exclude or have names, braces as they are, three stars: ripgrep reads these otherwise
	rg  bool // names that are not ASCII: for git "?" is a byte of them
}

// A grower makes random trees; the same seed gives the same tree.
type grower struct {
	*rand.Rand
	flavour
}

func newGrower(seed int, f flavour) *grower {
	return &grower{rand.New(rand.NewPCG(16, uint64(seed))), f}
}

func (g *grower) pick(list ...string) string { return list[g.IntN(len(list))] }

// one reports true one time in n.
func (g *grower) one(n int) bool { return g.IntN(n) == 0 }

func (g *grower) name() string {
	names := []string{
		"a", "b", "ab", "abc", "foo", "bar", "baz", "foo.go", "bar.go", "x.log", "build", "out", "a b", "#c", "!d", ".hid", ".foo.go", "[x]", "A", "foo-1",
		"a.b.c", "sp ", "q?", "s*r", "{u,v}", "u", "back\\slash", "-", "t\tb",
	}
	if g.rg {
		names = append(names, "é", "日本.go", "naïve.log", "ü")
	}
	return g.pick(names...)
}

// glob makes a pattern for a path, without "!" and a slash at its end.
func (g *grower) glob(braces bool) string {
	var parts []string
	for range 1 + g.IntN(3) {
		parts = append(parts, g.part(braces))
	}
	glob := strings.Join(parts[:1+g.IntN(len(parts))], "/")
	switch g.IntN(8) {
	case 0:
		glob = "/" + glob
	case 1:
		glob = "**/" + glob
	case 2:
		glob += "/**"
	case 3:
		glob = strings.Replace(glob, "/", "/**/", 1)
	}
	return glob
}

// part makes a pattern for one name.
func (g *grower) part(braces bool) string {
	kinds := 7
	if g.git || braces {
		kinds = 9
	}
	switch name := escapeGlob(g.name()); g.IntN(kinds) {
	case 0:
		return g.pick("*", "?", "a*", "*b", "*o*", "?a?", "*.go", "f*.*", ".*", "*.?.*", "a**b", "??")
	case 1:
		return g.pick("[ab]", "[a-f]oo", "ba[rz]", "[]x]", "[a-c]*", "[x-]", "*.[gl]o*", "[A-B]", "[#!]*")
	case 2:
		runes := []rune(name)
		return "*" + strings.TrimPrefix(string(runes[len(runes)/2:]), `\`)
	case 7:
		if braces {
			return "{" + name + "," + g.pick("a*", "b", "[fx]*", "*.go") + "}"
		}
		return g.pick("[!a]", "[^a-f]*", "a[!x]b", "[[:alpha:]]*", "[![:digit:]]", "*[[:punct:]]*", "[a-]", `[\]]`, `[\\]`, "[z-a]", "[z-ab]", "[[:nope:]]", "[a", "[", "ab[")
	case 8:
		if braces {
			return g.pick("{a,b}", "{u,v}", "{foo,bar}.go", "{a}")
		}
		return g.pick("{a,b}", "***", "*{", "{u,v}", "foo\\")
	default:
		return name
	}
}

// escapeGlob makes a name stand for itself.
func escapeGlob(name string) string {
	return strings.NewReplacer(`\`, `\\`, `[`, `\[`, `?`, `\?`, `*`, `\*`, `{`, `\{`, `}`, `\}`).Replace(name)
}

// ignoreFile makes the text of a .gitignore.
func (g *grower) ignoreFile() string {
	var text strings.Builder
	for range 1 + g.IntN(6) {
		line := g.glob(false)
		if g.one(4) {
			line += "/"
		}
		if g.one(3) {
			line = "!" + line
		} else if strings.HasPrefix(line, "#") || strings.HasPrefix(line, "!") {
			line = `\` + line
		}
		if bare := strings.TrimRight(line, " "); bare != line && !g.one(3) {
			line = bare + `\ `
		}
		end := g.pick("\n", "\n", "\n", "\r\n", " \n", "\n# b\n", "\n\n")
		if strings.HasSuffix(line, `\ `) && !g.git { // ripgrep then drops both spaces
			end = "\n"
		}
		text.WriteString(line + end)
	}
	return text.String()
}

// top is how many levels of folders a tree has below the first.
const top = 2

// grove is how many trees are in one repository: a process for each tree would take too long.
const grove = 4

// grow fills a folder that is a repository with trees.
func (g *grower) grow(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{".git/objects", ".git/refs", ".git/info"} {
		must(t, os.MkdirAll(filepath.Join(dir, name), 0o755))
	}
	must(t, os.WriteFile(filepath.Join(dir, ".git/HEAD"), []byte("ref: refs/heads/main\n"), 0o644))
	if g.one(3) {
		must(t, os.WriteFile(filepath.Join(dir, ".git/info/exclude"), []byte(g.ignoreFile()), 0o644))
	}
	if g.one(2) {
		must(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(g.ignoreFile()), 0o644))
	}
	for made := 0; made < grove; {
		tree := filepath.Join(dir, g.name())
		if err := os.Mkdir(tree, 0o755); err == nil {
			g.folder(t, tree, top)
			made++
		}
	}
}

func (g *grower) folder(t *testing.T, dir string, levels int) {
	if g.one(2) || levels == top {
		must(t, os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(g.ignoreFile()), 0o644))
	}
	for range 2 + g.IntN(4) {
		path := filepath.Join(dir, g.name())
		if _, err := os.Lstat(path); err == nil {
			continue
		}
		switch {
		case g.one(20):
			must(t, os.Symlink(g.pick("a", "..", "foo.go", "nowhere"), path))
		case levels > 0 && g.one(2):
			must(t, os.Mkdir(path, 0o755))
			g.folder(t, path, levels-1)
		default:
			must(t, os.WriteFile(path, []byte(g.text()), 0o644))
		}
	}
}

// text makes what is in a file.
func (g *grower) text() string {
	var text strings.Builder
	binary := g.one(15)
	switch {
	case binary: // ripgrep looks at the first three bytes before it looks for a NUL
		text.WriteString("func ")
	case g.one(15):
		text.WriteString("\ufeff")
	}
	for range g.IntN(12) {
		for range g.IntN(5) {
			text.WriteString(g.pick("foo", "Foo", "bar", "a.b", "x", "1", "func", "(", "é", "日本", "\t", "baz") + g.pick(" ", "", "_"))
		}
		text.WriteString(g.pick("\n", "\n", "\n", "\r\n"))
	}
	text.WriteString(g.pick("", "foo", "bar baz"))
	if binary {
		text.WriteString("\x00foo\n")
	}
	return text.String()
}

// entries lists what is in a tree, without .git and without what lies behind links.
func entries(t *testing.T, dir string) (all []string, isFile map[string]bool) {
	t.Helper()
	isFile = map[string]bool{}
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		if e.Name() == ".git" {
			return fs.SkipDir
		}
		rel, err := filepath.Rel(dir, path)
		all = append(all, rel)
		isFile[rel] = e.Type().IsRegular()
		return err
	}))
	return all, isFile
}

// show prints the ignore files of a tree, for a test that failed.
func show(dir string) string {
	var text strings.Builder
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && (e.Name() == ".gitignore" || e.Name() == "exclude") {
			raw, _ := os.ReadFile(path)
			rel, _ := filepath.Rel(dir, path)
			fmt.Fprintf(&text, "%s: %q\n", rel, raw)
		}
		return nil
	})
	return text.String()
}
