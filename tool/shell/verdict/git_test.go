package verdict_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/tool/shell/parse"
	"rein/tool/shell/verdict"
)

// A trap is a repository in which everything that git can be made to run leaves a mark.
type trap struct {
	*testing.T
	dir, mark string
}

func newTrap(t *testing.T) *trap {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := &trap{t, t.TempDir(), filepath.Join(t.TempDir(), "mark")}
	r.run("git init -q -b main . && git config user.email a@example.org && git config user.name A")
	r.write("a.txt", "one\n")
	r.run("git add a.txt && git commit -qm first")
	r.write("a.txt", "two\n")
	r.write(".gitattributes", "*.txt diff=evil\n")
	evil := filepath.Join(r.dir, "evil.sh")
	r.write("evil.sh", "#!/bin/sh\necho \"$0 $*\" >> '"+r.mark+"'\n")
	if err := os.Chmod(evil, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "reference-transaction", "pre-auto-gc"} {
		if err := os.MkdirAll(filepath.Join(r.dir, ".git", "hooks"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(evil, filepath.Join(r.dir, ".git", "hooks", hook)); err != nil {
			t.Fatal(err)
		}
	}
	for _, key := range []string{"core.fsmonitor", "core.pager", "pager.log", "pager.status", "pager.diff", "pager.branch", "diff.external", "core.sshCommand", "core.editor", "alias.status", "interactive.diffFilter"} {
		r.run("git config " + key + " " + evil)
	}
	r.run("git config log.showSignature true")
	_ = os.Remove(r.mark)
	return r
}

func (r *trap) write(name, text string) {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, name), []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
}

// run runs a line the way a tool would.
func (r *trap) run(line string) string {
	r.Helper()
	shell, ok := parse.FindShell()
	if !ok {
		r.Skip("there is no shell")
	}
	argv := shell.Argv(line)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir = r.dir
	cmd.Env = append(parse.Environ(os.Environ()), "HOME="+r.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

func (r *trap) marks() string {
	data, _ := os.ReadFile(r.mark)
	_ = os.Remove(r.mark)
	return string(data)
}

func (r *trap) policy() verdict.Policy {
	return verdict.Policy{Root: r.dir, Disk: verdict.OS{}}
}

// Commands of git that are allowed run nothing of the repository's, although plain git would.
//
// Attack: 75
func TestGitRunsNothingOfTheRepository(t *testing.T) {
	r := newTrap(t)
	if r.run("git status >/dev/null; git diff >/dev/null"); r.marks() == "" {
		t.Fatal("the trap is not set: plain git runs nothing")
	}
	for _, line := range []string{
		"git status", "git status -s", "git diff", "git diff --stat", "git log -p", "git log --oneline -1", "git show HEAD", "git branch", "git blame a.txt", "git ls-files -m", "git describe --always",
		"git --no-pager log -n 1", "git grep -n two", "cd . && git status", "git status && git diff | cat", "timeout 10 git status", "echo \"$(git status)\"", "env LANG=C git status", "\"git\" st\"atus\"", "( git status )", "git status \\\n -s",
	} {
		j := r.policy().Judge(line)
		if j.Verdict != rein.Allowed {
			t.Errorf("%q: %s", line, j.Explain())
			continue
		}
		out := r.run(j.Run)
		if marks := r.marks(); marks != "" {
			t.Errorf("%q ran %s", j.Run, marks)
		}
		if strings.Contains(line, "status") && !strings.Contains(out, "a.txt") {
			t.Errorf("%q says %q", j.Run, out)
		}
	}
}

// Settings that the command line cannot override are asked about.
func TestGitSettingsThatCannotBeOverridden(t *testing.T) {
	for _, setting := range []string{
		"filter.x.clean evil", "diff.evil.textconv evil", "diff.evil.command evil", "include.path ../evil", "core.worktree /etc", "gpg.program evil", "remote.x.promisor true", "extensions.partialClone x",
	} {
		r := newTrap(t)
		r.run("git config " + setting)
		j := r.policy().Judge("git status")
		if key, _, _ := strings.Cut(setting, "."); j.Verdict != rein.MustAsk || !strings.Contains(j.Explain(), key) {
			t.Errorf("%s: %v %s", setting, j.Verdict, j.Explain())
		}
	}
}

// Settings that are hidden from a reader who is less exact than git are asked about, and so is all that is not known to be harmless.
func TestGitSettingsThatHide(t *testing.T) {
	r := newTrap(t)
	evil := "[filter \"x\"]\n\tclean = evil\n"
	for name, config := range map[string]string{
		"two headers on a line": "[user] [filter \"x\"] clean = evil\n", "a byte order mark": "\ufeff" + evil, "a value after the header": "[core] worktree = /etc\n",
		"a value that goes on": "[user]\n\tname = a\\\n[user]\\\n\tx\n[core]\n\tworktree = /etc\n", "a header that is a value": "[core]\n\teditor = x\\\n[user]\n\tworktree = /etc\n",
		"an old subsection": "[filter.x]\n\tclean = evil\n", "another blank": "[user]\n\vname = a\n", "nobody knows it": "[core]\n\tnewThing = evil\n", "submodules": "[status]\n\tsubmoduleSummary = true\n",
		"capitals": "[FILTER \"x\"]\r\n\tClean = evil\r\n", "no value": "[include]\n\tpath\n", "no header": "worktree = /etc\n",
	} {
		r.write(".git/config", config)
		if j := r.policy().Judge("git status"); j.Verdict != rein.MustAsk {
			t.Errorf("%s: %v", name, j.Verdict)
		}
	}
	r.write(".git/config", "# a comment \\\n[core]\r\n\tbare = false\r\n\n[remote \"origin\"]\n\turl = https://example.org/x.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n\tremote = origin\n")
	if j := r.policy().Judge("git status"); j.Verdict != rein.Allowed {
		t.Error(j.Explain())
	}
}

// A .git or commondir that names a folder is read as git reads it: a blank at its end counts, and links come before "..".
func TestGitFolderNames(t *testing.T) {
	for name, set := range map[string]string{
		"a blank":          `cp -r gd 'gd ' && git --git-dir='gd ' config filter.x.clean evil && printf 'gitdir: gd \n' > .git`,
		"a link before ..": `mkdir -p other/sub && cp -r gd other/gd && git --git-dir=other/gd config filter.x.clean evil && ln -s other/sub link && printf 'gitdir: link/../gd\n' > .git`,
		"commondir":        `cp -r gd 'c ' && git --git-dir='c ' config filter.x.clean evil && cp -r gd c && printf '../c \n' > gd/commondir && printf 'gitdir: gd\n' > .git`,
	} {
		r := newTrap(t)
		r.run("mv .git gd && " + set)
		if j := r.policy().Judge("git status"); j.Verdict != rein.MustAsk || !strings.Contains(j.Explain(), "filter") {
			t.Errorf("%s: %v %s", name, j.Verdict, j.Explain())
		}
	}
}

// A repository whose HEAD is a link to a branch without commits is one for git, and its settings count. So do those that
// cannot be read.
func TestGitUnbornAndUnreadable(t *testing.T) {
	r := newTrap(t)
	r.run("git config filter.x.clean evil && rm .git/HEAD && ln -s refs/heads/none .git/HEAD && git status >/dev/null")
	if j := r.policy().Judge("git status"); j.Verdict != rein.MustAsk || !strings.Contains(j.Explain(), "filter") {
		t.Errorf("%v %s", j.Verdict, j.Explain())
	}
	r = newTrap(t)
	r.run("mv .git/config .git/real && mkdir .git/config")
	if j := r.policy().Judge("git status"); j.Verdict != rein.MustAsk || !strings.Contains(j.Explain(), "cannot be read") {
		t.Errorf("%v %s", j.Verdict, j.Explain())
	}
}

// Lines that start in a folder of the workspace are judged there; patterns stay those of the workspace.
func TestStartFolder(t *testing.T) {
	allow, err := verdict.ParseRule("allow rm out/...")
	if err != nil {
		t.Fatal(err)
	}
	p := verdict.Policy{Root: "/work/project", Dir: "sub", Rules: []verdict.Rule{allow}}
	for line, want := range map[string]rein.Verdict{
		"cat ../a.txt": rein.Allowed, "cat ../../a.txt": rein.MustAsk, "rm ../out/a": rein.Allowed, "rm out/a": rein.MustAsk,
		"cd ../out && rm a": rein.Allowed, "cd .. && rm out/a": rein.Allowed, "cd /work/project && rm out/a": rein.Allowed, "cat < ../../x": rein.MustAsk,
	} {
		if j := p.Judge(line); j.Verdict != want {
			t.Errorf("%q: %s\n%s", line, verdict.Word(j.Verdict), j.Explain())
		}
	}
	root := p
	root.Dir = ""
	if a, b := p.Judge("rm x").Findings[0], root.Judge("rm x").Findings[0]; a.Session == b.Session {
		t.Error("what is allowed for the session in one folder is spelled as in another")
	}
}

// A folder that looks like a repository, and a .git that points elsewhere, are looked at too.
func TestGitElsewhere(t *testing.T) {
	r := newTrap(t)
	r.run("git init -q --bare inner && git -C inner config core.fsmonitor " + filepath.Join(r.dir, "evil.sh") + " && git worktree add -q ../" + filepath.Base(r.dir) + "-tree")
	t.Cleanup(func() { _ = os.RemoveAll(r.dir + "-tree") })
	_ = os.Remove(r.mark)
	for _, line := range []string{"cd inner && git branch", "cd inner/objects && git branch"} { // older versions of git obey it whatever rein sets
		if j := r.policy().Judge(line); j.Verdict != rein.MustAsk || !strings.Contains(j.Explain(), "looks like a repository") {
			t.Errorf("%s: %v %s", line, j.Verdict, j.Explain())
		}
	}
	tree := verdict.Policy{Root: r.dir + "-tree", Disk: verdict.OS{}}
	if j := tree.Judge("git status"); j.Verdict != rein.Allowed {
		t.Error(j.Explain())
	}
	r.run("git config filter.x.clean evil")
	if j := tree.Judge("git status"); j.Verdict != rein.MustAsk {
		t.Error("the settings that a worktree shares are not looked at")
	}
	if j := (verdict.Policy{Root: r.dir}).Judge("git status"); j.Verdict != rein.MustAsk {
		t.Error("settings that cannot be read are trusted")
	}
}
