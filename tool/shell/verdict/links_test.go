package verdict_test

import (
	"os"
	"path/filepath"
	"testing"

	"rein"
	"rein/tool/shell/verdict"
)

// A path is what its links lead to, for rules, for redirections and for reading.
func TestLinks(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{".git/hooks", "out", "src", "deep/er"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"out/h": "../.git/hooks", "out/new": "../.git/hooks/pre-commit", "out/s": "../src", "etc": "/etc", "inner": "src", "out/loop": "loop", "far": "deep/er", "rc": ".bashrc",
	} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	p := verdict.Policy{Root: root, Disk: verdict.OS{}}
	p.Rules = []verdict.Rule{rule(t, "allow > out/..."), rule(t, "allow cp x out/..."), rule(t, "allow cp * *"), rule(t, "allow touch rc"), rule(t, "deny rm src/..."), rule(t, "allow rm *")}
	for line, want := range map[string]rein.Verdict{
		"> out/x": rein.Allowed, "> out/a/b": rein.Allowed, "> out/h/pre-commit": rein.MustAsk, "> out/new": rein.MustAsk, "> out/s/x": rein.MustAsk, "> out/loop": rein.MustAsk, "cd out && > x": rein.Allowed,
		"cp x out/y": rein.Allowed, "cp x out/h/y": rein.MustAsk, "cp x rc": rein.MustAsk, "touch rc": rein.MustAsk, "cp etc/passwd x": rein.MustAsk, "cp inner/x y": rein.Allowed,
		"cat inner/x": rein.Allowed, "cat etc/passwd": rein.MustAsk, "cat < etc/passwd": rein.MustAsk, "cd etc && ls": rein.MustAsk, "cd inner && cat x": rein.Allowed,
		"cd out/h && > x": rein.MustAsk, "cd far && cat ../../x": rein.Allowed, "cd far && cat ../../../x": rein.MustAsk, "cat far/../../../x": rein.MustAsk,
		"rm inner/x": rein.Denied, "rm y": rein.Allowed,
	} {
		if j := p.Judge(line); j.Verdict != want {
			t.Errorf("%q is %s, want %s: %s", line, verdict.Word(j.Verdict), verdict.Word(want), j.Explain())
		}
	}
	if f := p.Judge("mv a out/s/x").Findings[0]; f.Always != "mv a out/s/x" {
		t.Errorf("through a link, %q would be allowed for good", f.Always)
	}
}

// Git looks for a repository from the folder that a link leads to.
func TestGitBehindALink(t *testing.T) {
	r := newTrap(t)
	r.run("mkdir -p sub/inner && git init -q sub && git -C sub config filter.x.clean evil && ln -s sub/inner link")
	if j := r.policy().Judge("cd link && git status"); j.Verdict != rein.MustAsk {
		t.Error("the settings of the repository that git finds are not looked at")
	}
}
