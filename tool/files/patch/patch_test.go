package patch_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/tool/files/patch"
)

// folder is a folder of files as texts.
type folder map[string]string

// apply returns the folder after a patch.
func (f folder) apply(text string) (folder, error) {
	files, err := patch.Parse(text)
	if err != nil {
		return nil, err
	}
	changes, err := patch.Apply(files, func(name string) ([]byte, error) {
		if text, ok := f[name]; ok {
			return []byte(text), nil
		}
		return nil, nil
	})
	if err != nil {
		return nil, err
	}
	after := folder{}
	for name, text := range f {
		after[name] = text
	}
	for _, c := range changes {
		if delete(after, c.Path); c.After != nil {
			after[c.Path] = string(c.After)
		}
	}
	return after, nil
}

func begin(lines ...string) string {
	return "*** Begin Patch\n" + strings.Join(lines, "\n") + "\n*** End Patch\n"
}

func TestV4A(t *testing.T) {
	source := "package a\n\nfunc one() {\n\treturn 1\n}\n\nfunc two() {\n\treturn 1\n}\n"
	for _, c := range []struct {
		name, patch  string
		before, want folder
	}{
		{
			"a header tells which", begin("*** Update File: a.go", "@@ func two()", "-\treturn 1", "+\treturn 2"),
			folder{"a.go": source},
			folder{"a.go": strings.Replace(source, "two() {\n\treturn 1", "two() {\n\treturn 2", 1)},
		},
		{
			"the first of two, by its block", begin("*** Update File: a.go", "@@ func one()", "-\treturn 1", "+\treturn 2"),
			folder{"a.go": source},
			folder{"a.go": strings.Replace(source, "return 1", "return 2", 1)},
		},
		{
			"headers in headers, and two hunks", begin("*** Update File: a", "@@ class B", "@@ def x", "-  1", "+  2", "@@ def y", "   3", "+  4"),
			folder{"a": "class A\n def x\n  1\nclass B\n def x\n  1\n def y\n  3\n"},
			folder{"a": "class A\n def x\n  1\nclass B\n def x\n  2\n def y\n  3\n  4\n"},
		},
		{
			"headings have no blocks", begin("*** Update File: a", "@@ ## Two", "-same", "+other"),
			folder{"a": "## One\nsame\n## Two\nsame\n"},
			folder{"a": "## One\nsame\n## Two\nother\n"},
		},
		{
			"add, delete, move", begin("*** Add File: n/new", "+1", "+", "+2", "*** Delete File: old", "*** Update File: a", "*** Move to: b", "@@", "-x", "+y"),
			folder{"old": "1", "a": "x\n"},
			folder{"n/new": "1\n\n2\n", "b": "y\n"},
		},
		{"only a move", begin("*** Update File: a", "*** Move to: b"), folder{"a": "x\x00\xff"}, folder{"b": "x\x00\xff"}},
		{"the end of the file", begin("*** Update File: a", "@@", " x", "+y", "*** End of File"), folder{"a": "x\nx\n"}, folder{"a": "x\nx\ny\n"}},
		{"nothing but new lines, at the end", begin("*** Update File: a", "@@", "+y", "*** End of File"), folder{"a": "x\n"}, folder{"a": "x\ny\n"}},
		{"CR LF stays", begin("*** Update File: a", " x", "-y", "+z", "+z"), folder{"a": "\ufeffx\r\ny\r\n"}, folder{"a": "\ufeffx\r\nz\r\nz\r\n"}},
		{"no newline at the end stays", begin("*** Update File: a", " x", "-y", "+z"), folder{"a": "x\ny"}, folder{"a": "x\nz"}},
		{"CR LF without one at the end", begin("*** Update File: a", " x", " y", "+z"), folder{"a": "x\r\ny"}, folder{"a": "x\r\ny\r\nz"}},
		{"an empty context line lost its space", begin("*** Update File: a", " x", "", "-y", "+z"), folder{"a": "x\n\ny\n"}, folder{"a": "x\n\nz\n"}},
		{"CR LF in all of the patch", strings.ReplaceAll(begin("*** Update File: a", "-x", "+y", "*** Add File: b", "+1"), "\n", "\r\n"), folder{"a": "x\n"}, folder{"a": "y\n", "b": "1\n"}},
	} {
		got, err := c.before.apply(c.patch)
		if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%s: %v\ngot  %q\nwant %q", c.name, err, got, c.want)
		}
	}
}

// Every refusal says where it is, and what was expected.
func TestRefused(t *testing.T) {
	have := folder{"a": "x\ny\nx\ny\n", "b": "1\n2\n3\n4\n5\n6\n7\n8\n9\n", "bin": "\xff\n", "open": "1\n2", "rep": "x\ny\nz\nx\ny\nz\n"}
	unified := func(path, hunks string) string { return "--- a/" + path + "\n+++ b/" + path + "\n" + hunks }
	for name, c := range map[string]struct {
		patch string
		code  rein.Code
		words []string
	}{
		"nothing":          {"", rein.CodeInvalid, []string{"this is no patch"}},
		"prose":            {"Please change the file.", rein.CodeInvalid, []string{"this is no patch"}},
		"not text":         {"\xff", rein.CodeInvalid, []string{"not UTF-8"}},
		"too long":         {strings.Repeat("x", 5<<20), rein.CodeLimit, []string{"at most 4 MiB"}},
		"no end":           {"*** Begin Patch\n*** Delete File: a\n", rein.CodeInvalid, []string{"line 3", "*** End Patch"}},
		"after the end":    {begin("*** Delete File: a") + "more\n", rein.CodeInvalid, []string{"line 4", `"more"`}},
		"no file":          {"*** Begin Patch\n*** End Patch\n", rein.CodeInvalid, []string{"changes no file"}},
		"bad line":         {begin("*** Update File: a", "@@", "x"), rein.CodeInvalid, []string{"line 4", `"x"`}},
		"bad new line":     {begin("*** Add File: n", "x"), rein.CodeInvalid, []string{"line 3", "begins with +"}},
		"no change":        {begin("*** Update File: a", "@@", " x"), rein.CodeInvalid, []string{"changes nothing"}},
		"empty update":     {begin("*** Update File: a"), rein.CodeInvalid, []string{"nothing is changed"}},
		"two places":       {begin("*** Update File: a", "@@", "-x", "+z"), rein.CodeConflict, []string{`"a", hunk 1 (line 3 of the patch`, "2 places (lines 1, 3)"}},
		"no such scope":    {begin("*** Update File: a", "@@ func z", "-x", "+z"), rein.CodeConflict, []string{"begins with", `"func z"`}},
		"not there":        {begin("*** Update File: b", "@@", " 4", "-7", "+z"), rein.CodeConflict, []string{"line 5 of the file is expected to be \"7\" and is \"5\""}},
		"no context":       {begin("*** Update File: a", "@@", "+z"), rein.CodeConflict, []string{"no line of context"}},
		"exists":           {begin("*** Add File: a", "+z"), rein.CodeConflict, []string{"exists already"}},
		"missing":          {begin("*** Update File: none", "@@", "-x", "+z"), rein.CodeNotFound, []string{"does not exist"}},
		"moved onto":       {begin("*** Update File: a", "*** Move to: b"), rein.CodeConflict, []string{`"b" exists already`}},
		"twice":            {begin("*** Delete File: a", "*** Delete File: a"), rein.CodeInvalid, []string{"line 3", "named twice"}},
		"binary":           {begin("*** Update File: bin", "-x", "+z"), rein.CodeInvalid, []string{"not UTF-8"}},
		"git binary":       {"diff --git a/a b/a\nindex 1..2\nBinary files a/a and b/a differ\n", rein.CodeInvalid, []string{"binary"}},
		"copy":             {"diff --git a/a b/c\ncopy from a\ncopy to c\n", rein.CodeInvalid, []string{"copies a file"}},
		"link":             {"diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n", rein.CodeInvalid, []string{"120000"}},
		"two names":        {"--- a/a\n+++ b/b\n@@ -1 +1 @@\n-x\n+y\n", rein.CodeInvalid, []string{"same path for both"}},
		"hunk before":      {"@@ -1 +1 @@\n-x\n+y\n", rein.CodeInvalid, []string{"line 1", "name its file"}},
		"too few lines":    {unified("b", "@@ -1,4 +1,4 @@\n-1\n+x\n 2\n"), rein.CodeInvalid, []string{"line 7", "than its header says"}},
		"too many lines":   {unified("b", "@@ -1,2 +1,2 @@\n-1\n+x\n 2\n 3\n"), rein.CodeInvalid, []string{"line 7", "more lines than its header says"}},
		"bad header":       {unified("b", "@@ 1,2 @@\n-1\n+x\n"), rein.CodeInvalid, []string{"line 3", "no header of a hunk"}},
		"another line":     {unified("b", "@@ -4,3 +4,3 @@\n 4\n-x\n+y\n 6\n"), rein.CodeConflict, []string{`"b", hunk 1 (line 3`, `line 5 of the file is expected to be "x" and is "5"`}},
		"beyond the end":   {unified("b", "@@ -40,3 +40,3 @@\n 4\n-x\n+y\n 6\n"), rein.CodeConflict, []string{"the file has 9 lines"}},
		"newline":          {unified("open", "@@ -1,2 +1,2 @@\n 1\n-2\n+3\n"), rein.CodeConflict, []string{`"2" and is "2" without a newline`}},
		"swapped":          {unified("b", "@@ -7,3 +7,3 @@\n-7\n+x\n 8\n 9\n@@ -1,3 +1,3 @@\n-1\n+x\n 2\n 3\n"), rein.CodeConflict, []string{"hunk 2", "sort the hunks"}},
		"numbers disagree": {unified("rep", "@@ -1,3 +4,3 @@\n x\n-y\n+w\n z\n"), rein.CodeConflict, []string{"2 places (lines 1, 4)"}},
		"unclosed quotes":  {"--- \"a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n", rein.CodeInvalid, []string{"not closed"}},
		"not removed":      {"--- a/b\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-1\n-2\n", rein.CodeConflict, []string{"hunk 1"}},
		"headers disagree": {"diff --git a/a b/a\nnew file mode 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-x\n+y\n", rein.CodeInvalid, []string{"do not agree"}},
	} {
		got, err := have.apply(c.patch)
		if rein.CodeOf(err) != c.code {
			t.Errorf("%s: %s %v\n%q", name, rein.CodeOf(err), err, got)
			continue
		}
		for _, word := range c.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %v\nwant %q", name, err, word)
			}
		}
	}
}

// No patch names a file outside its folder, or one of git's own.
func TestPaths(t *testing.T) {
	for _, bad := range []string{
		"/etc/passwd", "../x", "a/../../x", "a/../b", "a//b", "a/.", "", ".", "..", `a\b`, `..\x`, `C:/x`, "C:x",
		".git/config", "a/.GIT/hooks/x", ".git", ".git./config", "git~1/config", ".git /x", "a/",
	} {
		for _, text := range []string{
			begin("*** Add File: "+bad, "+x"),
			begin("*** Update File: a", "*** Move to: "+bad, "@@", "-x", "+y"),
			"diff --git a/" + bad + " b/" + bad + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + bad + "\n@@ -0,0 +1 @@\n+x\n",
			"--- /dev/null\n+++ \"b/" + strings.ReplaceAll(bad, `\`, `\\`) + "\"\n@@ -0,0 +1 @@\n+x\n",
		} {
			if bad == "" && strings.Contains(text, "Move to") {
				continue // it does not move
			}
			if got, err := (folder{"a": "x\n"}).apply(text); err == nil {
				t.Errorf("%q became %q by %q", bad, got, text)
			}
		}
	}
	if _, err := patch.Parse("--- /dev/null\n+++ \"b/x\\000y\"\n@@ -0,0 +1 @@\n+x\n"); err == nil {
		t.Error("a NUL byte in a path")
	}
}

// A commit with everything git has headers for comes out as git makes it.
func TestGitDiff(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed: nothing to compare with")
	}
	lines := strings.Repeat("line\n", 3) + "a\nb\nc\nd\ne\n" + strings.Repeat("line\n", 3)
	before := folder{"keep": lines, "moved": lines + "m\n", "gone": "1\n2\n", "empty": "", "mode.sh": "x\n", "with blank": "x\n", "ä\"ö": "x\n", "crlf": "a\r\nb\r\n", "open": "x"}
	after := folder{
		"keep": strings.Replace(lines, "c\n", "C\nCC\n", 1), "to/there": lines + "n\n", "new": "1\n", "none": "", "mode.sh": "x\n",
		"with blank": "y\n", "ä\"ö": "y", "crlf": "a\r\nc\r\n", "open": "x\ny",
	}
	text := gitDiff(t, before, after)
	got, err := before.apply(text)
	if err != nil || fmt.Sprintf("%q", got) != fmt.Sprintf("%q", after) {
		t.Errorf("%v\n%s\ngot  %q\nwant %q", err, text, got, after)
	}
	files, err := patch.Parse(text)
	check(t, err)
	for _, f := range files {
		if (f.Mode == 0o755) != (f.Path == "mode.sh") {
			t.Errorf("%s has mode %o", f.Path, f.Mode)
		}
	}
}

// gitDiff commits one folder, then makes the other of it; mode.sh becomes a program.
func gitDiff(t *testing.T, before, after folder) string {
	dir := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.autocrlf=false"}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.Output()
		check(t, err)
		return string(out)
	}
	write := func(f folder) {
		for name, text := range f {
			path := filepath.Join(dir, name)
			check(t, os.MkdirAll(filepath.Dir(path), 0o755))
			check(t, os.WriteFile(path, []byte(text), 0o644))
		}
	}
	git("init", "-q")
	write(before)
	git("add", "-A")
	git("commit", "-q", "-m", "one\n\n--- not a file\n+++ of the patch")
	for name := range before {
		if _, ok := after[name]; !ok {
			check(t, os.Remove(filepath.Join(dir, name)))
		}
	}
	write(after)
	check(t, os.Chmod(filepath.Join(dir, "mode.sh"), 0o755))
	git("add", "-A")
	git("commit", "-q", "-m", "two")
	return git("format-patch", "--stdout", "-M", "-1")
}

// Whatever the patch, it is an error or the same result twice; nothing panics.
func FuzzApply(f *testing.F) {
	f.Add(begin("*** Update File: a", "@@ x", "-y", "+z", "*** End of File"), "x\ny\n")
	f.Add("diff --git a/a b/a\nold mode 100644\nnew mode 100755\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@ x\n x\n-y\n\\ No newline at end of file\n+z\n", "x\r\ny")
	f.Add("--- /dev/null\n+++ \"b/\\303\\244\"\n@@ -0,0 +1 @@\n+x\n-- \n2.0\n", "")
	f.Fuzz(func(t *testing.T, text, content string) {
		one, err := (folder{"a": content}).apply(text)
		two, again := (folder{"a": content}).apply(text)
		if fmt.Sprint(one, err) != fmt.Sprint(two, again) {
			t.Errorf("%q %v\n%q %v", one, err, two, again)
		}
	})
}
