package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rein/internal/coverage"
)

// stream is a short run of go test: one package that passes with a skip, one whose test fails, one
// that dies in the middle of a test, one that does not build, one without tests.
const stream = `{"Action":"output","Package":"a","Test":"TestShow","Output":"=== RUN   TestShow\n"}
{"Action":"output","Package":"a","Test":"TestShow","Output":"    a_test.go:3: look here\n"}
{"Action":"pass","Package":"a","Test":"TestShow"}
{"Action":"run","Package":"a","Test":"TestUp"}
{"Action":"run","Package":"a","Test":"TestUp/one"}
{"Action":"pass","Package":"a","Test":"TestUp/one"}
{"Action":"run","Package":"a","Test":"TestUp/two"}
{"Action":"output","Package":"a","Test":"TestUp/two","Output":"=== RUN   TestUp/two\n"}
{"Action":"output","Package":"a","Test":"TestUp/two","Output":"    a_test.go:9: no full disk here\n"}
{"Action":"output","Package":"a","Test":"TestUp/two","Output":"--- SKIP: TestUp/two (0.00s)\n"}
{"Action":"skip","Package":"a","Test":"TestUp/two"}
{"Action":"pass","Package":"a","Test":"TestUp"}
{"Action":"pass","Package":"a","Elapsed":0.5}
{"Action":"run","Package":"b","Test":"TestBad"}
{"Action":"run","Package":"b","Test":"TestBad/sub"}
{"Action":"output","Package":"b","Test":"TestBad/sub","Output":"    b_test.go:7: got 2, want 1\n"}
{"Action":"fail","Package":"b","Test":"TestBad/sub"}
{"Action":"fail","Package":"b","Test":"TestBad"}
{"Action":"fail","Package":"b"}
{"Action":"run","Package":"c","Test":"TestDies"}
{"Action":"output","Package":"c","Test":"TestDies","Output":"panic: oh\n"}
{"Action":"fail","Package":"c"}
{"Action":"build-output","ImportPath":"d [d.test]","Output":"d_test.go:1: undefined: x\n"}
{"Action":"fail","Package":"d","FailedBuild":"d [d.test]"}
{"Action":"skip","Package":"e"}
go: something else
`

func summarise(t *testing.T, input string) (*summary, *strings.Builder) {
	t.Helper()
	var out strings.Builder
	s := newSummary(&out, regexp.MustCompile("^TestShow$"))
	if err := s.read(strings.NewReader(input)); err != nil {
		t.Fatal(err)
	}
	return s, &out
}

func TestSummary(t *testing.T) {
	s, out := summarise(t, stream)
	if s.finish(false) {
		t.Error("finish reports that all is well")
	}
	for _, want := range []string{
		"look here",
		"ok    a  2 passed, 0 failed, 1 skipped  0.5s",
		"got 2, want 1",
		"FAIL  b  0 passed, 1 failed, 0 skipped",
		"panic: oh",
		"FAIL  c  0 passed, 1 failed, 0 skipped",
		"undefined: x",
		"FAIL  d  0 passed, 1 failed, 0 skipped",
		"--    e  no tests",
		"go: something else",
		"!!!   a TestUp/two: a_test.go:9: no full disk here",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out.String(), "=== RUN") {
		t.Errorf("lines of the test framework are shown:\n%s", out)
	}
	if !strings.HasSuffix(out.String(), "\n2 passed, 3 failed, 1 skipped\n") {
		t.Errorf("the last line is not the total:\n%s", out)
	}
}

func TestStrictRefusesSkips(t *testing.T) {
	passing, _, _ := strings.Cut(stream, `{"Action":"run","Package":"b"`)
	for _, strict := range []bool{false, true} {
		s, out := summarise(t, passing)
		if ok := s.finish(strict); ok == strict {
			t.Errorf("strict %v: finish = %v\n%s", strict, ok, out)
		}
	}
}

// TestRealGoTest runs the real go command, so that a change of its output is noticed.
func TestRealGoTest(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "go.mod", "module m\n\ngo 1.26\n")
	write(t, dir, "m_test.go", "package m\n\nimport \"testing\"\n\nfunc TestOK(*testing.T) {}\n")
	t.Chdir(dir)
	if code := run(io.Discard, "^$", false, [][]string{{"./..."}}); code != 0 {
		t.Errorf("a passing module gives exit code %d", code)
	}
	write(t, dir, "m_test.go", "package m\n\nimport \"testing\"\n\nfunc TestNo(t *testing.T) { t.Fatal() }\n")
	if code := run(io.Discard, "^$", false, [][]string{{"./..."}}); code != 1 {
		t.Errorf("a failing module gives exit code %d", code)
	}
	write(t, dir, "m_test.go", "package m\n\nfunc broken {\n")
	if code := run(io.Discard, "^$", false, [][]string{{"./..."}}); code != 1 {
		t.Errorf("a module that does not build gives exit code %d", code)
	}
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestAttackTable(t *testing.T) {
	s, out := summarise(t, strings.NewReplacer(`"Package":"a"`, `"Package":"rein/a"`, `"Package":"b"`, `"Package":"rein/b"`).Replace(stream))
	attack := func(tests ...coverage.Test) coverage.Attack {
		return coverage.Attack{N: 1, What: "guess", Promise: "hold", Tests: tests}
	}
	for _, c := range []struct {
		attack coverage.Attack
		want   string
	}{
		{attack(coverage.Test{Dir: "a", Name: "TestShow"}), "held (1 test)"},
		{attack(coverage.Test{Dir: "a/testdata/script", Name: "one", Script: true}), "held (1 test)"},
		{attack(coverage.Test{Dir: "a", Name: "TestShow"}, coverage.Test{Dir: "b", Name: "TestBad"}), "FAILED (TestBad: fail)"},
		{attack(coverage.Test{Dir: "a/testdata/script", Name: "two", Script: true}), "FAILED (two: skip)"},
		{attack(coverage.Test{Dir: "a", Name: "TestGone"}), "FAILED (TestGone: not run)"},
		{attack(), "NOT TESTED"},
	} {
		out.Reset()
		if held := s.attackTable([]coverage.Attack{c.attack}); held != strings.HasPrefix(c.want, "held") || !strings.Contains(out.String(), c.want) {
			t.Errorf("attackTable = %v\n%s\nwant %q", held, out, c.want)
		}
	}
}

// go test gives the report of a race to whichever test printed last.
func TestRaceReportIsShown(t *testing.T) {
	_, out := summarise(t, `{"Action":"run","Package":"a","Test":"TestGood"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"WARNING: DATA RACE\n"}
{"Action":"output","Package":"a","Test":"TestGood","Output":"Read at 0x0 by goroutine 7\n"}
{"Action":"pass","Package":"a","Test":"TestGood"}
{"Action":"run","Package":"a","Test":"TestRacy"}
{"Action":"fail","Package":"a","Test":"TestRacy"}
{"Action":"fail","Package":"a"}
`)
	if !strings.Contains(out.String(), "Read at 0x0 by goroutine 7") {
		t.Errorf("the report is missing:\n%s", out)
	}
}
