package files_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/tool/reach"
)

// Patches of several files, in both forms, and then damage: to the patch, to the files, or to a file after the patch was
// shown. The tool leaves the folder as it was, or does all of the patch: what git or patch makes of a diff, and for the other
// form one of the ways in which its lines fit.
func TestMutatedPatches(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing makes diffs")
	}
	counts, repository := map[string]int{}, filepath.Join(t.TempDir(), "git")
	must(t, exec.Command("git", "init", "-q", "--bare", repository).Run())
	for seed := range uint64(220) {
		m := newMutation(t, seed, repository)
		d := newDesk(t, m.before)
		d.open()
		err := m.apply(d)
		got := d.disk()
		kind := m.form() + " "
		switch {
		case err != nil && got != m.left():
			t.Errorf("seed %d (%s): refused, and not untouched: %v\n%s\nbefore %s\nnow    %s", seed, m.how, err, m.patch, m.left(), got)
		case err == nil && !m.isWhole(got):
			t.Errorf("seed %d (%s): a third thing\n%s\nbefore %s\nnow    %s", seed, m.how, m.patch, m.left(), got)
		case err != nil && m.how == "as it is":
			t.Errorf("seed %d: refused: %v\n%s", seed, err, m.patch)
		case err == nil && m.how == "as it is" && got != shownTree(m.after):
			t.Errorf("seed %d:\n%s\nwant %s\nis   %s", seed, m.patch, shownTree(m.after), got)
		case err != nil:
			counts[kind+"refused"]++
		default:
			counts[kind+"applied"]++
		}
	}
	t.Log(counts)
	for _, kind := range []string{"diff applied", "diff refused", "V4A applied", "V4A refused"} {
		if counts[kind] < 25 {
			t.Errorf("%d %s: that tests too little", counts[kind], kind)
		}
	}
}

// A mutation is a folder and a patch that may not fit it.
type mutation struct {
	*testing.T
	*rand.Rand
	how           string
	isV4A         bool
	before, after map[string]string
	patch         string
	meddle        func(map[string]string) // between what is shown and what is done
	late          bool                    // between the last look at the files and the first that is written
}

func newMutation(t *testing.T, seed uint64, repository string) *mutation {
	m := &mutation{T: t, Rand: rand.New(rand.NewPCG(seed, 19)), isV4A: seed%2 == 0, before: map[string]string{}}
	for _, name := range []string{"a.txt", "b.txt", "dir/c.txt", "dir/d.txt", "e.txt"}[:2+m.IntN(4)] {
		m.before[name] = m.text(8 + m.IntN(30))
	}
	m.after = maps.Clone(m.before)
	var sections []string
	for i, name := range slices.Sorted(maps.Keys(m.before)) {
		if section := m.change(i, name); section != "" {
			sections = append(sections, section)
		}
	}
	m.after["new/f.txt"] = m.text(1 + m.IntN(4))
	sections = append(sections, "*** Add File: new/f.txt\n"+prefixed("+", lines(m.after["new/f.txt"])))
	if m.patch = "*** Begin Patch\n" + strings.Join(sections, "") + "*** End Patch\n"; !m.isV4A {
		m.patch = m.diff(repository)
	}
	damage := damages[int(seed/2)%len(damages)]
	m.how = damage.name
	damage.do(m)
	return m
}

func (m *mutation) form() string {
	if m.isV4A {
		return "V4A"
	}
	return "diff"
}

func (m *mutation) text(n int) string {
	var b strings.Builder
	for range n {
		fmt.Fprintf(&b, "word %d\n", m.IntN(40))
	}
	return b.String()
}

// change deletes, moves, leaves or edits a file, and says so as V4A. The first is always edited.
func (m *mutation) change(i int, name string) string {
	switch kind := m.IntN(6); {
	case kind == 0 && i > 0:
		delete(m.after, name)
		return "*** Delete File: " + name + "\n"
	case kind == 1 && i > 0:
		m.after["moved/"+name] = m.after[name]
		delete(m.after, name)
		return "*** Update File: " + name + "\n*** Move to: moved/" + name + "\n"
	case kind == 2 && i > 0:
		return ""
	}
	old := lines(m.before[name])
	var out []string
	section, from := "*** Update File: "+name+"\n", 0
	for at := m.IntN(4); at < len(old); at += 7 + m.IntN(9) {
		lead, gone := old[max(from, at-3):at], old[at:min(at+m.IntN(3), len(old))]
		come := lines(m.text(m.IntN(3)))
		if len(gone)+len(come) == 0 || slices.Equal(gone, come) {
			come = []string{"come"}
		}
		out = append(append(out, old[from:at]...), come...)
		from = at + len(gone)
		section += "@@\n" + prefixed(" ", lead) + prefixed("-", gone) + prefixed("+", come) + prefixed(" ", old[from:min(from+3, len(old))])
		from = min(from+3, len(old))
		out = append(out, old[at+len(gone):from]...)
		at = from
	}
	m.after[name] = strings.Join(append(out, old[from:]...), "\n") + "\n"
	return section
}

func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

func prefixed(sign string, list []string) string {
	var b strings.Builder
	for _, l := range list {
		b.WriteString(sign + l + "\n")
	}
	return b.String()
}

// diff makes the patch with git.
func (m *mutation) diff(repository string) string {
	work := m.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"--git-dir=" + repository, "--work-tree=" + work}, args...)...)
		cmd.Dir = work
		out, err := cmd.Output()
		if err != nil {
			m.Fatalf("git %v: %v", args, err)
		}
		return strings.TrimSpace(string(out)) + "\n"
	}
	var trees []string
	for _, tree := range []map[string]string{m.before, m.after} {
		for name := range m.before {
			must(m.T, os.RemoveAll(filepath.Join(work, name)))
		}
		putTree(m.T, work, tree)
		git("add", "-A", ".")
		trees = append(trees, strings.TrimSpace(git("write-tree")))
	}
	return git("diff", "-M", trees[0], trees[1])
}

func putTree(t *testing.T, dir string, tree map[string]string) {
	t.Helper()
	must(t, os.MkdirAll(dir, 0o755))
	for name, text := range tree {
		path := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
}

// damages are what is done to a patch, or to the folder.
var damages = []struct {
	name string
	do   func(*mutation)
}{
	{"as it is", func(*mutation) {}},
	{"lines added before", func(m *mutation) {
		m.file(func(text string) string { return strings.Repeat("shift\n", 1+m.IntN(5)) + text })
	}},
	{"a line of a file changed", func(m *mutation) {
		m.file(func(text string) string { return m.line(text, func(string) string { return "other\n" }) })
	}},
	{"a line of a file dropped", func(m *mutation) {
		m.file(func(text string) string { return m.line(text, func(string) string { return "" }) })
	}},
	{"a file twice as long", func(m *mutation) { m.file(func(text string) string { return text + text }) }},
	{"a file without its last line end", func(m *mutation) { m.file(func(text string) string { return strings.TrimSuffix(text, "\n") }) }},
	{"a file is gone", func(m *mutation) { delete(m.before, m.name()) }},
	{"the new file is there", func(m *mutation) { m.before["new/f.txt"] = "mine\n" }},
	{"a file is where a folder should be", func(m *mutation) { m.before["new"] = "mine\n" }},
	{"a line of the patch dropped", func(m *mutation) { m.patch = m.line(m.patch, func(string) string { return "" }) }},
	{"a line of the patch twice", func(m *mutation) { m.patch = m.line(m.patch, func(l string) string { return l + l }) }},
	{"a line of the patch changed", func(m *mutation) {
		m.patch = m.line(m.patch, func(l string) string { return strings.TrimSuffix(l, "\n") + "x\n" })
	}},
	{"a sign of the patch changed", func(m *mutation) {
		m.patch = m.line(m.patch, func(l string) string { return string(" +-"[m.IntN(3)]) + l[1:] })
	}},
	{"two lines of the patch swapped", func(m *mutation) {
		all := strings.SplitAfter(m.patch, "\n")
		i := m.IntN(len(all) - 1)
		all[i], all[i+1] = all[i+1], all[i]
		m.patch = strings.Join(all, "")
	}},
	{"cut short", func(m *mutation) { m.patch = m.patch[:len(m.patch)*(1+m.IntN(4))/5] }},
	{"another name", func(m *mutation) { m.patch = strings.Replace(m.patch, m.name(), m.name(), 1) }},
	{"the patch twice", func(m *mutation) { m.patch += m.patch }},
	{"a file changes after it was shown", func(m *mutation) {
		m.meddle = func(tree map[string]string) { tree[m.name()] = "mine\n" }
	}},
	{"the new file comes after it was shown", func(m *mutation) {
		m.meddle = func(tree map[string]string) { tree["new/f.txt"] = "mine\n" }
	}},
	{"a file changes while it is written", func(m *mutation) {
		m.late, m.meddle = true, func(tree map[string]string) { tree[m.name()] += "mine\n" }
	}},
	{"the new file comes while it is written", func(m *mutation) {
		m.late, m.meddle = true, func(tree map[string]string) { tree["new/f.txt"] = "mine\n" }
	}},
}

// name is one of the files that there are.
func (m *mutation) name() string {
	names := slices.Sorted(maps.Keys(m.before))
	return names[m.IntN(len(names))]
}

func (m *mutation) file(change func(string) string) {
	name := m.name()
	m.before[name] = change(m.before[name])
}

// line changes one line of a text.
func (m *mutation) line(text string, change func(string) string) string {
	all := strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
	i := m.IntN(len(all))
	all[i] = change(strings.TrimSuffix(all[i], "\n") + "\n")
	return strings.Join(all, "")
}

// apply shows the patch and does it, as a worker does.
func (m *mutation) apply(d *desk) error {
	tool := d.tools["apply_patch"]
	call := args{"patch": m.patch}
	invocation := func() rein.Invocation {
		raw, err := json.Marshal(call)
		must(m.T, err)
		return rein.Invocation{Run: "r", Step: "1", Key: "r:1", Args: raw, Reach: policy(m.T, reach.Options{Root: d.dir})}
	}
	shown, err := tool.Show(d.Context(), invocation())
	if err != nil {
		m.meddle = nil
		return err
	}
	call["shown"] = shown.Pin["shown"]
	meddle := func() {
		m.meddle(m.before)
		putTree(m.T, d.dir, m.before)
	}
	switch {
	case m.late:
		d.kept.onKeep = meddle
	case m.meddle != nil:
		meddle()
	}
	_, err = tool.Do(d.Context(), invocation())
	return err
}

// left is what the folder holds if nothing was done.
func (m *mutation) left() string { return shownTree(m.before) }

func shownTree(tree map[string]string) string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		all = append(all, fmt.Sprintf("%s=%q", name, tree[name]))
	}
	return strings.Join(all, " ")
}

// isWhole reports whether all of the patch was done: in one of the ways in which its lines fit, and for most diffs as git
// does it, which refuses some that have a damaged head.
func (m *mutation) isWhole(got string) bool {
	if !slices.ContainsFunc(m.ways(), func(tree map[string]string) bool { return shownTree(tree) == got }) {
		return false
	}
	if m.isV4A {
		return true
	}
	dir := m.TempDir()
	putTree(m.T, dir, m.before)
	cmd := exec.Command("git", "apply", "--whitespace=nowarn", "-p1", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(m.patch)
	cmd.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	return cmd.Run() != nil || (&desk{T: m.T, dir: dir}).disk() == got
}

// ways are all folders that a patch can mean, by a reading that is as simple as can be.
func (m *mutation) ways() []map[string]string {
	all := []map[string]string{maps.Clone(m.before)}
	text := m.patch
	if !m.isV4A {
		text = asV4A(text)
	}
	body, _, _ := strings.Cut(strings.TrimPrefix(text, "*** Begin Patch\n"), "*** End Patch")
	body = strings.ReplaceAll(body, "\n*** Move to: ", "\nMove to: ") // it belongs to the section before it
	for _, section := range strings.Split("\n"+body, "\n*** ")[1:] {
		head, rest, _ := strings.Cut(section, "\n")
		kind, name, _ := strings.Cut(head, ": ")
		var next []map[string]string
		for _, tree := range all {
			next = append(next, done(tree, kind, name, lines(rest))...)
		}
		all = next
	}
	return all
}

// asV4A writes a diff in the other form.
func asV4A(diff string) string {
	var b strings.Builder
	for _, section := range strings.Split("\n"+diff, "\ndiff --git ")[1:] {
		head, body, hasHunks := strings.Cut(strings.TrimRight(section, "\n"), "\n@@")
		said := map[string]string{}
		for _, l := range lines(head) {
			for _, key := range []string{"--- ", "+++ ", "rename from ", "rename to ", "new file", "deleted file"} {
				if value, ok := strings.CutPrefix(l, key); ok {
					said[key] = value
				}
			}
		}
		from, to := strings.TrimPrefix(said["--- "], "a/"), strings.TrimPrefix(said["+++ "], "b/")
		switch {
		case to == "/dev/null":
			b.WriteString("*** Delete File: " + from + "\n")
			continue
		case from == "/dev/null":
			b.WriteString("*** Add File: " + to + "\n")
			_, body, _ = strings.Cut(body, "\n")
			hasHunks = false
			b.WriteString(body + "\n")
			continue
		case from == "":
			from = said["rename from "]
		}
		b.WriteString("*** Update File: " + from + "\n")
		if to := said["rename to "]; to != "" {
			b.WriteString("*** Move to: " + to + "\n")
		}
		if hasHunks {
			b.WriteString("@@" + body + "\n")
		}
	}
	return b.String()
}

// done makes one section of a patch in a folder, in each way in which it fits.
func done(before map[string]string, kind, name string, body []string) (all []map[string]string) {
	with := func(name, to, text string) {
		tree := maps.Clone(before)
		if delete(tree, name); to != "" {
			tree[to] = text
		}
		all = append(all, tree)
	}
	switch kind {
	case "Delete File":
		with(name, "", "")
	case "Add File":
		text := ""
		for _, l := range body {
			text += strings.TrimPrefix(l, "+") + "\n"
		}
		with(name, name, text)
	case "Update File":
		to := name
		if len(body) > 0 && strings.HasPrefix(body[0], "Move to: ") {
			to, body = strings.TrimPrefix(body[0], "Move to: "), body[1:]
		}
		end := ""
		if strings.HasSuffix(before[name], "\n") {
			end = "\n"
		}
		for _, fitted := range fit(lines(before[name]), hunks(body)) {
			with(name, to, strings.Join(fitted, "\n")+end)
		}
	}
	return all
}

// hunks are the lines that each hunk removes, and those that it puts in their place.
func hunks(body []string) (all [][2][]string) {
	for i, l := range body {
		if i == 0 || strings.HasPrefix(l, "@@") {
			all = append(all, [2][]string{})
		}
		h := &all[len(all)-1]
		switch {
		case l == "" || l[0] == ' ':
			h[0], h[1] = append(h[0], strings.TrimPrefix(l, " ")), append(h[1], strings.TrimPrefix(l, " "))
		case l[0] == '-':
			h[0] = append(h[0], l[1:])
		case l[0] == '+':
			h[1] = append(h[1], l[1:])
		}
	}
	return all
}

// fit puts hunks into lines, one after the other, in all ways.
func fit(text []string, hunks [][2][]string) (all [][]string) {
	if len(hunks) == 0 {
		return [][]string{text}
	}
	old, new := hunks[0][0], hunks[0][1]
	for at := 0; at+len(old) <= len(text); at++ {
		if !slices.Equal(text[at:at+len(old)], old) {
			continue
		}
		for _, rest := range fit(text[at+len(old):], hunks[1:]) {
			all = append(all, slices.Concat(text[:at], new, rest))
		}
	}
	return all
}
