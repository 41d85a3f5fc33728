package parse_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein/tool/shell/parse"
)

// show writes parts in a short form: unknown words in <>, globs in [].
func show(l parse.Line) string {
	var parts []string
	word := func(w parse.Word) string {
		switch w.Kind {
		case parse.Glob:
			return "[" + w.Text + "]"
		case parse.Unknown:
			return "<" + w.Text + ">"
		}
		return fmt.Sprintf("%q", w.Text)
	}
	for _, p := range l.Parts {
		var words []string
		for _, v := range p.Via {
			words = append(words, v+":")
		}
		if p.Dir != "" {
			words = append(words, "in "+p.Dir)
		}
		for _, v := range p.Env {
			words = append(words, v.Name+"="+word(v.Value))
		}
		for _, a := range p.Argv {
			words = append(words, word(a))
		}
		switch p.Kind {
		case parse.Redirect:
			words = append(words, string(p.Mode), word(p.Path))
		case parse.Opaque:
			words = append(words, "opaque")
		}
		parts = append(parts, strings.Join(words, " "))
	}
	if len(l.Trouble) > 0 {
		parts = append(parts, "trouble")
	}
	return strings.Join(parts, "; ")
}

// Covers: SD-50
func TestParse(t *testing.T) {
	for line, want := range map[string]string{
		"ls -l":                        `"ls" "-l"`,
		`a 'b c' "d $" e\ f \g ""`:     `"a" "b c" "d $" "e f" "g" ""`,
		"a $x \"$y\" *.c ~ {}":         `"a" <$x> <"$y"> [*.c] <~> "{}"`,
		"a ~x b~ c=~ '~'":              `"a" <~x> "b~" <c=~> "~"`,
		"A=1 B=$x c":                   `A="1" B=<$x> "c"`,
		"a=1":                          `a="1"`,
		"a > f 2>> g < h 2>&1 >&-":     `write "f"; write "g"; read "h"; "a"`,
		"cd x && a && b | c":           `"cd" "x"; in x "a"; in x "b"; in x "c"`,
		"cd x; a":                      `"cd" "x" opaque; "a"`,
		"a $(b $(c))":                  `"c"; "b" <$(c)>; "a" <$(b $(c))>`,
		"a <<E\n$(b) $x\nE":            `"b"; "a"`,
		"a <<'E'\n$(b)\nE":             `"a"`,
		"env -u X A=1 b c":             `env: A="1" "b" "c"`,
		"timeout -k 1 5 nice -n 3 a b": `timeout: nice: "a" "b"`,
		"time -p a":                    `time: "a"`,
		"sh -c 'a; b'":                 `sh -c: "a"; sh -c: "b"`,
		"eval a 'b;' c":                `eval: "a" "b"; eval: "c"`,
		"xargs -n 1 a b":               `"xargs" "-n" "1" "a" "b" opaque; xargs: "a" "b" <…>`,
		"find . -exec a {} \\;":        `"find" "." "-exec" "a" "{}" ";"; find -exec: "a" <{}>`,
		"sudo -u x a b":                `"sudo" "-u" "x" "a" "b" opaque; sudo: "a" "b"`,
		"a &":                          `opaque; "a"`,
		"f() { a; }":                   `opaque; "a"`,
		"for x in a $(b); do c; done":  `"b"; x=<>; "c"`,
		"case $x in a|$(b)) c;; esac":  `"b"; "c"`,
		"if a; then b; elif c; then d; else e; fi": `"a"; "b"; "c"; "d"; "e"`,
		"${x:=y}":     `x=<>; <${x:=y}> opaque`,
		"a |& b":      `opaque; "a"; "b"`,
		"a &> b":      `opaque; "a"`,
		"echo 'x":     `trouble`,
		"a; b\n(c":    `"a"; "b"; trouble`,
		"a # b \\\nc": `opaque; "a" "c"`, // the parser joins the lines, and shells do not
		"":            ``,
	} {
		if got := show(parse.Parse(line)); got != want {
			t.Errorf("%q:\n got %s\nwant %s", line, got, want)
		}
	}
}

// No text makes the parser panic, and what it understands it understands again.
func FuzzParse(f *testing.F) {
	for _, line := range []string{"ls -l && rm x", "a <<E\n$(b)\nE", "sh -c 'eval \"a b\"'", "find . -exec a {} +", "a $((1+2)) ${x:-y}", "git -c a=b c", "sed -n 1p x", "a | b & c"} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		l := parse.Parse(line)
		if show(l) != show(parse.Parse(line)) {
			t.Errorf("%q is read in two ways", line)
		}
		for _, p := range l.Parts {
			for _, w := range p.Argv {
				if !p.Nested && w.End > len(line) {
					t.Errorf("%q: the word %+v is not in the line", line, w)
				}
			}
		}
	})
}

func TestEnviron(t *testing.T) {
	got := parse.Environ([]string{"HOME=/h", "BASH_ENV=x", "ENV=x", "LD_PRELOAD=x", "GIT_DIR=x", "BASH_FUNC_ls%%=() { rm x; }", "PATH=/bin", "IFS=x", "CDPATH=x", "SHELLOPTS=x", "PAGER=x", "RIPGREP_CONFIG_PATH=x", "LANG=C"})
	if want := []string{"HOME=/h", "PATH=/bin", "LANG=C"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if shell, ok := parse.FindShell(); ok {
		if argv := shell.Argv("ls"); argv[0] != shell.Path || argv[len(argv)-1] != "ls" {
			t.Errorf("%q", argv)
		}
	}
}

// A shell that PATH finds first, in a folder that a command may have written to, is not the one that runs lines.
func TestFindShellOfTheSystem(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"bash", "dash", "sh"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir)
	if shell, ok := parse.FindShell(); strings.HasPrefix(shell.Path, dir) || ok && !filepath.IsAbs(shell.Path) {
		t.Errorf("lines run with %s", shell.Path)
	}
}
