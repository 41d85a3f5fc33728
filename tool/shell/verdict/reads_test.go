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

// output runs a line with the shell of this machine. What it exits with does not matter.
func output(t *testing.T, dir, line string) string {
	t.Helper()
	shell, ok := parse.FindShell()
	if !ok {
		t.Skip("there is no shell")
	}
	argv := shell.Argv(line)
	cmd := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, parse.Environ(os.Environ())
	out, _ := cmd.CombinedOutput()
	return string(out)
}

// Lines that really read something outside the workspace, or a file with secrets, are asked about. Lines that look like them
// and stay inside are not.
//
// Attack: 75
func TestNothingElseIsRead(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		outside + "/OUTSIDE.txt": "OUTSIDE", root + "/src/a.go": "a", root + "/src/b.yaml": "b", root + "/conf/app.yaml": "app", root + "/conf/secrets.yaml": "OUTSIDE", root + "/keys/id_rsa": "OUTSIDE",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{"linked/dir": outside, "linked/file": outside + "/OUTSIDE.txt", "linked/in": "../src"} {
		if err := os.MkdirAll(filepath.Join(root, "linked"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			t.Fatal(err)
		}
	}
	p := verdict.Policy{Root: root, Disk: verdict.OS{}}
	for line, leaks := range map[string]bool{
		"grep -R SIDE .": true, "grep -nR SIDE linked": true, "grep -r SIDE linked": false, "rg -L SIDE linked": true, "rg SIDE linked": false,
		"find -L linked": true, "find linked -follow": true, "find -H linked": false, "find linked": false, "ls -LR linked": true, "ls -R linked": false,
		"du -aLl linked": true, "tree -l linked": true, "tree -i src": false, "diff -rN src linked": true, "diff src linked/dir": true, "diff src/a.go src/b.yaml": false,
		"cat linked/f*": true, "cat linked/?ile": true, "cat linked/[f]ile": true, "ls linked/d*/": true, "cat ./*/*.txt ./*/*/*.txt": true, "cat linked/i*/*.go": false, "cat src/*": false,
		"cat conf/*": true, "cat ./conf/*.yaml": true, "cat src/*.yaml": false, "cat conf/a*": false, "head ./*/*": true, "cd keys && cat ./*": true,
	} {
		if name, _, _ := strings.Cut(line, " "); name == "rg" || name == "tree" {
			if _, err := exec.LookPath(name); err != nil {
				t.Logf("%s is not installed", name)
				leaks = false
			}
		}
		j := p.Judge(line)
		switch got := strings.Contains(output(t, root, j.Run), "OUTSIDE"); {
		case got && j.Verdict == rein.Allowed:
			t.Errorf("%q is allowed, and reads what is elsewhere", line)
		case got != leaks:
			t.Errorf("%q: reads what is elsewhere: %v", line, got)
		case !leaks && j.Verdict != rein.Allowed && !strings.Contains(line, " -L ") && !strings.Contains(line, " -l "):
			t.Errorf("%q: %s", line, j.Explain())
		}
	}
}

// Git ignores a .git that is not one for it, and obeys the repository above. So does the verdict, by asking.
//
// Attack: 75
func TestGitThatGitRejects(t *testing.T) {
	for name, set := range map[string]string{
		"no objects": "rm -r sub/.git/objects", "no refs": "rm -r sub/.git/refs", "a HEAD of something else": "echo x > sub/.git/HEAD", "no HEAD": "rm sub/.git/HEAD",
		"a HEAD that leads elsewhere": "mv sub/.git/HEAD sub/.git/h && ln -s h sub/.git/HEAD", "objects that are a file": "rm -r sub/.git/objects && touch sub/.git/objects", "nothing": "rm -r sub/.git/*",
		"commondir": "mkdir sub/.git/other && echo other > sub/.git/commondir",
	} {
		r := newTrap(t)
		r.run("git init -q sub && git config filter.x.clean evil")
		p := verdict.Policy{Root: filepath.Join(r.dir, "sub"), Disk: verdict.OS{}}
		if j := p.Judge("git status"); j.Verdict != rein.Allowed {
			t.Fatal(j.Explain())
		}
		r.run(set)
		if top := strings.TrimSpace(output(t, p.Root, "git rev-parse --show-toplevel")); filepath.Base(top) == "sub" {
			t.Errorf("%s: git obeys %s: the test tests nothing", name, top)
		}
		if j := p.Judge("git status"); j.Verdict != rein.MustAsk || !strings.Contains(j.Explain(), "may not take its .git for a repository") {
			t.Errorf("%s: %v %s", name, j.Verdict, j.Explain())
		}
	}
	r := newTrap(t)
	r.run("git init -q sub && chmod 000 sub/.git/objects")
	if j := (verdict.Policy{Root: filepath.Join(r.dir, "sub"), Disk: verdict.OS{}}).Judge("git status"); j.Verdict != rein.MustAsk {
		t.Error("objects that nobody can enter:", j.Verdict)
	}
}

// Without a disk, what a glob could find counts.
func TestGlobsWithoutDisk(t *testing.T) {
	for line, want := range map[string]rein.Verdict{"cat ./id_rs?": rein.MustAsk, "cat conf/s*": rein.MustAsk, "cat src/*.k*": rein.MustAsk, "cat ./*.go": rein.Allowed} {
		if j := (verdict.Policy{Root: "/work/project"}).Judge(line); j.Verdict != want {
			t.Errorf("%q: %s %s", line, verdict.Word(j.Verdict), j.Explain())
		}
	}
}

// Files that programs and agents obey are asked about when they are written, and may be read.
func TestObeyedFiles(t *testing.T) {
	for name := range strings.FieldsSeq(`.mcp.json .cargo/config.toml .mise.toml .yarnrc.yml lefthook.yml .dir-locals.el .zed/tasks.json .circleci/config.yml .gitea/workflows/x.yml
		.travis.yml Jenkinsfile .bazelrc .Rprofile opencode.json .crush.json .windsurfrules sub/.cargo/config.toml .github/workflows/x.yml rein.toml sub/AGENTS.md .husky/x`) {
		if verdict.Hazard(name, true) == "" || verdict.Hazard(name, false) != "" {
			t.Errorf("%s: %q %q", name, verdict.Hazard(name, true), verdict.Hazard(name, false))
		}
	}
	for name, want := range map[string]bool{".cargo/config.toml": true, "sub/.cargo/config.toml": true, "config.toml": false, "jenkinsfile": true, "Jenkinsfile": true, ".husky": true, "main.go": false, "a/.envrc": true, ".env": false} {
		if verdict.Obeyed(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	for name, want := range map[string]bool{".env": true, "a/.env.local": true, "x.pem": true, "a/.ssh": true, "secrets.yaml": true, "secrets.go": false, "main.go": false, ".cargo/credentials.toml": true} {
		if verdict.Secret(name) != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	if why := verdict.Hazard(".envrc", true); !strings.Contains(why, "runs it later") {
		t.Error(why)
	}
	for _, name := range []string{".envrc", ".cargo/credentials.toml", ".cargo/credentials"} {
		if why := verdict.Hazard(name, false); !strings.Contains(why, "keys") {
			t.Error(name, why)
		}
	}
}
