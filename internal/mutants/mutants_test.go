package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// atRoot makes the root of the repository the folder of the test: that is where the list is read.
func atRoot(t *testing.T) []mutant {
	t.Helper()
	t.Chdir("../..")
	all, err := parse(document)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// Every mutant of the list can still be made, and the tests that must notice it are there.
func TestListApplies(t *testing.T) {
	all := atRoot(t)
	if len(all) < 25 {
		t.Errorf("there are %d mutants, want 25 or more", len(all))
	}
	for _, m := range all {
		if _, _, err := m.apply(); err != nil {
			t.Errorf("%s: %v", m.name, err)
		}
		for _, by := range m.by {
			if !hasTest(t, by) {
				t.Errorf("%s: %s has no test %s", m.name, by.dir, by.pattern)
			}
		}
	}
}

var testFunc = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// hasTest reports whether each alternative of a pattern begins with the name of a test of the folder.
func hasTest(t *testing.T, by tests) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(by.dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range testFunc.FindAllSubmatch(src, -1) {
			names[string(found[1])] = true
		}
	}
	for one := range strings.SplitSeq(by.pattern, "|") {
		name, _, _ := strings.Cut(one, "/")
		if strings.HasPrefix(name, "Test") && !names[name] {
			return false
		}
	}
	return true
}

// bodies are the Go blocks of a mutant.
func bodies(code ...string) string {
	text := ""
	for _, c := range code {
		text += "\n```go\n" + c + "\n```\n"
	}
	return text
}

const lines = "Why: it adds.\nFunc: sum Adder.Sum\nTest: sum TestSum\n"

func TestParse(t *testing.T) {
	all, err := parse("# Prose\n\n## one\n\n" + lines + bodies("return 0") + "\n## two\n" + lines + bodies("a + b", "a - b"))
	if err != nil || len(all) != 2 {
		t.Fatal(all, err)
	}
	if m := all[1]; m.name != "two" || m.dir != "sum" || m.fn != "Adder.Sum" || m.from != "a + b" || m.to != "a - b" || m.by[0] != (tests{"sum", "TestSum"}) {
		t.Errorf("%+v", m)
	}
	for part, want := range map[string]string{
		"Bad Name\n" + lines + bodies("return 0"):                                   "small letters",
		"x\n" + strings.Replace(lines, "Why: it adds.", "", 1) + bodies("return 0"): "no line Why",
		"x\nWhy: y\nTest: a TestA\n" + bodies("return 0"):                           "no line Func",
		"x\nWhy: y\nFunc: a B\n" + bodies("return 0"):                               "no line Test",
		"x\n" + lines + "What: y\n" + bodies("return 0"):                            `"What" is not Why`,
		"x\n" + lines:                                                                     "want one block of code",
		"x\n" + lines + bodies("1", "2", "3"):                                             "want one block of code",
		"x\n" + lines + bodies("return 0") + "and more\n":                                 "nothing else around them",
		"x\n" + strings.Replace(lines, "TestSum", "", 1) + bodies("1"):                    "not a folder and a pattern",
		"x\n" + lines + bodies("return 0") + "\n## x\n" + lines + bodies("return 0"):      "there twice",
		"x\n" + strings.Replace(lines, "TestSum", "Test(", 1) + bodies("return 0") + "\n": "not a folder and a pattern",
	} {
		if _, err := parse("## " + part); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", part, err, want)
		}
	}
}

const adder = `package sum

import (
	"fmt"
	"os"
)

type Adder[T any] struct{}

func (a *Adder[T]) Sum(x, y int) int {
	fmt.Println(x +
		y)
	return x + y
}

func other() { _, _ = os.Getwd() }
`

// adding makes a folder with a package and lets the test be there.
func adding(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod":           "module sums\n\ngo 1.26\n",
		"sum/sum.go":       adder,
		"sum/sum_plan9.go": strings.Replace(adder, "return x + y", "return 9", 1),
		"sum/sum_test.go": `package sum

import "testing"

func TestSum(t *testing.T) {
	if got := new(Adder[int]).Sum(1, 2); got != 3 {
		t.Error(got)
	}
}

func TestNothing(t *testing.T) {}

func TestExit(t *testing.T) {
	if new(Adder[int]).Sum(1, 2) != 3 {
		panic("no test fails")
	}
}
`,
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestApply(t *testing.T) {
	adding(t)
	m := mutant{dir: "sum", fn: "Adder.Sum", to: "return 0"}
	file, broken, err := m.apply()
	if err != nil || file != filepath.Join("sum", "sum.go") {
		t.Fatal(file, err)
	}
	if got := string(broken); !strings.Contains(got, "return 0") || !strings.Contains(got, `_ "fmt"`) || strings.Contains(got, `_ "os"`) {
		t.Error(got)
	}
	m.from, m.to = "return x + y", "return x - y"
	if _, broken, err = m.apply(); err != nil || !strings.Contains(string(broken), "return x - y\n") || !strings.Contains(string(broken), "\t\"fmt\"") {
		t.Errorf("%v\n%s", err, broken)
	}
	for want, m := range map[string]mutant{
		"has no function Gone any more":    {dir: "sum", fn: "Gone", to: "return"},
		`holds "x * y" 0 times, want once`: {dir: "sum", fn: "Adder.Sum", from: "x * y", to: "x"},
		`holds "x + y" 2 times, want once`: {dir: "sum", fn: "Adder.Sum", from: "x + y", to: "x"},
		"it changes nothing":               {dir: "sum", fn: "Adder.Sum", from: "return x + y", to: "return x +  y"},
		"the broken file":                  {dir: "sum", fn: "Adder.Sum", to: "return ("},
	} {
		if _, _, err := m.apply(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// A mutant passes only if a test fails on it: not if the tests survive, if it does not compile, or if
// there is no such test.
func TestRunner(t *testing.T) {
	adding(t)
	t.Setenv("GOFLAGS", "")
	t.Setenv("GOWORK", "off")
	noticed := mutant{name: "noticed", dir: "sum", fn: "Adder.Sum", to: "return 0", by: []tests{{"sum", "TestNothing"}, {"sum", "TestSum"}}}
	for want, m := range map[string]mutant{
		"":                        noticed,
		"the tests do not notice": {name: "survives", dir: "sum", fn: "Adder.Sum", to: "return 0", by: []tests{{"sum", "TestNothing"}}},
		"does not compile":        {name: "wrong", dir: "sum", fn: "Adder.Sum", to: "return nothing", by: noticed.by},
		"no longer applies":       {name: "gone", dir: "sum", fn: "Gone", to: "return 0", by: noticed.by},
		"there is no such test":   {name: "untested", dir: "sum", fn: "Adder.Sum", to: "return 0", by: []tests{{"sum", "TestGone"}}},
	} {
		var out bytes.Buffer
		r := runner{dir: t.TempDir(), out: &out}
		if ok := r.all(t.Context(), []mutant{m}); ok != (want == "") || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v, want %q in\n%s", m.name, ok, want, &out)
		}
		if err := r.unbroken(t.Context(), []mutant{noticed}); err != nil {
			t.Error(err)
		}
	}
	r := runner{dir: t.TempDir(), out: os.Stdout}
	if err := r.unbroken(t.Context(), []mutant{{by: []tests{{"sum", "TestGone"}}}}); err == nil {
		t.Error("a test that is not there passes")
	}
}

func TestChoose(t *testing.T) {
	var all []mutant
	for _, name := range strings.Split("abcdefg", "") {
		all = append(all, mutant{name: name})
	}
	names := func(some int, wish string) string {
		t.Helper()
		chosen, err := choose(new(bytes.Buffer), all, some, wish)
		if err != nil {
			return err.Error()
		}
		text := ""
		for _, m := range chosen {
			text += m.name
		}
		return text
	}
	for want, c := range map[string]struct {
		some int
		wish string
	}{
		"abcde":   {5, "0"},
		"fgabc":   {5, "1"},
		"defga":   {5, "2"},
		"abcdefg": {0, ""},
		"gb":      {5, "g, b"},
	} {
		if got := names(c.some, c.wish); got != want {
			t.Errorf("some %d, MUTANTS=%s: %s, want %s", c.some, c.wish, got, want)
		}
	}
	if got := names(5, ""); len(got) != 5 {
		t.Errorf("five of today are %s", got)
	}
	for wish, want := range map[string]string{"-1": "want an offset", "nobody": `no mutant "nobody"`} {
		if got := names(5, wish); !strings.Contains(got, want) {
			t.Errorf("MUTANTS=%s: %s", wish, got)
		}
	}
}
