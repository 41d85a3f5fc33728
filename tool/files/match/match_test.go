package match_test

import (
	"strings"
	"testing"

	"rein/tool/files/match"
)

func TestGlob(t *testing.T) {
	for _, c := range []struct {
		glob    string
		yes, no string // paths, apart by spaces
	}{
		{"a", "a", "b ab a/a"},
		{"*.go", "x.go .go", "x.go/y a/x.go x.goo"},
		{"?", "a é", "ab a/ /"},
		{"a/**", "a/b a/b/c", "a b/a"},
		{"**/a", "a b/a b/c/a", "ba a/b"},
		{"a/**/b", "a/b a/x/b a/x/y/b", "ab a/xb a/b/c"},
		{"a**b", "ab axb", "a/b"},
		{"**", "a a/b", ""},
		{"[a-c]x", "ax bx", "dx a/x"},
		{"[!a]x", "bx", "ax /x a"},
		{"[]]", "]", "["},
		{`\*`, "*", "a"},
		{"{a,b*}/c", "a/c bb/c", "c/c a"},
		{"x{,.go}", "x x.go", "x."},
		{"*a*b*", "ab xaxbx", "ba"},
		{"日?", "日本", "日 日本本"},
	} {
		g, err := match.Compile(c.glob, match.Syntax{Braces: true, Runes: true})
		if err != nil {
			t.Errorf("%s: %v", c.glob, err)
			continue
		}
		for _, path := range strings.Fields(c.yes) {
			if !g.Match(path) {
				t.Errorf("%s does not match %s", c.glob, path)
			}
		}
		for _, path := range strings.Fields(c.no) {
			if g.Match(path) {
				t.Errorf("%s matches %s", c.glob, path)
			}
		}
	}
}

// Braces and characters mean nothing to git.
func TestGlobOfGit(t *testing.T) {
	for glob, path := range map[string]string{"{a,b}": "{a,b}", "[[:alpha:]]": "q", "??": "é", "[z-ab]": "b"} {
		g, err := match.Compile(glob, match.Syntax{})
		if err != nil || !g.Match(path) || g.Match("a") != (glob == "[[:alpha:]]") {
			t.Errorf("%s %s: %v", glob, path, err)
		}
	}
}

func TestBadGlobs(t *testing.T) {
	for _, glob := range []string{"[", "[a", "[!", "[]", `a\`, `[\`, "[[:nope:]]", "{a", "{a,{b}", strings.Repeat("{a,b}", 9)} {
		if _, err := match.Compile(glob, match.Syntax{Braces: true}); err == nil {
			t.Errorf("%s is a glob", glob)
		}
	}
}

// Many stars take no longer than few: this would not end if all ways were tried.
func TestManyStars(t *testing.T) {
	for _, glob := range []string{strings.Repeat("*a", 500) + "b", strings.Repeat("**/a*/", 500) + "b", strings.Repeat("*", 1000) + "b"} {
		g, err := match.Compile(glob, match.Syntax{})
		if err != nil {
			t.Fatal(err)
		}
		if g.Match(strings.Repeat("a", 4000)) || g.Match(strings.Repeat("a/", 2000)+"a") {
			t.Errorf("%.20s matches", glob)
		}
	}
}

func TestFilter(t *testing.T) {
	f, err := match.NewFilter("*.go", "!*_test.go", "/cmd/x_test.go", "!vendor/")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"a.go": true, "a/b.go": true, "a_test.go": false, "cmd/x_test.go": true, "a/cmd/x_test.go": false, "README": false} {
		if f.Takes(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
	if !f.Prunes("a/vendor") || f.Prunes("a") || f.Takes("vendor") {
		t.Error("only folders named vendor are left out")
	}
	if all := (match.Filter{}); !all.Takes("x") || all.Prunes("x") {
		t.Error("no globs choose all")
	}
}

func FuzzGlob(f *testing.F) {
	for _, glob := range []string{"a", "**/[a-c]*", "{a,{b,c}}", `\`, "[[:alpha:]]", "[\xff-\xfe]"} {
		f.Add(glob, "a/b.go")
	}
	f.Fuzz(func(t *testing.T, glob, path string) {
		for _, s := range []match.Syntax{{}, {Braces: true, Runes: true}} {
			if g, err := match.Compile(glob, s); err == nil {
				g.Match(path)
			}
		}
	})
}
