package files_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein/internal/labs"
	"rein/tool/files"
)

// ripgrep finds the program: installed, or where make puts it.
func ripgrep(t *testing.T) string {
	t.Helper()
	here, err := filepath.Abs("../../internal/tools/_bin/rg")
	must(t, err)
	for _, name := range []string{"rg", here} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("ripgrep is missing: make ripgrep gets it")
	}
	t.Skip("NOT compared with ripgrep: it is missing (make ripgrep, or the package ripgrep of Debian)")
	return ""
}

// output runs a program in a folder. That nothing was found is no failure.
func output(t *testing.T, dir, stdin string, argv ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null", "LC_ALL=C.UTF-8")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && exit.ExitCode() == 1 {
		err = nil
	}
	if err != nil {
		t.Fatalf("%q: %v\n%s", argv, err, stderr.String())
	}
	return string(out)
}

func nulls(text string) []string {
	return strings.FieldsFunc(text, func(r rune) bool { return r == 0 })
}

// globbed calls glob.
func globbed(t *testing.T, root *files.Root, a args) []string {
	t.Helper()
	a["limit"] = 1000
	done, err := call(t, root, "glob", a)
	must(t, err)
	var paths []string
	must(t, json.Unmarshal(done.Data, &paths))
	slices.Sort(paths)
	return paths
}

// trees calls a test for n random trees, a grove of them at a time.
func trees(t *testing.T, n int, f flavour, check func(t *testing.T, g *grower, root *files.Root, dir string)) {
	t.Helper()
	base := t.TempDir()
	for seed := range n / grove {
		if !labs.Cell(seed, 10) {
			continue
		}
		g, dir := newGrower(seed, f), filepath.Join(base, fmt.Sprint(seed))
		g.grow(t, dir)
		root, err := files.Open(dir)
		must(t, err)
		check(t, g, root, dir)
		must(t, root.Close())
		if t.Failed() {
			t.Fatalf("trees of seed %d (%+v)\n%s", seed, f, show(dir))
		}
	}
}

// sameAsGit compares what glob leaves out with what git ignores.
func sameAsGit(t *testing.T, _ *grower, root *files.Root, dir string) {
	all, isFile := entries(t, dir)
	ignored := nulls(output(t, dir, strings.Join(all, "\x00"), "git", "check-ignore", "--no-index", "-z", "--stdin"))
	want := slices.DeleteFunc(all, func(name string) bool { return !isFile[name] || slices.Contains(ignored, name) })
	slices.Sort(want)
	if diff := cmp.Diff(want, globbed(t, root, args{"pattern": "*", "hidden": true})); diff != "" {
		t.Errorf("git (-), glob (+): %s", diff)
	}
}

var rgFiles = []string{"--no-config", "--no-ignore-global", "--no-ignore-dot", "--null", "--files"}

// sameFiles compares what glob finds with what ripgrep lists.
func sameFiles(t *testing.T, g *grower, rg string, root *files.Root, dir string) {
	argv, a := append([]string{rg}, rgFiles...), args{"pattern": "*"}
	switch g.IntN(3) {
	case 0:
		pattern := g.glob(true)
		if strings.HasPrefix(pattern, "!") || strings.HasPrefix(pattern, "#") {
			pattern = `\` + pattern
		}
		// ripgrep's --glob beats all else, so it is compared where there is nothing to beat.
		argv = append(argv, "--no-ignore", "--hidden", "--glob="+pattern)
		a = args{"pattern": pattern, "ignored": true, "hidden": true}
	case 1:
		argv, a["hidden"] = append(argv, "--hidden"), true
	}
	want := nulls(output(t, dir, "", append(argv, "--glob=!.git")...))
	slices.Sort(want)
	if diff := cmp.Diff(want, globbed(t, root, a), sorted); diff != "" {
		t.Errorf("%q %v: rg (-), glob (+): %s", argv, a, diff)
	}
}

var sorted = cmp.Transformer("sorted", func(list []string) string { return strings.Join(list, "\n") })

// sameLines compares what grep finds with what ripgrep finds.
func sameLines(t *testing.T, g *grower, rg string, root *files.Root, dir string) {
	pattern := g.pick("foo", "Foo|bar", "^foo", "a.b", "[fb][oa]+", "bar *baz$", "x|1", "é", "(func|日本)", "fo+_?", "^$", "[^a-z ]", "o{2}", "baz$")
	argv := []string{rg, "--no-config", "--no-ignore-global", "--no-ignore-dot", "--no-messages", "--crlf", "--no-heading", "--color=never", "--null", "--sort=path", "--line-number", "--glob=!.git"}
	a := args{"limit": 1000, "pattern": pattern}
	if g.one(4) {
		argv, a["ignore_case"] = append(argv, "-i"), true
	}
	if g.one(4) {
		argv, a["fixed"] = append(argv, "-F"), true
	}
	switch g.IntN(4) {
	case 0:
		argv, a["output"] = append(argv, "-l"), "files"
	case 1:
		argv, a["output"] = append(argv, "-c"), "count"
	case 2:
		n := 1 + g.IntN(3)
		argv, a["context"] = append(argv, fmt.Sprintf("-C%d", n)), n
	}
	want := strings.ReplaceAll(output(t, dir, "", append(argv, "-e", pattern, "./")...), "\r\n", "\n")
	done, err := call(t, root, "grep", a)
	must(t, err)
	var found []files.Found
	must(t, json.Unmarshal(done.Data, &found))
	if diff := cmp.Diff(want, asRipgrep(found, a)); diff != "" {
		t.Errorf("%q: rg (-), grep (+): %s", argv, diff)
	}
}

// asRipgrep writes what grep found as ripgrep does.
func asRipgrep(found []files.Found, a args) string {
	var text strings.Builder
	for i, f := range found {
		switch a["output"] {
		case "files":
			fmt.Fprintf(&text, "./%s\x00", f.Path)
			continue
		case "count":
			fmt.Fprintf(&text, "./%s\x00%d\n", f.Path, f.Count)
			continue
		}
		if i > 0 && a["context"] != nil && (found[i-1].Path != f.Path || found[i-1].Line != f.Line-1) {
			text.WriteString("--\n")
		}
		mark := ":"
		if f.Context {
			mark = "-"
		}
		fmt.Fprintf(&text, "./%s\x00%d%s%s\n", f.Path, f.Line, mark, f.Text)
	}
	return text.String()
}

// glob leaves out what git ignores, and glob and grep find what ripgrep finds, in 500 random trees.
//
// Covers: SD-4
// Plain: it compares amounts with other programs; TestGrep, TestGlob and TestSameAsRipgrep run the same code under the race detector.
func TestSameAsGitAndRipgrep(t *testing.T) {
	rg := ripgrep(t)
	trees(t, 500, flavour{}, func(t *testing.T, g *grower, root *files.Root, dir string) {
		sameAsGit(t, g, root, dir)
		sameFiles(t, g, rg, root, dir)
		sameLines(t, g, rg, root, dir)
	})
}

// Where ripgrep reads a rule otherwise than git, glob does as git.
func TestSameAsGit(t *testing.T) {
	trees(t, 200, flavour{git: true}, sameAsGit)
}

// Where names are not ASCII, a glob is of characters, as ripgrep's.
func TestSameAsRipgrep(t *testing.T) {
	rg := ripgrep(t)
	trees(t, 100, flavour{rg: true}, func(t *testing.T, g *grower, root *files.Root, dir string) {
		sameFiles(t, g, rg, root, dir)
		sameLines(t, g, rg, root, dir)
	})
}
