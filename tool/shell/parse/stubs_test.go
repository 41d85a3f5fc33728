package parse_test

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"rein/internal/labs"
	"rein/tool/shell/parse"
)

// prefixes are the variables that lines set for a command.
var prefixes = []string{"A", "B", "C", "D", "lang"}

// stub records which of the prefixes it finds, and the arguments it is given, in a file of its own: its words end with \x00.
const stub = `#!/bin/sh
printf '%s\0' ${A+"A=$A"} ${B+"B=$B"} ${C+"C=$C"} ${D+"D=$D"} ${lang+"lang=$lang"} -- "${0##*/}" "$@" > "$LOG.$$"
case $0 in *9) exit 1;; esac
exit 0
`

// What the parser says a line runs is what real shells run. Lines that it does not claim to understand
// are left out. Both bash and dash run all others, and every program that a line could name records how
// it was called, and with which variables.
//
// What a line runs depends on what succeeds, so a record must be one of those the parser found, and a
// line without conditions must run them all.
//
// Covers: SD-50
// Attack: 75
func TestRealShellsRunWhatWasRead(t *testing.T) {
	runLines(t, 150)
}

// The same with many more lines.
//
// Plain: it compares amounts of lines, and has no goroutines.
func TestRealShellsRunWhatWasReadAtLength(t *testing.T) {
	labs.Only(t)
	runLines(t, 10_000)
}

// runLines makes lines until so many of them have run something in each shell.
func runLines(t *testing.T, least int) {
	t.Helper()
	w := &writer{Rand: rand.New(rand.NewPCG(16, 1))}
	var understood []string
	made := 0
	for ; len(understood) < least+least/50+10; made++ { // one in a hundred runs nothing, such as a loop that never begins
		if line := w.line(); parse.Parse(line).IsUnderstood() {
			understood = append(understood, line)
		}
	}
	if len(understood) < made/4 {
		t.Fatalf("only %d of %d lines are understood: the generator is of no use", len(understood), made)
	}
	t.Logf("%d of %d lines are understood", len(understood), made)
	for _, shell := range []string{"bash", "dash"} {
		t.Run(shell, func(t *testing.T) {
			t.Parallel()
			path, err := exec.LookPath(shell)
			if err != nil && os.Getenv("CI") == "true" {
				t.Fatalf("%s is not installed: what it runs is not compared", shell)
			} else if err != nil {
				t.Skipf("%s is not installed: what it runs is not compared", shell)
			}
			if ran := compare(t, parse.Shell{Path: path, Name: shell}, understood); ran < least {
				t.Errorf("only %d of %d lines ran a program, and not %d", ran, len(understood), least)
			}
		})
	}
}

// compare runs lines in a shell, each in a subshell of its own, and looks at what was recorded. It returns how many lines
// ran a program.
func compare(t *testing.T, shell parse.Shell, lines []string) (ran int) {
	t.Helper()
	dir, work, programs := t.TempDir(), t.TempDir(), t.TempDir() // work has few files, because lines have globs
	for i := range 5 {
		writeFile(t, filepath.Join(programs, fmt.Sprint("s", i+1)), stub, 0o755)
	}
	writeFile(t, filepath.Join(programs, "s9"), stub, 0o755)
	for _, name := range []string{"env", "nohup", "timeout", "nice", "time", "setsid", "sh", "bash", "dash", "printf", "false", "true", "cat"} {
		real, err := exec.LookPath(name)
		if err != nil { // such as time, which is a word of bash, but a program after a pipe
			lines = slices.DeleteFunc(slices.Clone(lines), func(line string) bool { return hasWord(line, name) })
			continue
		}
		if err := os.Symlink(real, filepath.Join(programs, name)); err != nil {
			t.Fatal(err)
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
	runToTheEnd(t, cmd)
	records := readRecords(t, dir)
	for i, line := range lines {
		judge(t, shell, line, records[i])
		if len(records[i]) > 0 {
			ran++
		}
	}
	return ran
}

// runToTheEnd waits for a shell and for what it left in the background: each process has the end of a pipe.
func runToTheEnd(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	cmd.ExtraFiles = []*os.File{in}
	err = cmd.Start()
	in.Close()
	if err == nil {
		err = cmd.Wait()
	}
	if _, failed := errors.AsType[*exec.ExitError](err); err != nil && !failed {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Fatal(err)
	}
}

// A record is one call of a program.
type record struct {
	env  map[string]string // of the prefixes
	argv []string
}

// readRecords returns what the programs of each line recorded.
func readRecords(t *testing.T, dir string) map[int][]record {
	t.Helper()
	records := map[int][]record{}
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
		words := strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00")
		end := slices.Index(words, "--")
		if end < 0 {
			t.Fatalf("%s has %q", file, data)
		}
		r := record{env: map[string]string{}, argv: words[end+1:]}
		for _, word := range words[:end] {
			name, value, _ := strings.Cut(word, "=")
			r.env[name] = value
		}
		records[i] = append(records[i], r)
	}
	return records
}

// judge compares one line's records with its parts.
func judge(t *testing.T, shell parse.Shell, line string, records []record) {
	t.Helper()
	var parts []parse.Part
	for _, p := range parse.Parse(line).Parts {
		if p.Kind == parse.Command && strings.HasPrefix(p.Name(), "s") && len(p.Name()) == 2 {
			parts = append(parts, p)
		}
	}
	m := matching{records: records, parts: parts, of: map[int]int{}}
	for i, r := range records {
		again := hasWord(line, "for") && slices.ContainsFunc(parts, func(p parse.Part) bool { return r.isOf(p) })
		if !m.place(i, map[int]bool{}) && !again { // a loop runs a part again
			t.Errorf("%s ran %q with %q of the line\n%s\nbut the parser found %s", shell.Name, r.argv, r.env, line, show(parse.Parse(line)))
		}
	}
	for i, p := range parts {
		if _, ran := m.of[i]; !ran && !isConditional(line) && !refuses(shell, line) {
			t.Errorf("%s did not run %q of the line\n%s", shell.Name, p.Source, line)
		}
	}
}

// A matching gives each record a part of its own.
type matching struct {
	records []record
	parts   []parse.Part
	of      map[int]int // which record a part has
}

// place finds a part for a record, and moves others if they fit elsewhere.
func (m *matching) place(record int, tried map[int]bool) bool {
	for i, p := range m.parts {
		if tried[i] || !m.records[record].isOf(p) {
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

// isOf reports whether a call is what a part says.
func (r record) isOf(p parse.Part) bool {
	set := map[string]parse.Word{}
	for _, v := range p.Env {
		set[v.Name] = v.Value
	}
	for _, name := range prefixes {
		value, has := r.env[name]
		word, wanted := set[name]
		if has != wanted || wanted && word.Kind == parse.Literal && value != word.Text {
			return false
		}
	}
	return fits(r.argv, p.Argv)
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

// isConditional reports whether a part of the line may not run, though the line is right.
func isConditional(line string) bool {
	return slices.ContainsFunc([]string{"&&", "||", "if", "case", "while", "exec", "-ec", "s9", "false"}, func(word string) bool { return hasWord(line, word) }) ||
		slices.ContainsFunc([]string{"${x:-$(", "${x#$(", "${x%$("}, func(start string) bool { return strings.Contains(line, start) })
}

var operators = regexp.MustCompile(`&&|\|\||[;&|(){}\n]`)

// hasWord reports whether a line has a word of the shell, or an operator, also in a text that it hands to another shell.
func hasWord(line, word string) bool {
	return slices.ContainsFunc(strings.Fields(operators.ReplaceAllString(line, " $0 ")), func(w string) bool { return strings.Trim(w, `'"`) == word })
}

// refuses reports whether a shell finds that a line is wrong. Then it runs what is before, at most.
func refuses(shell parse.Shell, line string) bool {
	return exec.Command(shell.Path, "-n", "-c", line).Run() != nil
}

func writeFile(t *testing.T, name, text string, mode os.FileMode) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
