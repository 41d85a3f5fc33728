package cli

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The examples of these pages are true: they are run one after the other, as someone would who reads
// the page from the top. A run has another name each time, so names are matched by their order.
func TestDocsExamples(t *testing.T) {
	t.Run("cli", func(t *testing.T) {
		tryExamples(t, manualPath, &reader{desk: newReaderDesk(t), folder: "barn", settings: "barn/rein.toml"})
	})
	t.Run("start", func(t *testing.T) {
		home := t.TempDir()
		if err := errors.Join(os.Mkdir(filepath.Join(home, "house"), 0o700), os.MkdirAll(filepath.Join(home, ".config/rein"), 0o700)); err != nil {
			t.Fatal(err)
		}
		tryExamples(t, "../docs/start.md", &reader{desk: home, folder: "house", settings: ".config/rein/rein.toml"})
	})
}

func tryExamples(t *testing.T, path string, r *reader) {
	t.Helper()
	r.t, r.names = t, map[string]string{}
	var page strings.Builder
	lines := bufio.NewScanner(strings.NewReader(readText(t, path)))
	fence, block := "", ""
	for lines.Scan() {
		line := lines.Text()
		switch {
		case fence == "" && (line == "````console" || line == "```toml"):
			fence, block = strings.TrimRight(line, "abcdefghijklmnopqrstuvwxyz"), ""
			page.WriteString(line + "\n")
		case fence != "" && line == fence:
			page.WriteString(r.block(fence, block) + line + "\n")
			fence = ""
		case fence != "":
			block += line + "\n"
		default:
			page.WriteString(line + "\n")
		}
	}
	if *update && r.changed {
		if err := os.WriteFile(path, []byte(page.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// A reader tries the examples out.
type reader struct {
	t        *testing.T
	desk     string            // the home folder
	folder   string            // in it, where commands are typed
	settings string            // where a block of TOML is saved
	names    map[string]string // of runs, in the manual and here
	changed  bool
}

func newReaderDesk(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	if err := errors.Join(
		os.Mkdir(filepath.Join(home, "barn"), 0o700),
		os.WriteFile(filepath.Join(home, "barn", "horses.md"), []byte("# Horses\n\nBella is a grey mare. She eats hay.\nOtto is a black stallion. He eats oats.\n"), 0o600),
		os.WriteFile(filepath.Join(home, "barn", "paint.md"), []byte("# Paint\n\nThe barn was painted red in 2019.\n"), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	for name, mode := range map[string]os.FileMode{"barn/horses.md": 0o600, "barn": 0o700} {
		if err := os.Chmod(filepath.Join(home, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

// block runs the commands of a block and returns it with what they print.
func (r *reader) block(fence, block string) string {
	r.t.Helper()
	if fence == "```" { // a file to save
		if err := os.WriteFile(filepath.Join(r.desk, r.settings), []byte(block), 0o600); err != nil {
			r.t.Fatal(err)
		}
		return block
	}
	now := ""
	for _, example := range strings.Split("\n"+block, "\n$ ")[1:] {
		command, want, _ := strings.Cut(example, "\n")
		command = r.renamed(command)
		got := r.run(command)
		r.match(want, got)
		if diff := cmp.Diff(r.steady(want), r.steady(got)); diff != "" {
			r.changed = true
			if !*update {
				r.t.Errorf("$ %s\n%s", command, diff)
			}
		}
		now += "$ " + command + "\n"
		if got = strings.TrimRight(got, "\n"); got != "" {
			now += got + "\n"
		}
	}
	return now
}

// renamed calls the runs by their names here.
func (r *reader) renamed(command string) string {
	for there, here := range r.names {
		command = strings.ReplaceAll(command, there, here)
	}
	return command
}

// run calls a shell, as a reader does.
func (r *reader) run(command string) string {
	r.t.Helper()
	program := filepath.Join(r.desk, "rein")
	if _, err := os.Lstat(program); err != nil {
		self, err := os.Executable()
		if err == nil {
			err = os.Symlink(self, program)
		}
		if err != nil {
			r.t.Fatal(err)
		}
	}
	x := exec.Command("sh", "-c", command)
	x.Dir = filepath.Join(r.desk, r.folder)
	x.Env = []string{"HOME=" + r.desk, "PATH=" + r.desk + ":" + os.Getenv("PATH"), "LANG=C.UTF-8", "TZ=UTC", "GORACE=" + quickExit}
	out, err := x.CombinedOutput()
	if exit, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		r.t.Fatal(err)
	} else if ok {
		out = append(out, "(exit "+strconv.Itoa(exit.ExitCode())+")\n"...)
	}
	return strings.ReplaceAll(string(out), r.desk, "/home/ann")
}

var runName = regexp.MustCompile(`\b(r[0-9a-z]{24}|v2-[0-9a-f]{40})\b`) // or a digest

// shortName is the end of an ID as lists have it.
var shortName = regexp.MustCompile(`(?m)^( *)[0-9a-z]{5}((:\S+)? +(done|paused|approval|question) )`)

// match learns which run here is which run of the manual.
func (r *reader) match(want, got string) {
	there, here := runName.FindAllString(want, -1), runName.FindAllString(got, -1)
	for i := range min(len(there), len(here)) {
		if r.names[there[i]] == "" {
			r.names[there[i]] = here[i]
		}
	}
}

func (r *reader) steady(s string) string {
	s = regexp.MustCompile(`([\d,]+ \+ )?[\d,]+ tokens`).ReplaceAllString(steady(s, "/nowhere"), "N tokens")
	s = regexp.MustCompile(`tools [a-z_.]+(, [a-z_.]+)+`).ReplaceAllString(s, "tools NAMES") // they grow in number
	s = regexp.MustCompile(`\b\d+(,\d{3})+\b`).ReplaceAllString(s, "N")                      // sums of tokens in a table
	s = regexp.MustCompile(`\b\d+ bytes`).ReplaceAllString(s, "N bytes")                     // of a search, with scores in it
	s = shortName.ReplaceAllString(s, "${1}SHORT$2")
	s = regexp.MustCompile(` +`).ReplaceAllString(s, " ")
	return strings.TrimRight(s, "\n")
}
