package patch_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein/tool/files/patch"
)

// Random files and edits, diffs by git and by diff -u, and then damage: to the patch or to the file. Each is applied
// exactly as git apply or patch applies it, or refused whole.
func TestMutated(t *testing.T) {
	for _, program := range []string{"git", "diff", "patch"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed: nothing to compare with", program)
		}
	}
	var applied, refused, both int
	for seed := range uint64(240) {
		c := newCase(t, seed)
		ours, err := c.ours()
		git, gitOK := c.run("git", "apply", "--whitespace=nowarn", "-p1", "-")
		gnu, gnuOK := c.run("patch", "-p1", "-F0", "-N", "-f", "-s", "--no-backup-if-mismatch", "-r", "-")
		if gitOK && gnuOK {
			both++
		}
		switch {
		case err != nil:
			refused++
		case gitOK && ours == git || gnuOK && ours == gnu:
			applied++
		default:
			t.Errorf("seed %d (%s): a third thing\n%s\nfile %q\nours %q\ngit  %v %q\npatch %v %q", seed, c.how, c.patch, c.file, ours, gitOK, git, gnuOK, gnu)
		}
		if c.how == "as it is" && err != nil {
			t.Errorf("seed %d: refused: %v\n%s", seed, err, c.patch)
		}
	}
	t.Logf("%d applied, %d refused; git and patch both applied %d", applied, refused, both)
	if applied < 80 || refused < 60 {
		t.Errorf("%d applied and %d refused: that tests too little", applied, refused)
	}
}

// A mutant is a file and a patch that may not fit it.
type mutant struct {
	t     *testing.T
	rand  *rand.Rand
	how   string
	file  string
	patch string
}

func newCase(t *testing.T, seed uint64) *mutant {
	c := &mutant{t: t, rand: rand.New(rand.NewPCG(seed, 7))}
	words := 4 + c.rand.IntN(60) // few words: the lines repeat
	var lines []string
	for range 5 + c.rand.IntN(60) {
		lines = append(lines, fmt.Sprintf("word %d", c.rand.IntN(words)))
	}
	c.file = c.ended(lines)
	c.diff(c.ended(c.edited(lines)))
	how := mutations[int(seed)%len(mutations)]
	c.how = how.name
	how.do(c)
	return c
}

// ended is a text, most often with a newline at its end.
func (c *mutant) ended(lines []string) string {
	text := strings.Join(lines, "\n")
	if c.rand.IntN(5) > 0 {
		text += "\n"
	}
	return text
}

func (c *mutant) edited(lines []string) []string {
	lines = slices.Clone(lines)
	for i := range 1 + c.rand.IntN(5) {
		at := c.rand.IntN(len(lines))
		switch c.rand.IntN(3) {
		case 0:
			lines = slices.Insert(lines, at, fmt.Sprintf("added %d", i))
		case 1:
			lines[at] = fmt.Sprintf("changed %d", i)
		default:
			if len(lines) > 2 {
				lines = slices.Delete(lines, at, at+1)
			}
		}
	}
	return append(lines, fmt.Sprintf("tail %d", c.rand.IntN(3)))
}

// diff makes the patch with a real program.
func (c *mutant) diff(after string) {
	dir := c.t.TempDir()
	check(c.t, os.Mkdir(filepath.Join(dir, "a"), 0o755))
	check(c.t, os.Mkdir(filepath.Join(dir, "b"), 0o755))
	check(c.t, os.WriteFile(filepath.Join(dir, "a/f"), []byte(c.file), 0o644))
	check(c.t, os.WriteFile(filepath.Join(dir, "b/f"), []byte(after), 0o644))
	args := []string{"git", "diff", "--no-index", "--no-prefix", "a/f", "b/f"}
	if c.rand.IntN(2) == 0 {
		args = []string{"diff", "-u", "a/f", "b/f"}
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	out, _ := cmd.Output() // 1: they differ
	c.patch = string(out)
	if !strings.Contains(c.patch, "@@ ") {
		c.t.Fatalf("%s made no diff: %q", args[0], out)
	}
}

var mutations = []struct {
	name string
	do   func(*mutant)
}{
	{"as it is", func(*mutant) {}},
	{"lines added before", func(c *mutant) { c.file = strings.Repeat("shift\n", 1+c.rand.IntN(9)) + c.file }},
	{"lines of the file repeated", func(c *mutant) { c.file += c.file }},
	{"a line of the file changed", func(c *mutant) { c.line(&c.file, func([]string, int) []string { return []string{"other"} }) }},
	{"a line of the file dropped", func(c *mutant) { c.line(&c.file, func([]string, int) []string { return nil }) }},
	{"a line of the file added", func(c *mutant) {
		c.line(&c.file, func(l []string, at int) []string { return []string{l[at], l[c.rand.IntN(len(l))]} })
	}},
	{"a line of the patch dropped", func(c *mutant) { c.line(&c.patch, func([]string, int) []string { return nil }) }},
	{"a line of the patch twice", func(c *mutant) {
		c.line(&c.patch, func(l []string, at int) []string { return []string{l[at], l[at]} })
	}},
	{"a line of the patch changed", func(c *mutant) {
		c.line(&c.patch, func(l []string, at int) []string { return []string{l[at] + "x"} })
	}},
	{"numbers changed", func(c *mutant) {
		c.header(func(n *[4]int) { n[c.rand.IntN(4)] += c.rand.IntN(5) - 2 })
	}},
	{"both starts moved", func(c *mutant) {
		by := c.rand.IntN(9) - 4
		c.header(func(n *[4]int) { n[0], n[2] = n[0]+by, n[2]+by })
	}},
	{"hunks swapped", func(c *mutant) { c.hunks(func(h []string) []string { slices.Reverse(h); return h }) }},
	{"a hunk dropped", func(c *mutant) {
		c.hunks(func(h []string) []string { at := c.rand.IntN(len(h)); return slices.Delete(h, at, at+1) })
	}},
	{"a hunk twice", func(c *mutant) { c.hunks(func(h []string) []string { return append(h, h[0]) }) }},
	{"CR LF in the patch", func(c *mutant) { c.patch = strings.ReplaceAll(c.patch, "\n", "\r\n") }},
	{"CR LF in both", func(c *mutant) {
		c.patch, c.file = strings.ReplaceAll(c.patch, "\n", "\r\n"), strings.ReplaceAll(c.file, "\n", "\r\n")
	}},
	{"applied twice", func(c *mutant) {
		if once, ok := c.run("git", "apply", "-p1", "-"); ok {
			c.file = once
		}
	}},
	{"cut short", func(c *mutant) { c.patch = c.patch[:len(c.patch)*2/3] }},
}

func (c *mutant) line(text *string, of func([]string, int) []string) {
	lines := strings.Split(strings.TrimSuffix(*text, "\n"), "\n")
	at := c.rand.IntN(len(lines))
	*text = strings.Join(slices.Replace(lines, at, at+1, of(slices.Clone(lines), at)...), "\n") + "\n"
}

func (c *mutant) header(of func(*[4]int)) {
	lines := strings.Split(c.patch, "\n")
	for i, l := range lines {
		var n [4]int
		if k, _ := fmt.Sscanf(l, "@@ -%d,%d +%d,%d @@", &n[0], &n[1], &n[2], &n[3]); k == 4 {
			of(&n)
			lines[i] = fmt.Sprintf("@@ -%d,%d +%d,%d @@", n[0], n[1], n[2], n[3])
			if c.rand.IntN(2) == 0 {
				break
			}
		}
	}
	c.patch = strings.Join(lines, "\n")
}

func (c *mutant) hunks(of func([]string) []string) {
	parts := strings.SplitAfter(c.patch, "\n")
	var head string
	var hunks []string
	for _, l := range parts {
		switch {
		case strings.HasPrefix(l, "@@ "):
			hunks = append(hunks, l)
		case len(hunks) == 0:
			head += l
		default:
			hunks[len(hunks)-1] += l
		}
	}
	c.patch = head + strings.Join(of(hunks), "")
}

func (c *mutant) ours() (string, error) {
	files, err := patch.Parse(c.patch)
	if err != nil {
		return "", err
	}
	changes, err := patch.Apply(files, func(name string) ([]byte, error) {
		if name != "f" {
			return nil, nil
		}
		return []byte(c.file), nil
	})
	if err != nil {
		return "", err
	}
	if len(changes) != 1 || changes[0].Path != "f" {
		return fmt.Sprint(changes), nil
	}
	return string(changes[0].After), nil
}

// run has another program apply the patch.
func (c *mutant) run(name string, args ...string) (string, bool) {
	dir := c.t.TempDir()
	check(c.t, os.WriteFile(filepath.Join(dir, "f"), []byte(c.file), 0o644))
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(c.patch)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	if cmd.Run() != nil {
		return "", false
	}
	out, err := os.ReadFile(filepath.Join(dir, "f"))
	return string(out), err == nil // a damaged header may name another file
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
