package shell_test

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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

// So do repositories in folders of the workspace, and those that a file names. Their folders cannot be moved away.
//
// Attack: 75
func TestFenceNested(t *testing.T) {
	for _, command := range []string{
		"echo x > a/b/.git/hooks/pre-commit", "rm -rf a/b/.git", "mv a/b a/c", "mv a z && mkdir -p a/b/.git/hooks", "mv a/b/.git a/b/g",
		"echo x > tree/real/config", "echo gitdir: x > tree/.git", "rm tree/.git", "mv tree t2", "cd a/b && echo x >> .git/config",
	} {
		r := newRig(t)
		r.write("a/b/.git/config", "[core]\n")
		r.write("a/b/.git/hooks/keep", "")
		r.write("tree/.git", "gitdir: real\n")
		r.write("tree/real/config", "[core]\n")
		r.write("a/b/code.go", "")
		if text, ran := r.run(line(command)); ran.Exit == 0 {
			t.Errorf("%s: %s", command, text)
		}
		for name, want := range map[string]string{"a/b/.git/config": "[core]\n", "a/b/.git/hooks/keep": "", "tree/.git": "gitdir: real\n", "tree/real/config": "[core]\n"} {
			if got, err := os.ReadFile(filepath.Join(r.root, name)); err != nil || string(got) != want {
				t.Errorf("%s: %s is %q %v", command, name, got, err)
			}
		}
	}
	r := newRig(t)
	r.write("a/b/.git/config", "[core]\n")
	if text, ran := r.run(line("echo x > a/b/new && mv a/b/new a/b/newer && mkdir a/b/d && rm -r a/b/d && touch a/x && rm a/x && mv a/b/newer top")); ran.Exit != 0 {
		t.Error("the rest of the folders cannot be written:", text)
	}
}

// A workspace that cannot be fenced is asked about in every mode. Commands that only read run anyway.
func TestUnfenced(t *testing.T) {
	r := newRig(t)
	r.write("real/config", "[core]\n")
	if err := os.Symlink("real", filepath.Join(r.root, ".git")); err != nil {
		t.Fatal(err)
	}
	if got := r.shown(line("touch x")).Ruling; got.Contained || !strings.Contains(got.Why, ".git is a link") {
		t.Errorf("%+v", got)
	}
	if text, ran := r.run(line("ls")); ran.Exit != 0 {
		t.Error(text)
	}
	r.approved = true
	if text, ran := r.run(line("touch x")); ran.Exit != 0 {
		t.Error(text)
	}
}

// What a person approved at the call can change it. What was allowed in advance cannot, because the files that it runs may be
// others by now: neither with a rule, nor for the session, nor beside a command of git.
//
// Attack: 79
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
	network := map[string]any{"command": "./hook.sh", "network": true}
	r.granted.Session = append(r.shown(a).Ruling.Session, r.shown(network).Ruling.Session...)
	for name, a := range map[string]map[string]any{"for the session": a, "for the session, with the network": network} {
		if got := r.shown(a).Ruling.Verdict; got != rein.Allowed {
			t.Fatal(name, got)
		}
		if text, ran := r.run(a); ran.Exit == 0 {
			t.Errorf("what was allowed %s changes what git runs: %s", name, text)
		}
	}
	r.granted.Session = nil
	r.rules("allow ./hook.sh", "allow git add ...", "allow git commit ...")
	if got := r.shown(a).Ruling.Verdict; got != rein.Allowed {
		t.Fatal(got)
	}
	if text, ran := r.run(a); ran.Exit == 0 {
		t.Error("what a rule allows changes what git runs:", text)
	}
	if got := r.shown(line("./hook.sh && git add x")).Ruling; got.Verdict != rein.MustAsk || len(got.Session)+len(got.Always) > 0 || !strings.Contains(got.Why, "in one line with other commands") {
		t.Errorf("%+v", got)
	}
	for _, fine := range []string{"git add hook.sh && git commit -m x", "ls && git add hook.sh"} {
		if got := r.shown(line(fine)).Ruling; got.Verdict != rein.Allowed {
			t.Errorf("%s: %+v", fine, got)
		}
	}
}

// A command that nobody approved can make a file that runs or is obeyed later where there was none, and put one in the place of
// a link. The result says so.
//
// Attack: 75
func TestMadeToBeObeyed(t *testing.T) {
	r := newRig(t)
	r.write("CLAUDE.md", "kept")
	r.write("env/real", "kept")
	r.write("sub/x", "")
	r.write(".github/x", "")
	r.write("make.sh", "cat > .en''vrc </dev/null; mkdir -p sub/.g''it bare/objects bare/refs .gith''ub/workflows node_modules/x/.vsc''ode; touch bare/HEAD; rm AGEN''TS.md; echo evil > AGEN''TS.md; ln -s make.sh .bash''rc")
	for link, to := range map[string]string{"AGENTS.md": "CLAUDE.md", ".zshrc": "env/real", "GEMINI.md": "CLAUDE.md"} {
		if err := os.Symlink(to, filepath.Join(r.root, link)); err != nil {
			t.Fatal(err)
		}
	}
	if text, ran := r.run(line("echo evil > env/re*")); ran.Exit == 0 {
		t.Error("what a link leads to was written:", text)
	}
	text, ran := r.run(line("sh make.sh"))
	if want := []string{".bashrc", ".envrc", ".github/workflows", "AGENTS.md", "bare", "sub/.git"}; !slices.Equal(ran.Obeyed, want) {
		t.Errorf("%v, want %v: %s", ran.Obeyed, want, text)
	}
	r.has(text, "Nobody approved this: it made what a program runs or an agent obeys later: .bashrc, .envrc, .github/workflows, AGENTS.md, bare, sub/.git.")
	if text, ran := r.run(line("touch a.txt")); len(ran.Obeyed) > 0 || strings.Contains(text, "approved") {
		t.Error(text)
	}
	r.approved = true
	if text, ran := r.run(line("touch .zprofile")); len(ran.Obeyed) > 0 || strings.Contains(text, "Nobody") {
		t.Error(text)
	}
}

// No mode lets through what a rule asks about, nor what writes a file that runs or is obeyed later.
//
// Attack: 55
func TestLooseLinesAreNotContained(t *testing.T) {
	r := newRig(t)
	r.rules("ask rmdir ...", "ask rm x")
	for _, name := range []string{".envrc", "rein.toml", ".vscode/tasks.json", ".github/workflows/ci.yml", "sub/x", "a1.txt"} {
		r.write(name, "")
	}
	if err := os.Symlink(".vscode", filepath.Join(r.root, "vs")); err != nil {
		t.Fatal(err)
	}
	if r.shown(map[string]any{"command": "echo evil > pre-commit", "cwd": ".github/workflows"}).Ruling.Contained {
		t.Error("a command in a folder of such files is contained")
	}
	r.options.Jobs = shell.NewJobs(t.TempDir(), nil)
	if r.shown(map[string]any{"command": "make", "background": true}).Ruling.Contained {
		t.Error("a command in the background is contained")
	}
	for command, contained := range map[string]bool{
		"make": true, "echo x > out": true, "make > /dev/null": true, "cat AGENTS.md && make": true,
		"git commit -m x": false, "git add . && make": false,
		"rm x": false, "make && rm x": false, "echo x > .git/hooks/pre-commit": false, "cp x .envrc": false, "tee AGENTS.md": false,
		"x=.envrc; echo evil > $x": false, "x=a; cp a1.txt $x": false, "cp a1.txt -t.vscode": false, "cp a1.txt ./.envr[c]": false, "rm ./rein.tom?": false, "echo evil > vs/tasks.json": false,
		"cp a1.txt vs": false, "cd .github/workflows && echo evil > w.yml": false, "cd vs && make": false, "cp a1.txt /proc/self/cwd/x": false, "touch sub/.cargo/config.toml": false, "jj new": false,
		"cat /proc/meminfo | head -1 && make": true, "cd sub && cp a1.txt b.txt": true, "chmod a+r ./*.txt": true, "x=1; make -j $x": true, "gcc -o out a.c 2> err.log": true, "npm run build": true, "go test ./...": true,
		"echo x > docs/CLAUDE.md": false, "go build -o=.husky/pre-commit": false, "cp x " + r.root + "/.bashrc": false,
	} {
		if got := r.shown(line(command)).Ruling.Contained; got != contained {
			t.Errorf("%s: contained is %v", command, got)
		}
	}
}

// What a rule denies is asked about where a program that runs others may hide it.
//
// Attack: 75
func TestDeniedNamesAreNotContained(t *testing.T) {
	r := newRig(t)
	r.rules("deny touch ...", "deny > out/...", "deny git push ...")
	for command, contained := range map[string]bool{
		`echo "touch x" | sh`: false, "bash <<EOF\ntouch x\nEOF": false, "flock l touch x": false, `env -S "touch x"`: false, `trap "touch x" EXIT`: false,
		`python3 -c "os.system('touch x')"`: false, "ionice /usr/bin/touch x": false, `perl -e 'exec "git", "push"'`: false,
		"touchpad x": true, "./re-touch x": false, "make retouch": true, "make touch_all": true, "make": true, "python3 out.py": true,
	} {
		if got := r.shown(line(command)).Ruling.Contained; got != contained {
			t.Errorf("%s: contained is %v", command, got)
		}
	}
	if got := r.shown(line("make && touch x")).Ruling.Verdict; got != rein.Denied {
		t.Error("what a rule denies is not denied:", got)
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
	if got := r.granted.Session[0]; got != "'python3 x.py' (in "+r.root+", with the network)" {
		t.Error(got)
	}
	r.granted.Session = []string{`{"background":false,"command":"python3 x.py","cwd":"` + r.root + `","network":true,"read":null,"timeout":120,"write":null}`}
	if got := r.shown(a).Ruling.Verdict; got != rein.Allowed {
		t.Error("a grant of an earlier version does not hold:", got)
	}
	plain := map[string]any{"command": "python3 x.py"}
	r.granted = rein.Granted{Session: r.shown(plain).Ruling.Session}
	for _, shorter := range []map[string]any{plain, {"command": "python3 x.py", "timeout": 5}} {
		if got := r.shown(shorter).Ruling; got.Verdict != rein.Allowed {
			t.Errorf("%v: %+v", shorter, got)
		}
	}
	for more, says := range map[string]string{"background": "python3 x.py (in the background)", "timeout": "python3 x.py (for up to 8m20s)"} {
		b := map[string]any{"command": "python3 x.py", more: map[string]any{"background": true, "timeout": 500}[more]}
		if got := r.shown(b).Ruling; got.Verdict != rein.MustAsk || len(got.Session) != 1 || got.Session[0] != says {
			t.Errorf("with %s: %+v", more, got)
		}
	}
	r.granted = rein.Granted{Session: r.shown(a).Ruling.Session}
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
	r.options.Jobs = shell.NewJobs(dir, func(rein.Place) shell.Filter { return redactor.Stream() })
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

// A line that only the list of read-only commands allows finds nothing that it could write, whatever its programs do.
// What a person approved can.
//
// Attack: 75
func TestReadOnlyLinesCannotWrite(t *testing.T) {
	r := newRig(t)
	outside := t.TempDir()
	r.settings.Write = []string{outside}
	r.write("a.txt", "")
	r.write("conf/rein.toml", "")
	r.options.Hidden = []string{filepath.Join(r.root, "conf/rein.toml")}
	for _, path := range []string{"a.txt", ".", "conf", outside} {
		a := line("test -w " + path + " && echo writable")
		if path == outside {
			a = line("cd . && test -w " + path + " && echo writable") // test takes any word
		}
		r.approved = false
		if got := r.shown(a).Ruling.Verdict; got != rein.Allowed {
			t.Fatal(path, got)
		}
		if text, _ := r.run(a); strings.Contains(text, "writable") {
			t.Errorf("%s: %s", path, text)
		}
		r.approved = true
		if text, _ := r.run(a); !strings.Contains(text, "writable") {
			t.Errorf("%s, approved: %s", path, text)
		}
	}
}

// A line that cannot be read is asked about in every mode, and refused where a rule denies something: it may hold just that.
//
// Attack: 55
func TestUnreadableLines(t *testing.T) {
	unreadable := map[string]string{
		"brackets": "rm a # " + strings.Repeat("(", 501), "backquotes": "rm a # " + strings.Repeat("``", 260), "bytes": "rm a # " + strings.Repeat("x", 33<<10),
		"half a line": "make; rm 'a",
	}
	for name, command := range unreadable {
		r := newRig(t)
		if got := r.shown(line(command)).Ruling; got.Contained || got.Verdict != rein.MustAsk {
			t.Errorf("%s: %+v", name, got)
		}
		r.rules("ask rm ...")
		if got := r.shown(line(command)).Ruling; got.Contained || got.Verdict != rein.MustAsk || len(got.Session)+len(got.Always) > 0 {
			t.Errorf("%s, with a rule that asks: %+v", name, got)
		}
		r.rules("deny rm ...")
		if got := r.shown(line(command)).Ruling; got.Verdict != rein.Denied || !strings.Contains(got.Why, "cannot be read") && !strings.Contains(got.Why, "denies") {
			t.Errorf("%s, with a rule that denies: %+v", name, got)
		}
	}
	r := newRig(t)
	if got := r.shown(line("make \u200b")).Ruling; got.Contained || got.Verdict != rein.MustAsk {
		t.Errorf("a character that cannot be seen: %+v", got)
	}
	r.rules("deny rm ...")
	for _, command := range []string{"make", "make \u00a0 x"} { // its parts are known
		if got := r.shown(line(command)).Ruling.Verdict; got != rein.MustAsk {
			t.Errorf("%q: %v", command, got)
		}
	}
}

// What was allowed for good holds in its folder and way, and does not open the fence; git's own commands do.
//
// Attack: 79
func TestGrantForGood(t *testing.T) {
	r := newRig(t)
	r.options.Jobs = shell.NewJobs(t.TempDir(), nil)
	r.write(".git/hooks/keep", "")
	r.write("scripts/x", "")
	r.write("evil", "x")
	in := func(dir, command string) map[string]any { return map[string]any{"command": command, "cwd": dir} }
	offered := r.shown(in("scripts", "tee pre-commit")).Ruling.Always
	if len(offered) != 1 || offered[0] != "tee pre-commit (in scripts)" {
		t.Fatal(offered)
	}
	if got := r.shown(in("scripts", "echo hi | tee pre-commit")).Ruling.Always; len(got) > 0 {
		t.Error("what comes from a pipe can be allowed for good:", got)
	}
	r.granted.Always = append(offered, "touch .git/hooks/x", "git add evil")
	if got := r.shown(in("scripts", "tee pre-commit")).Ruling; got.Verdict != rein.Allowed {
		t.Errorf("%+v", got)
	}
	for name, a := range map[string]map[string]any{
		"another folder": in(".git/hooks", "tee pre-commit"), "a pipe": in("scripts", "cat ../evil | tee pre-commit"), "both": in(".git/hooks", "cat ../../evil | tee pre-commit"),
		"the background": {"command": "tee pre-commit", "cwd": "scripts", "background": true}, "a timeout": {"command": "tee pre-commit", "cwd": "scripts", "timeout": 500},
	} {
		if got := r.shown(a).Ruling; got.Verdict != rein.MustAsk {
			t.Errorf("%s: %+v", name, got)
		}
	}
	touch := line("touch .git/hooks/x")
	if got := r.shown(touch).Ruling.Verdict; got != rein.Allowed {
		t.Fatal(got)
	}
	if text, ran := r.run(touch); ran.Exit == 0 {
		t.Error("a grant opens the fence:", text)
	}
	if got := r.shown(line("git add evil; touch .git/hooks/x")).Ruling.Verdict; got != rein.MustAsk {
		t.Error("a command of git opens the fence for another:", got)
	}
	if text, ran := r.run(line("git init -q")); ran.Exit == 0 {
		t.Error("the test does not show what it should:", text)
	}
	r.granted.Always = append(r.granted.Always, "git init -q")
	if text, ran := r.run(line("git init -q")); ran.Exit != 0 {
		t.Error("git's own cannot change the repository:", text)
	}
}

// What was allowed for the session is what the command read, too.
//
// Attack: 79
func TestSessionGrantNamesInput(t *testing.T) {
	r := newRig(t)
	a := line("bash <<'E'\necho fine\nE")
	r.granted = rein.Granted{Session: r.shown(a).Ruling.Session}
	if text, _ := r.run(a); r.shown(a).Ruling.Verdict != rein.Allowed || !strings.Contains(text, "fine") {
		t.Error(text)
	}
	for _, other := range []string{"bash <<'E'\necho evil\nE", "echo x | bash", "bash < Makefile"} {
		if got := r.shown(line(other)).Ruling; got.Verdict != rein.MustAsk {
			t.Errorf("%s: %+v", other, got)
		}
	}
}

// Files that run or are obeyed later stay as they are under a command that nobody approved, whatever way it takes to them.
//
// Attack: 75
func TestFenceHoldsWhatRunsLater(t *testing.T) {
	r := newRig(t)
	kept := []string{".envrc", "rein.toml", "AGENTS.md", "sub/deep/CLAUDE.md", ".vscode/tasks.json", ".github/workflows/ci.yml", "web/.husky/pre-commit", "sub/.cargo/config.toml", "Jenkinsfile"}
	for _, name := range kept {
		r.write(name, "kept")
	}
	r.write("node_modules/x/.travis.yml", "")
	r.write("node_modules/x/index.js", "")
	r.write("sub/deep/a.txt", "")
	for _, command := range []string{
		"for f in .envrc rein.toml AGENTS.md sub/deep/CLAUDE.md .vscode/tasks.json Jenkinsfile; do echo evil > $f; done", "rm -rf .envrc AGENTS.md .vscode .github web", "mv sub s2 && mkdir -p sub/deep && echo evil > sub/deep/CLAUDE.md",
		"mv .vscode v", "mv .github g && cp -r g .github && echo evil > .github/workflows/ci.yml", "cd web/.husky; echo evil > pre-commit", "cp -r web w2; mv web w3 && mv w2 web", "sh -c 'echo evil >> /proc/self/cwd/.envrc'",
	} {
		r.run(line(command))
		for _, name := range kept {
			if got, err := os.ReadFile(filepath.Join(r.root, name)); err != nil || string(got) != "kept" {
				t.Fatalf("%s: %s is %q %v", command, name, got, err)
			}
		}
	}
	if text, ran := r.run(line("rm -r node_modules && mv sub/deep/a.txt sub/b.txt && echo x > web/new && mkdir .github/x && rmdir .github/x")); ran.Exit != 0 {
		t.Error("the rest cannot be written:", text)
	}
	r.approved = true
	if text, ran := r.run(line("echo x > .envrc && rm -r .vscode && mv web w2")); ran.Exit != 0 {
		t.Error("nor can what a person approved:", text)
	}
}

// What is hidden stays where it is: the folders around it cannot be moved away, not even by a command that was approved.
//
// Attack: 75
func TestHiddenStaysInItsFolder(t *testing.T) {
	r := newRig(t)
	r.write("conf/deep/rein.toml", "kept")
	r.write("notes/Private/diary.md", "SECRET")
	r.write("notes/a.md", "")
	r.options.Hidden = []string{filepath.Join(r.root, "conf/deep/rein.toml"), filepath.Join(r.root, "none/later.toml")}
	r.reaches(reach.Options{Household: "home", Root: r.root, Vault: filepath.Join(r.root, "notes"), Exclude: []string{"Private"}})
	for _, r.approved = range []bool{false, true} {
		for _, command := range []string{"mv conf c2; mkdir -p conf/deep; echo evil > conf/deep/rein.toml", "mv conf/deep conf/d2", "mv notes n2; cat n2/Private/diary.md", "mv notes/Private notes/p; cat notes/p/diary.md", "cp -r notes n3; cat n3/Private/diary.md"} {
			text, _ := r.run(line(command))
			if kept, err := os.ReadFile(filepath.Join(r.root, "conf/deep/rein.toml")); err != nil || string(kept) != "kept" || strings.Contains(text, "SECRET") {
				t.Errorf("%s: %q %v %s", command, kept, err, text)
			}
			_ = os.RemoveAll(filepath.Join(r.root, "n3"))
		}
	}
	if text, ran := r.run(line("echo x > conf/deep/y && mv notes/a.md notes/b.md && touch conf/z")); ran.Exit != 0 {
		t.Error("the rest cannot be written:", text)
	}
}

// Programs of the machine that listen on a socket in the workspace are not reached by a command that nobody approved.
//
// Attack: 75
func TestFenceHidesSockets(t *testing.T) {
	r := newRig(t)
	if err := os.Mkdir(filepath.Join(r.root, "run"), 0o755); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(r.root, "run/s"))
	if err != nil {
		t.Skip("the path of the temporary folder is too long for a socket:", err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("REACHED"))
			c.Close()
		}
	}()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("python3 is not installed")
	}
	r.write("c.py", "import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('run/s')\nprint(s.recv(99))\n")
	if text, ran := r.run(line("python3 c.py")); ran.Exit == 0 || strings.Contains(text, "REACHED") {
		t.Error(text)
	}
	r.approved = true
	if text, _ := r.run(line("python3 c.py")); !strings.Contains(text, "REACHED") {
		t.Error("the test does not show what it should:", text)
	}
}

// What others own in the workspace cannot be held, so every command is asked about.
//
// Attack: 75
func TestFenceOfOtherOwners(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give files away")
	}
	r := newRig(t)
	r.write("g/sub/.git/config", "[core]\n")
	if got := r.shown(line("make")).Ruling; !got.Contained {
		t.Errorf("%+v", got)
	}
	if err := os.Chown(filepath.Join(r.root, "g/sub"), 1000, 1000); err != nil {
		t.Fatal(err)
	}
	if got := r.shown(line("mv g/sub g/s2")).Ruling; got.Contained || !strings.Contains(got.Why, "does not belong to the owner") {
		t.Errorf("%+v", got)
	}
	if text, ran := r.run(line("ls")); ran.Exit != 0 {
		t.Error(text)
	}
}

// A search that nobody approved finds nothing in files with secrets, and does not ask because of them.
//
// Attack: 75
func TestSearchesDoNotFindSecrets(t *testing.T) {
	r := newRig(t)
	for name, text := range map[string]string{
		".env": "TOKEN=S3CRET", "sub/.env.local": "TOKEN=S3CRET", "sub/keys/id_rsa": "TOKEN=S3CRET", ".ssh/config": "TOKEN=S3CRET", "sub/x.pem": "TOKEN=S3CRET", "sub/a.txt": "TOKEN=fine",
		".git/HEAD": "ref: refs/heads/main\n", ".git/objects/x": "", ".git/refs/x": "",
	} {
		r.write(name, text+"\n")
	}
	for _, command := range []string{`grep -r TOKEN .`, `grep -rn "" .`, "grep --recursive TOKEN sub", "cd sub && grep -hr TOKEN", "git grep --no-index -e . -- '.en?' 'sub/*'"} {
		if got := r.shown(line(command)).Ruling; got.Verdict != rein.Allowed {
			t.Errorf("%s: %+v", command, got)
		}
		if text, _ := r.run(line(command)); strings.Contains(text, "S3CRET") || !strings.Contains(text, "fine") || !strings.Contains(text, "leave out files with secrets: .env and 4 more.") {
			t.Errorf("%s: %s", command, text)
		}
	}
	r.approved = true
	if text, _ := r.run(line("grep -r TOKEN .")); !strings.Contains(text, "S3CRET") {
		t.Error("what a person approved finds less:", text)
	}
}

// A swapper does something between the look at a workspace and the start of a command, as another command could.
type swapper func()

func (s swapper) Uncovered(context.Context, rein.Invocation) (string, error) { return "", nil }

func (s swapper) Begin(context.Context, rein.Invocation) (shell.Watch, error) {
	s()
	return s, nil
}

func (s swapper) End(context.Context) (shell.Changes, error) { return shell.Changes{}, nil }

// A folder that the fence holds is swapped for a link before the command starts: what the link leads to is not in the box.
//
// Attack: 75
func TestFenceFollowsNoLinks(t *testing.T) {
	for _, name := range []string{"sub/AGENTS.md", "sub/.git/HEAD", "sub/deep/.envrc"} {
		r := newRig(t)
		outside := t.TempDir()
		r.write(name, "")
		if err := os.MkdirAll(filepath.Join(outside, filepath.Dir(strings.TrimPrefix(name, "sub/"))), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(outside, strings.TrimPrefix(name, "sub/")), nil, 0o644); err != nil {
			t.Fatal(err)
		}
		r.options.Watch = swapper(func() {
			sub := filepath.Join(r.root, "sub")
			if err := errors.Join(os.Rename(sub, sub+"2"), os.Symlink(outside, sub)); err != nil {
				t.Error(err)
			}
		})
		a := line("echo evil > " + outside + "/evil; echo evil > sub/evil")
		done, err := r.do(t.Context(), a, r.shown(a))
		if _, evil := os.Lstat(filepath.Join(outside, "evil")); evil == nil || err == nil {
			t.Errorf("%s: %v %v %s", name, evil, err, done.Text)
		}
	}
}
