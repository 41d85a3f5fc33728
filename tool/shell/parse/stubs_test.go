package parse_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein/internal/labs"
	"rein/tool/shell/parse"
)

// stub records the arguments it is given, in a file of its own: its words end with \x00.
const stub = `#!/bin/sh
printf '%s\0' "${0##*/}" "$@" > "$LOG.$$"
case $0 in *9) exit 1;; esac
exit 0
`

// What the parser says a line runs is what real shells run. Lines that it does not claim to understand
// are left out. Both bash and dash run all others, and every program that a line could name records how
// it was called.
//
// What a line runs depends on what succeeds, so a record must be one of those the parser found, and a
// line without conditions must run them all.
//
// Covers: SD-50
// Attack: 75
func TestRealShellsRunWhatWasRead(t *testing.T) {
	runLines(t, 300)
}

// The same with many more lines.
//
// Plain: it compares amounts of lines, and has no goroutines.
func TestRealShellsRunWhatWasReadAtLength(t *testing.T) {
	labs.Only(t)
	runLines(t, 10_000)
}

func runLines(t *testing.T, lines int) {
	t.Helper()
	w := &writer{Rand: rand.New(rand.NewPCG(16, 1))}
	var understood []string
	for range lines {
		line := w.line()
		if parse.Parse(line).IsUnderstood() {
			understood = append(understood, line)
		}
	}
	if len(understood) < lines/4 {
		t.Fatalf("only %d of %d lines are understood: the generator is of no use", len(understood), lines)
	}
	t.Logf("%d of %d lines are understood", len(understood), lines)
	for _, shell := range []string{"bash", "dash"} {
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not installed: not compared", shell)
			continue
		}
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			compare(t, parse.Shell{Path: path, Name: shell}, understood)
		})
	}
}

// compare runs lines in a shell, each in a subshell of its own, and looks at what was recorded.
func compare(t *testing.T, shell parse.Shell, lines []string) {
	t.Helper()
	dir, work, programs := t.TempDir(), t.TempDir(), t.TempDir() // work has few files, because lines have globs
	for i := range 5 {
		writeFile(t, filepath.Join(programs, fmt.Sprint("s", i+1)), stub, 0o755)
	}
	writeFile(t, filepath.Join(programs, "s9"), stub, 0o755)
	for _, name := range []string{"env", "nohup", "timeout", "nice", "time", "setsid", "sh", "bash", "dash", "printf", "false", "true", "cat"} {
		if real, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(real, filepath.Join(programs, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	writeFile(t, filepath.Join(work, "in"), "", 0o644)
	var script strings.Builder
	script.WriteString("export LOG\n")
	for i, line := range lines {
		file := filepath.Join(dir, fmt.Sprint(i, ".sh"))
		writeFile(t, file, line, 0o644)
		fmt.Fprintf(&script, "(LOG='%s/%d.log'; . '%s') >/dev/null 2>&1 </dev/null\n", dir, i, file)
	}
	cmd := exec.Command(shell.Path, "-c", script.String())
	if len(script.String()) > 100_000 { // longer than an argument may be
		writeFile(t, filepath.Join(dir, "all"), script.String(), 0o644)
		cmd = exec.Command(shell.Path, filepath.Join(dir, "all"))
	}
	cmd.Dir = work
	cmd.Env = []string{"PATH=" + programs, "LC_ALL=C.UTF-8"}
	if out, err := cmd.CombinedOutput(); err != nil && !strings.Contains(err.Error(), "exit status") {
		t.Fatalf("%v: %s", err, out)
	}
	records := readRecords(t, dir)
	for i, line := range lines {
		judge(t, shell.Name, line, records[i])
	}
}

// readRecords returns what the programs of each line recorded.
func readRecords(t *testing.T, dir string) map[int][]string {
	t.Helper()
	records := map[int][]string{}
	files, err := filepath.Glob(filepath.Join(dir, "*.log.*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var i int
		if _, err := fmt.Sscanf(filepath.Base(file), "%d.log", &i); err != nil {
			t.Fatal(err)
		}
		records[i] = append(records[i], strings.TrimSuffix(string(data), "\x00"))
	}
	return records
}

// judge compares one line's records with its parts.
func judge(t *testing.T, shell, line string, records []string) {
	t.Helper()
	var parts []parse.Part
	for _, p := range parse.Parse(line).Parts {
		if p.Kind == parse.Command && strings.HasPrefix(p.Name(), "s") && len(p.Name()) == 2 {
			parts = append(parts, p)
		}
	}
	m := matching{records: records, parts: parts, of: map[int]int{}}
	for i, record := range records {
		argv := strings.Split(record, "\x00")
		again := strings.Contains(line, "for ") && slices.ContainsFunc(parts, func(p parse.Part) bool { return fits(argv, p.Argv) })
		if !m.place(i, map[int]bool{}) && !again { // a loop runs a part again
			t.Errorf("%s ran %q of the line\n%s\nbut the parser found %s", shell, argv, line, show(parse.Parse(line)))
		}
	}
	for i, p := range parts {
		if _, ran := m.of[i]; !ran && !isConditional(line) {
			t.Errorf("%s did not run %q of the line\n%s", shell, p.Source, line)
		}
	}
}

// A matching gives each record a part of its own.
type matching struct {
	records []string
	parts   []parse.Part
	of      map[int]int // which record a part has
}

// place finds a part for a record, and moves others if they fit elsewhere.
func (m *matching) place(record int, tried map[int]bool) bool {
	argv := strings.Split(m.records[record], "\x00")
	for i, p := range m.parts {
		if tried[i] || !fits(argv, p.Argv) {
			continue
		}
		tried[i] = true
		if other, taken := m.of[i]; !taken || m.place(other, tried) {
			m.of[i] = record
			return true
		}
	}
	return false
}

// fits reports whether arguments are what the words say. A word that is not known is any number of them.
func fits(argv []string, words []parse.Word) bool {
	if len(words) == 0 {
		return len(argv) == 0
	}
	if words[0].Kind == parse.Literal {
		return len(argv) > 0 && argv[0] == words[0].Text && fits(argv[1:], words[1:])
	}
	for n := range len(argv) + 1 {
		if fits(argv[n:], words[1:]) {
			return true
		}
	}
	return false
}

// isConditional reports whether a part of the line may not run.
func isConditional(line string) bool {
	for _, word := range []string{"&&", "||", "if", "case", "while", "exec", "-ec", "!", "in", "o ut", ">", "s9", "false", "for", "${x"} {
		if strings.Contains(line, word) {
			return true
		}
	}
	return false
}

func writeFile(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
