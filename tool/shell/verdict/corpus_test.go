package verdict_test

import (
	_ "embed"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/tool/shell/verdict"
)

//go:embed testdata/corpus.tsv
var corpus string

// policy is that of a workspace with a plain repository, and no rules.
func policy() verdict.Policy {
	return verdict.Policy{Root: "/work/project", Disk: project}
}

// project is the disk that the commands of the corpus are judged on. Folders have a slash at the end, links an arrow.
var project = disk{
	".git/": "", ".git/HEAD": "ref: refs/heads/main\n", ".git/objects/": "", ".git/refs/": "",
	"conf/": "", "conf/app.yaml": "", "conf/secrets.yaml": "", "keys/": "", "keys/id_rsa": "", "keys/readme": "",
	"linked/": "", "linked/a.go": "", "linked/b.go": "-> /etc/passwd", "linked/up": "-> ../..", "linked/src": "-> ../src",
	"id_rsa": "", "x.pem": "", "credentials": "", "src/ID_rsa": "", "src/server.key": "", "src/": "", "src/main.go": "", "src/deep/": "", "src/deep/x.go": "",
	"broken/": "", "broken/.git/": "", "broken/.git/HEAD": "ref: refs/heads/main\n", "broken/.git/config": "[core]\n",
	"headless/": "", "headless/.git/": "", "headless/.git/HEAD": "nonsense\n", "headless/.git/objects/": "", "headless/.git/refs/": "",
	"empty/": "", "empty/.git/": "", "pointer/": "", "pointer/.git": "gitdir: ../empty/.git\n",
}

// A disk is a few files below /work/project.
type disk map[string]string

func (d disk) find(name string) (rel string, err error) {
	rel, ok := strings.CutPrefix(path.Clean(name), "/work/project/")
	if _, isFile := d[rel]; ok && isFile {
		return rel, nil
	}
	if _, isDir := d[rel+"/"]; ok && isDir || path.Clean(name) == "/work/project" {
		return rel + "/", nil
	}
	return "", fs.ErrNotExist
}

func (d disk) ReadFile(name string) ([]byte, error) {
	rel, err := d.find(name)
	return []byte(d[rel]), err
}

func (d disk) Readlink(name string) (string, error) {
	rel, err := d.find(name)
	to, ok := strings.CutPrefix(d[rel], "-> ")
	if err == nil && !ok {
		err = syscall.EINVAL
	}
	return to, err
}

func (d disk) Stat(name string) (fs.FileInfo, error) {
	rel, err := d.find(name)
	return entry(rel), err
}

func (d disk) ReadDir(name string) (all []fs.DirEntry, err error) {
	if _, err := d.find(name); err != nil {
		return nil, err
	}
	for rel := range d {
		if path.Dir("/work/project/"+strings.TrimSuffix(rel, "/")) == path.Clean(name) {
			all = append(all, entry(rel))
		}
	}
	return all, nil
}

// An entry is a name in a disk.
type entry string

func (e entry) Name() string               { return path.Base(string(e)) }
func (e entry) IsDir() bool                { return strings.HasSuffix(string(e), "/") }
func (e entry) Type() fs.FileMode          { return e.Mode().Type() }
func (e entry) Info() (fs.FileInfo, error) { return e, nil }
func (e entry) Size() int64                { return 0 }
func (e entry) ModTime() time.Time         { return time.Time{} }
func (e entry) Sys() any                   { return nil }
func (e entry) Mode() fs.FileMode {
	if e.IsDir() {
		return fs.ModeDir | 0o755
	}
	return 0o644
}

// Every command of the corpus gets its verdict, and the person who is asked reads why.
//
// Covers: SD-50
// Attack: 75
func TestCorpus(t *testing.T) {
	words := map[rein.Verdict]string{rein.Allowed: "allow", rein.MustAsk: "ask", rein.Denied: "deny"}
	count := 0
	for i, line := range strings.Split(corpus, "\n") {
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, "\t", 3)
		command := fields[1]
		if strings.HasPrefix(command, `"`) {
			read, err := strconv.Unquote(command)
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			command = read
		}
		count++
		j := policy().Judge(command)
		if got := words[j.Verdict]; got != fields[0] {
			t.Errorf("line %d: %q: %s, want %s\n%s", i+1, command, got, fields[0], j.Explain())
		}
		if fields[0] != "allow" && !strings.Contains(j.Explain(), fields[2]) {
			t.Errorf("line %d: %q: %q does not say %q", i+1, command, j.Explain(), fields[2])
		}
	}
	if count < 250 {
		t.Errorf("the corpus has only %d commands", count)
	}
}

// Lines that are too long or nested too deeply are asked about, at once.
func TestHugeLines(t *testing.T) {
	repeat := strings.Repeat
	for name, line := range map[string]string{
		"long word": "ls " + repeat("a", 40_000), "many commands": repeat("ls;", 12_000), "subshells": repeat("(", 600) + "ls" + repeat(")", 600),
		"substitutions": repeat("$(", 600) + "ls" + repeat(")", 600), "blocks": repeat("{ ", 2100) + "ls" + repeat("; }", 2100),
		"backquotes": repeat("`", 502), "quotes": repeat(`"$(`, 450), "brackets in arithmetic": "echo $((" + repeat("(", 490), "parameters": repeat("${x:-", 1900),
		"here-documents": repeat("cat <<A\n", 600), "shells": nested(10), "megabytes": repeat("ls && ", 1<<20),
		"wrappers": repeat("env ", 5000) + "ls", "nice": repeat("nice ", 30) + "ls", "ifs": repeat("if ", 3000), "cases": repeat("case x in x) ", 480),
	} {
		if j := policy().Judge(line); j.Verdict != rein.MustAsk {
			t.Errorf("%s: %v", name, j.Verdict)
		}
	}
	if j := policy().Judge(repeat("ls;", 5_000)); j.Verdict != rein.Allowed {
		t.Error("5,000 harmless commands are asked about:", j.Explain())
	}
}

func nested(depth int) string {
	line := "ls"
	for range depth {
		line = "sh -c '" + strings.ReplaceAll(line, "'", `'\''`) + "'"
	}
	return line
}

// Nothing that is added to a line makes it easier to run.
func FuzzJudge(f *testing.F) {
	for _, line := range strings.Split(corpus, "\n") {
		if fields := strings.SplitN(line, "\t", 3); len(fields) > 1 {
			f.Add(fields[1], "ls")
		}
	}
	f.Add("ls", "rm x")
	f.Fuzz(func(t *testing.T, line, more string) {
		first := policy().Judge(line)
		if len(first.Line.Trouble) > 0 || len(first.Line.Parts) == 0 || strings.HasSuffix(strings.TrimRight(line, "\n"), `\`) {
			return // half a line may become a whole one
		}
		for _, join := range []string{"\n", "\n:\n"} {
			if both := policy().Judge(line + join + more); both.Verdict < first.Verdict {
				t.Errorf("%q is %v, and with %q after it %v", line, first.Verdict, more, both.Verdict)
			}
		}
	})
}

// A line is as strict as its strictest part.
//
// Attack: 75
func TestWholeIsAsStrictAsItsParts(t *testing.T) {
	for _, parts := range [][]string{{"ls", "rm x"}, {"rm x", "ls"}, {"ls", "echo x > /dev/sda"}, {"cat a", "cat b"}} {
		for _, join := range []string{"; ", " && ", " || ", " | ", "\n"} {
			worst := rein.Allowed
			for _, p := range parts {
				worst = max(worst, policy().Judge(p).Verdict)
			}
			line := strings.Join(parts, join)
			if got := policy().Judge(line).Verdict; got != worst {
				t.Errorf("%q is %v, want %v", line, got, worst)
			}
		}
	}
}
