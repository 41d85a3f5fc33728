package shell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/engine/guard"
	"rein/tool/reach"
	"rein/tool/shell"
)

// A command that nobody approved changes nothing that git runs, whatever it does to the folders around it.
//
// Attack: 75
func TestFence(t *testing.T) {
	for _, command := range []string{
		"echo x > .git/hooks/pre-commit", "echo x >> .git/config", "rm -rf .git/hooks", "mv .git g && cp -r g .git && echo x > .git/hooks/pre-commit",
		"mv .git/hooks h && mkdir .git/hooks", "sh -c 'cd .git && echo x > hooks/pre-commit'",
		"echo /tmp > .git/commondir", "mv .git g",
	} {
		r := newRig(t)
		r.write(".git/config", "[core]\n")
		r.write(".git/hooks/keep", "")
		if text, ran := r.run(line(command)); ran.Exit == 0 {
			t.Errorf("%s: %s", command, text)
		}
		config, _ := os.ReadFile(filepath.Join(r.root, ".git/config"))
		if hooks, err := os.ReadDir(filepath.Join(r.root, ".git/hooks")); err != nil || len(hooks) != 1 || string(config) != "[core]\n" {
			t.Errorf("%s: %v %v %q", command, hooks, err, config)
		}
	}
}

// What a person approved, once or with a rule, can change it.
func TestFenceOpens(t *testing.T) {
	r := newRig(t)
	r.write(".git/config", "[core]\n")
	r.write(".git/hooks/keep", "")
	a := line("./hook.sh")
	r.write("hook.sh", "#!/bin/sh\necho x > .git/hooks/pre-commit")
	if err := os.Chmod(filepath.Join(r.root, "hook.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, ran := r.run(a); ran.Exit == 0 {
		t.Error("a hook that was not there can be made")
	}
	r.approved = true
	if text, ran := r.run(a); ran.Exit != 0 {
		t.Error(text)
	}
	r.approved = false
	r.rules("allow ./hook.sh")
	if text, ran := r.run(a); ran.Exit != 0 {
		t.Error(text)
	}
}

// No mode lets through what a rule asks about, nor what writes a file that runs or is obeyed later.
//
// Attack: 55
func TestLooseLinesAreNotContained(t *testing.T) {
	r := newRig(t)
	r.rules("ask rm ...")
	for command, contained := range map[string]bool{
		"make": true, "echo x > out": true, "make > /dev/null": true, "cat AGENTS.md && make": true,
		"git commit -m x": false, "git add . && make": false,
		"rm x": false, "make && rm x": false, "echo x > .git/hooks/pre-commit": false, "cp x .envrc": false, "tee AGENTS.md": false,
		"echo x > docs/CLAUDE.md": false, "go build -o=.husky/pre-commit": false, "cp x " + r.root + "/.bashrc": false,
	} {
		if got := r.shown(line(command)).Ruling.Contained; got != contained {
			t.Errorf("%s: contained is %v", command, got)
		}
	}
}

// What was allowed for the session is what was shown: an ask rule still asks, and the background is something else.
//
// Attack: 79
func TestSessionGrantIsExact(t *testing.T) {
	r := newRig(t)
	r.options.Jobs = shell.NewJobs(t.TempDir(), nil)
	a := map[string]any{"command": "python3 x.py", "network": true}
	r.granted = rein.Granted{Session: r.shown(a).Ruling.Session}
	if got := r.shown(a).Ruling.Verdict; got != rein.Allowed {
		t.Error("a grant does not hold:", got)
	}
	for _, more := range []string{"background", "timeout"} {
		b := map[string]any{"command": "python3 x.py", "network": true, more: map[string]any{"background": true, "timeout": 500}[more]}
		if got := r.shown(b).Ruling; got.Verdict != rein.MustAsk {
			t.Errorf("with %s: %+v", more, got)
		}
	}
	r.rules("ask python3 ...")
	if got := r.shown(a).Ruling; got.Verdict != rein.MustAsk || len(got.Session) > 0 {
		t.Errorf("with a rule that asks: %+v", got)
	}
}

// Excluded notes stay hidden in a folder that was granted.
func TestGrantedFolderHidesNotes(t *testing.T) {
	r := newRig(t)
	base := t.TempDir()
	private := filepath.Join(base, "vault", "Private")
	if err := os.MkdirAll(private, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(private, "x.md"), []byte("EXCLUDED"), 0o644); err != nil {
		t.Fatal(err)
	}
	r.reaches(reach.Options{Household: "home", Root: r.root, Vault: filepath.Join(base, "vault"), Exclude: []string{"Private"}})
	if text, _ := r.run(map[string]any{"command": "cat " + private + "/x.md", "read": []string{base}}); strings.Contains(text, "EXCLUDED\n") || strings.HasSuffix(text, "EXCLUDED") {
		t.Error(text)
	}
}

// Secrets are neither in what is kept of a command nor in a line that was cut inside of one.
func TestSecretsOfCommandsAndLongLines(t *testing.T) {
	r := newRig(t)
	redactor, err := guard.NewRedactor(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir, token := t.TempDir(), "ghp_"+strings.Repeat("a1B2", 9)
	r.options.Jobs = shell.NewJobs(dir, func() shell.Filter { return redactor.Stream() })
	r.run(map[string]any{"command": "echo " + token, "background": true})
	if err := r.options.Jobs.Close(); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil || len(kept) != 1 {
		t.Fatal(kept, err)
	}
	if data, err := os.ReadFile(kept[0]); err != nil || strings.Contains(string(data), token) {
		t.Errorf("%s %v", data, err)
	}
	r.write("log", strings.Repeat("x", 1970)+" "+token+"\n")
	monitor, err := shell.New(r.options).MonitorLog()
	if err != nil {
		t.Fatal(err)
	}
	done, err := monitor.Do(t.Context(), r.invocation(map[string]any{"path": "log", "action": "tail", "lines": 10}))
	if err != nil || strings.Contains(done.Text, token[:16]) {
		t.Errorf("%v %.200s", err, done.Text[max(0, len(done.Text)-100):])
	}
}

// A program of the workspace is not taken for the system's, though PATH names its folder.
func TestJournalIsTheSystems(t *testing.T) {
	r := newRig(t)
	r.settings.Journal = true
	r.write("bin/journalctl", "#!/bin/sh\necho HOSTILE\n")
	if err := os.Chmod(filepath.Join(r.root, "bin/journalctl"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Join(r.root, "bin")+":"+os.Getenv("PATH"))
	monitor, err := shell.New(r.options).MonitorLog()
	if err != nil {
		t.Fatal(err)
	}
	if done, _ := monitor.Do(t.Context(), r.invocation(map[string]any{"journal": "*", "action": "tail"})); strings.Contains(done.Text, "HOSTILE") {
		t.Error(done.Text)
	}
}
