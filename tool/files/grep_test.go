package files_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"rein"
	"rein/tool/files"
	"rein/tool/reach"
)

// printed calls a tool and returns its lines.
func printed(t *testing.T, root *files.Root, name string, a args) []string {
	t.Helper()
	done, err := call(t, root, name, a)
	must(t, err)
	if !json.Valid(done.Data) {
		t.Errorf("%s %v: data %q", name, a, done.Data)
	}
	return strings.Split(done.Text, "\n")
}

func equal(t *testing.T, what any, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("%v:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// project is a small repository.
func project(t *testing.T) (*files.Root, string) {
	return folder(t, map[string]string{
		".git/HEAD": "secret of git", ".git/info/exclude": "/local\n", ".gitignore": "*.log\n!keep.log\nbuild/\n!.shown\n", "main.go": "package main\n\nfunc main() {\n\tprintln(\"a\")\n}\n",
		"lib/lib.go": "package lib\n\n// Func is one.\nfunc Func() {}\n", "lib/.gitignore": "/gen.go\n", "lib/gen.go": "func gen() {}\n", "lib/deep/gen.go": "func Deep() {}\n",
		"x.log": "func in log\n", "keep.log": "func kept\n", "build/out.go": "func built() {}\n", "local": "func local\n", ".env": "func env\n", ".shown": "func shown\n",
		"README.md": "# Readme\nThe func of it\n", "data.bin": "func\x00binary\n",
	})
}

func TestGrep(t *testing.T) {
	root, _ := project(t)
	left := []string{"[1 binary files not searched]", "[4 ignored by .gitignore left out: set ignored to include them]", "[3 hidden left out: set hidden to include them]"}
	equal(t, "lines", printed(t, root, "grep", args{"pattern": "func"}), append([]string{
		".shown:1: func shown", "README.md:2: The func of it", "keep.log:1: func kept", "lib/deep/gen.go:1: func Deep() {}", "lib/lib.go:4: func Func() {}", "main.go:3: func main() {",
	}, left...)...)
	for _, c := range []struct {
		args args
		want []string
	}{
		{args{"pattern": "FUNC main", "ignore_case": true, "type": "go"}, []string{"main.go:3: func main() {"}},
		{args{"pattern": "main()", "fixed": true, "glob": []string{"*.go"}}, []string{"main.go:3: func main() {"}},
		{args{"pattern": "^func", "glob": []string{"*.{go,md}", "!lib"}}, []string{"main.go:3: func main() {"}},
		{args{"pattern": "func", "path": "lib", "glob": []string{"/lib.go"}}, []string{"lib/lib.go:4: func Func() {}"}},
		{args{"pattern": "func main", "context": 1, "type": "go"}, []string{"main.go-2- ", "main.go:3: func main() {", "main.go-4- \tprintln(\"a\")"}},
		{args{"pattern": "func", "output": "files", "type": "go"}, []string{"lib/deep/gen.go", "lib/lib.go", "main.go"}},
		{args{"pattern": "package|func", "output": "count", "type": "go"}, []string{"lib/deep/gen.go: 1", "lib/lib.go: 2", "main.go: 2"}},
		{args{"pattern": "func", "path": "x.log"}, []string{"x.log:1: func in log"}},
		{args{"pattern": "func", "path": "build"}, []string{"build/out.go:1: func built() {}"}},
		{args{"pattern": "nowhere", "type": "go"}, []string{"[nothing matches]"}},
		{args{"pattern": "func", "limit": 1, "type": "go"}, []string{"lib/deep/gen.go:1: func Deep() {}", "[stopped at 1: more match; set a higher limit, a narrower pattern, or another path]"}},
		{args{"pattern": "func", "limit": 1, "output": "files", "type": "go"}, []string{"lib/deep/gen.go", "[stopped at 1: more match; set a higher limit, a narrower pattern, or another path]"}},
		{args{"pattern": "secret", "hidden": true, "ignored": true, "glob": []string{"HEAD"}}, []string{"[nothing matches]"}},
		{args{"pattern": "func (env|in log|local)", "hidden": true, "ignored": true, "glob": []string{"[!d]*"}}, []string{".env:1: func env", "local:1: func local", "x.log:1: func in log"}},
	} {
		got := printed(t, root, "grep", c.args)
		for len(got) > len(c.want) && strings.HasSuffix(got[len(got)-1], "to include them]") {
			got = got[:len(got)-1]
		}
		equal(t, c.args, got, c.want...)
	}
}

func TestGlob(t *testing.T) {
	root, dir := project(t)
	must(t, os.Symlink("main.go", filepath.Join(dir, "link.go")))
	equal(t, "*.go", printed(t, root, "glob", args{"pattern": "*.go"}), "lib/deep/gen.go", "lib/lib.go", "main.go",
		"[2 ignored by .gitignore left out: set ignored to include them]", "[1 symbolic links not followed]")
	equal(t, "path", printed(t, root, "glob", args{"pattern": "*/gen.go", "path": dir + "/lib"}), "lib/deep/gen.go")
	equal(t, "ignored", printed(t, root, "glob", args{"pattern": "**/{gen,out}.go", "ignored": true}), "build/out.go", "lib/deep/gen.go", "lib/gen.go")
	equal(t, "limit", printed(t, root, "glob", args{"pattern": "lib/**", "limit": 1})[:2], "lib/deep/gen.go", "[1 more match: set a higher limit, or a narrower pattern]")
	equal(t, "none", printed(t, root, "glob", args{"pattern": "*.rs"}), "[no file matches]", "[1 ignored by .gitignore left out: set ignored to include them]")
}

// A search in a part of a repository still heeds the rules above it.
func TestRulesOfFoldersAbove(t *testing.T) {
	root, _ := folder(t, map[string]string{".gitignore": "*.log\n/a/b/no\n", "a/b/x.log": "", "a/b/no": "", "a/b/yes": "", "a/sub/.git/HEAD": "", "a/sub/x.log": ""})
	equal(t, "a/b", printed(t, root, "glob", args{"pattern": "*", "path": "a/b"})[:1], "a/b/yes")
	equal(t, "a repository in it", printed(t, root, "glob", args{"pattern": "*", "path": "a/sub"})[:1], "a/sub/x.log")
}

func TestSearchesThatDoNotWork(t *testing.T) {
	root, _ := project(t)
	for _, c := range []struct {
		tool string
		args args
		word string
	}{
		{"grep", args{"pattern": "a(b"}, "missing closing )"},
		{"grep", args{"pattern": "(?=a)"}, "RE2"},
		{"grep", args{"pattern": `a\nb`}, "newline"},
		{"grep", args{"pattern": "a", "type": "pyhton"}, "there is no file type"},
		{"grep", args{"pattern": "a", "glob": []string{"[a"}}, `a "[" has no "]"`},
		{"grep", args{"pattern": "a", "glob": []string{"../*"}}, "set path to the folder"},
		{"grep", args{"pattern": "func", "path": "data.bin"}, "not text"},
		{"glob", args{"pattern": "{a,b"}, `a "{" has no "}"`},
		{"glob", args{"pattern": "!a"}, "leaves out"},
		{"glob", args{"pattern": "lib/"}, "folders only"},
		{"glob", args{"pattern": "a\\"}, `single "\"`},
		{"glob", args{"pattern": "{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"}, "256"},
		{"glob", args{"pattern": "*", "path": "main.go"}, "is a file"},
	} {
		refused(t, root, c.tool, c.args, rein.CodeInvalid, c.word)
	}
	for _, name := range []string{"glob", "grep"} {
		refused(t, root, name, args{"pattern": "x", "path": "../x"}, rein.CodeForbidden, "outside the allowed folder")
		refused(t, root, name, args{"pattern": "x", "path": "libb"}, rein.CodeNotFound, "did you mean lib?")
	}
}

// What the policy hides is not found, not read for its rules, and not counted.
//
// Attack: 35
func TestSearchSeesNothingHidden(t *testing.T) {
	root, dir := folder(t, map[string]string{
		"secret/key.txt": "word", "secret/.gitignore": "*", "open/a.txt": "word", "open/token": "word", "vault/Private/p.md": "word", "vault/.gitignore": "*.md", "vault/n.md": "word", "vault/.obsidian/x": "word",
	})
	must(t, os.Symlink("../secret", filepath.Join(dir, "open", "way")))
	must(t, os.Symlink("../secret/key.txt", filepath.Join(dir, "open", "key")))
	r := policy(t, reach.Options{Root: dir, Vault: filepath.Join(dir, "vault"), Exclude: []string{"Private"}, Hidden: []string{filepath.Join(dir, "secret"), filepath.Join(dir, "open", "token")}})
	for name, a := range map[string]args{"glob": {"pattern": "*"}, "grep": {"pattern": "word", "output": "files"}} {
		done, err := callAs(t, root, r, name, a)
		must(t, err)
		equal(t, name, strings.Split(done.Text, "\n"), "open/a.txt", "vault/n.md")
		a["hidden"], a["ignored"] = true, true
		if done, err = callAs(t, root, r, name, a); err != nil || done.Text != "open/a.txt\nvault/n.md" {
			t.Errorf("%s: %q %v", name, done.Text, err)
		}
		a["path"] = "secret"
		if done, err = callAs(t, root, r, name, a); rein.CodeOf(err) != rein.CodeNotFound {
			t.Errorf("%s: %q %v", name, done.Text, err)
		}
	}
}

// Text is found in whatever way it is written.
func TestGrepReadsEncodings(t *testing.T) {
	units := utf16.Encode([]rune("\ufeffeins\r\ncafé zwei\r\n"))
	var little, big []byte
	for _, u := range units {
		little, big = append(little, byte(u), byte(u>>8)), append(big, byte(u>>8), byte(u))
	}
	root, _ := folder(t, map[string]string{"utf8": "\ufeffcafé\n", "latin": "un caf\xe9\n", "le": string(little), "be": string(big), "crlf": "café\r\nx\r\n"})
	equal(t, "café", printed(t, root, "grep", args{"pattern": "café( zwei)?$"}), "be:2: café zwei", "crlf:1: café", "latin:1: un café", "le:2: café zwei", "utf8:1: café")
	equal(t, "^", printed(t, root, "grep", args{"pattern": "^café$", "output": "files"}), "crlf", "utf8")
}

// Lines of any length are searched, and shown in part.
func TestGrepClipsLongLines(t *testing.T) {
	long := strings.Repeat("é", 50_000)
	root, _ := folder(t, map[string]string{"a": "one\n" + long + "needle" + long + "\nneedle\n", "huge": strings.Repeat("x", 3<<20) + "needle\nlast needle"})
	got := printed(t, root, "grep", args{"pattern": "needle"})
	if len(got) != 3 || len(got[0]) > 600 || !strings.Contains(got[0], "éneedleé") || !strings.HasPrefix(got[0], "a:2: [99") || !strings.HasSuffix(got[0], " bytes left out]") {
		t.Errorf("%.2000q", got)
	}
	equal(t, "after it", got[1:], "a:3: needle", "huge:2: last needle")
}

// A name in a result cannot be taken for a line, and a text in one cannot be taken for a note.
//
// Attack: 37
func TestSearchWithHostileNames(t *testing.T) {
	root, _ := folder(t, map[string]string{"a\nb:1: x": "word\n", "[note]": "[0 ignored]word\n"})
	equal(t, "grep", printed(t, root, "grep", args{"pattern": "word"}), `"[note]":1: [0 ignored]word`, `"a\nb:1: x":1: word`)
	equal(t, "glob", printed(t, root, "glob", args{"pattern": "*"}), `"[note]"`, `"a\nb:1: x"`)
}

// A search stops when its call is over.
func TestSearchIsCancelled(t *testing.T) {
	root, _ := project(t)
	all, err := root.Tools()
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, one := range all {
		if one.Name != "glob" && one.Name != "grep" {
			continue
		}
		if done, err := one.Do(ctx, rein.Invocation{Args: []byte(`{"pattern":"*"}`), Reach: everything(t, root)}); one.Name == "glob" && err == nil {
			t.Errorf("%s: %q", one.Name, done.Text)
		}
		if done, err := one.Do(ctx, rein.Invocation{Args: []byte(`{"pattern":"x"}`), Reach: everything(t, root)}); err == nil {
			t.Errorf("%s: %q", one.Name, done.Text)
		}
	}
}

// Folders that are too deep are left out, and that is said.
func TestSearchThatIsDeep(t *testing.T) {
	root, _ := folder(t, map[string]string{strings.Repeat("d/", 70) + "deep": "word", "d/near": "word"})
	for name, a := range map[string]args{"glob": {"pattern": "*"}, "grep": {"pattern": "word", "output": "files"}} {
		equal(t, name, printed(t, root, name, a), "d/near", "[1 folders more than 64 levels down left out: name one as path]")
	}
}
