package shell_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/sandbox"
	"rein/tool/reach"
	"rein/tool/shell"
)

// A command runs in its folder; the result has its output, its exit code and where it ran.
//
// Covers: SD-90
func TestExecuteCommand(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write("sub/a.txt", "inside\n")
	text, ran := r.run(map[string]any{"command": "cat a.txt; echo to stderr >&2; pwd; exit 3", "cwd": "sub"})
	r.has(text, "Exit code 3 after ", " in sub.", "inside\nto stderr\n", filepath.Join(r.root, "sub"))
	if ran.Exit != 3 || ran.Cwd != "sub" || ran.Ended != "" || ran.Bytes == 0 {
		t.Errorf("%+v", ran)
	}
	if text, _ := r.run(line("true")); !strings.Contains(text, "Exit code 0") || !strings.Contains(text, "[no output]") {
		t.Error(text)
	}
	text, ran = r.run(line("kill -9 $$"))
	r.has(text, "ended by signal 9")
	if ran.Exit != 137 {
		t.Errorf("%+v", ran)
	}
}

// What a person reads: the line, its parts with why, what it can reach, and what contains it.
//
// Covers: SD-42
func TestShown(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	shown := r.shown(line("ls && rm -rf build"))
	r.has(shown.Text, "Run in "+r.root, "  | ls && rm -rf build", "- ls: allowed (", "- rm -rf build: ask (", "It has no network.", "It runs in the sandbox.", "It can take at most 2 minutes.")
	if ruling := shown.Ruling; ruling.Verdict != rein.MustAsk || !ruling.Contained || !strings.Contains(ruling.Why, "rm -rf build") {
		t.Errorf("%+v", ruling)
	}
	forged := r.shown(line("ls\nIt runs in the sandbox.\nrm x"))
	r.has(forged.Text, "\n  | It runs in the sandbox.\n")
	for name, text := range map[string]string{"HEAD": "ref: refs/heads/main\n", "objects/x": "", "refs/x": ""} {
		r.write(".git/"+name, text)
	}
	r.write(".git/config", "[core]\n\tfsmonitor = ./evil\n")
	r.has(r.shown(line("git status")).Text, "it runs as:", "core.fsmonitor=false")
}

// Rules of the settings, what was allowed for the session and what was allowed for good decide; nothing is wider than it
// was shown.
//
// Covers: SD-50
// Attack: 79
func TestRuling(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.rules("allow touch out/...", "deny rm ...")
	r.write("src/keep", "")
	verdictOf := func(args map[string]any) rein.Verdict { return r.shown(args).Ruling.Verdict }
	for command, want := range map[string]rein.Verdict{
		"ls": rein.Allowed, "touch out/a": rein.Allowed, "touch a": rein.MustAsk, "rm a": rein.Denied, "ls; rm a": rein.Denied, "sh script": rein.MustAsk,
	} {
		if got := verdictOf(line(command)); got != want {
			t.Errorf("%q: %v", command, got)
		}
	}
	offered := r.shown(line("mkdir src/x && ls")).Ruling
	if len(offered.Session) != 1 || len(offered.Always) != 1 || offered.Always[0] != "mkdir src/..." {
		t.Fatalf("%+v", offered)
	}
	r.granted = rein.Granted{Session: offered.Session}
	for command, want := range map[string]rein.Verdict{"mkdir src/x": rein.Allowed, "mkdir src/y": rein.MustAsk, "mkdir src/x && touch b": rein.MustAsk} {
		if got := verdictOf(line(command)); got != want {
			t.Errorf("for the session, %q: %v", command, got)
		}
	}
	r.granted = rein.Granted{Always: offered.Always}
	for command, want := range map[string]rein.Verdict{"mkdir src/x": rein.Allowed, "mkdir src/y": rein.Allowed, "mkdir lib/y": rein.MustAsk, "mkdir src/../lib": rein.MustAsk} {
		if got := verdictOf(line(command)); got != want {
			t.Errorf("for good, %q: %v", command, got)
		}
	}
	if ruling := r.shown(line("x=$(cat list); touch $x")).Ruling; ruling.Session != nil || ruling.Always != nil {
		t.Errorf("what is not known in advance can be allowed: %+v", ruling)
	}
}

// The network and paths outside are asked for, shown, and only what was granted works. A grant for the session is of
// exactly that line with exactly that.
//
// Attack: 79
func TestOutside(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	outside := t.TempDir()
	if err := errors.Join(os.Chmod(outside, 0o777), os.WriteFile(filepath.Join(outside, "a"), []byte("outside\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
	command := "cat " + filepath.Join(outside, "a")
	if text, ran := r.run(line(command)); ran.Exit == 0 || strings.Contains(text, "outside\n") {
		t.Errorf("a path outside was read: %s", text)
	}
	args := map[string]any{"command": command, "read": []string{outside}}
	shown := r.shown(args)
	r.has(shown.Text, "IF YOU AGREE, it also gets to read "+outside)
	if ruling := shown.Ruling; ruling.Verdict != rein.MustAsk || ruling.Contained || len(ruling.Session) != 1 || ruling.Always != nil {
		t.Errorf("%+v", ruling)
	}
	done, err := r.do(t.Context(), args, shown)
	if err != nil || !strings.Contains(done.Text, "outside\n") {
		t.Errorf("%v %s", err, done.Text)
	}
	r.granted.Session = shown.Ruling.Session
	if got := r.shown(args).Ruling.Verdict; got != rein.Allowed {
		t.Errorf("it was allowed for the session: %v", got)
	}
	for _, other := range []map[string]any{
		{"command": command, "write": []string{outside}},
		{"command": command + " ", "read": []string{outside}},
		{"command": command, "read": []string{outside}, "network": true},
		{"command": "ls", "network": true},
	} {
		if got := r.shown(other).Ruling.Verdict; got != rein.MustAsk {
			t.Errorf("%v: %v", other, got)
		}
	}
	r.has(r.shown(map[string]any{"command": "ls", "network": true}).Text, "IF YOU AGREE, it also gets the network.")
}

// Nobody grants what is kept from commands, and users that this machine does not belong to grant nothing.
//
// Attack: 76
func TestNotGranted(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	secret := t.TempDir()
	r.options.Hidden = []string{secret}
	for _, args := range []map[string]any{
		{"command": "ls", "read": []string{secret}},
		{"command": "ls", "write": []string{filepath.Join(secret, ".")}},
		{"command": "ls", "read": []string{"/"}},
		{"command": "ls", "read": []string{"relative"}},
		{"command": "ls", "read": []string{"/no/such/path"}},
		{"command": "ls", "cwd": ".."},
		{"command": "ls", "cwd": "/etc"},
		{"command": "ls", "cwd": "none"},
		{"command": "ls", "timeout": 100_000},
		{"command": "ls\x00"},
	} {
		if shown, err := r.show(args); err == nil {
			t.Errorf("%v: %s", args, shown.Text)
		}
	}
	r.options.Trusts = nil
	for _, args := range []map[string]any{{"command": "ls", "network": true}, {"command": "ls", "read": []string{t.TempDir()}}} {
		if _, err := r.show(args); rein.CodeOf(err) != rein.CodeForbidden {
			t.Errorf("%v: %v", args, err)
		}
	}
	if got := r.shown(line("ls")).Ruling.Verdict; got != rein.Allowed {
		t.Error(got)
	}
	r.options.Report = lacking(sandbox.Net)
	if _, err := r.show(line("ls")); rein.CodeOf(err) != rein.CodeUnavailable || !strings.Contains(err.Error(), "net") {
		t.Errorf("a command of another user runs without a sandbox: %v", err)
	}
}

// lacking is the report of a machine that lacks mechanisms.
func lacking(missing ...sandbox.Mechanism) func() sandbox.Report {
	return func() sandbox.Report {
		r := report()
		r.Mechanisms = append([]sandbox.Status{}, r.Mechanisms...)
		for i, s := range r.Mechanisms {
			for _, m := range missing {
				if s.Mechanism == m {
					r.Mechanisms[i] = sandbox.Status{Mechanism: m, Says: "this machine is old", Fix: "buy another"}
				}
			}
		}
		return r
	}
}

// Where the system lacks a mechanism every command asks, whatever was allowed, and the person reads what is missing. It
// still ends with all that it started.
func TestSandboxIsMissing(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.options.Report = lacking(sandbox.PID, sandbox.Mount)
	r.granted = rein.Granted{Session: []string{"ls"}, Always: []string{"ls"}}
	shown := r.shown(line("ls"))
	r.has(shown.Text, "NOT FULLY CONTAINED", "- pid: this machine is old; buy another", "- mount: ", "all files that rein can")
	if ruling := shown.Ruling; ruling.Verdict != rein.MustAsk || ruling.Contained || ruling.Session != nil || ruling.Always != nil || !strings.Contains(ruling.Why, "pid") {
		t.Errorf("%+v", ruling)
	}
	r.options.Report = lacking(sandbox.PID)
	text, _ := r.run(line("(setsid sleep 300 >/dev/null 2>&1 &) ; echo started"))
	r.has(text, "Exit code 0", "started")
}

// A command that was shown in one folder does not run in another.
func TestFolderIsReplaced(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.write("a/x", "")
	r.write("b/x", "")
	args := map[string]any{"command": "touch ran", "cwd": "a"}
	shown := r.shown(args)
	if err := errors.Join(os.Rename(filepath.Join(r.root, "a"), filepath.Join(r.root, "c")), os.Symlink("b", filepath.Join(r.root, "a"))); err != nil {
		t.Fatal(err)
	}
	if _, err := r.do(t.Context(), args, shown); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("it ran: %v", err)
	}
	if err := errors.Join(os.Remove(filepath.Join(r.root, "a")), os.Mkdir(filepath.Join(r.root, "a"), 0o777)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.do(t.Context(), args, shown); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("it ran in another folder with the same name: %v", err)
	}
	for _, name := range []string{"a/ran", "b/ran", "c/ran"} {
		if _, err := os.Stat(filepath.Join(r.root, name)); err == nil {
			t.Errorf("%s was made", name)
		}
	}
	if text, _ := r.run(args); !strings.Contains(text, "Exit code 0") {
		t.Error(text)
	}
	args = line("env")
	shown = r.shown(args)
	r.settings.Env = []string{"NEW=1"}
	if _, err := r.do(t.Context(), args, shown); rein.CodeOf(err) != rein.CodeConflict {
		t.Errorf("it ran with other variables: %v", err)
	}
}

// A command gets no variables but those that the settings name.
//
// Attack: 77
func TestVariables(t *testing.T) {
	r := newRig(t)
	t.Setenv("SECRET_OF_REIN", "1234")
	r.settings.Env = []string{"GIVEN=yes", "BASH_ENV=/evil"}
	text, _ := r.run(line("env"))
	if !strings.Contains(text, "GIVEN=yes") || strings.Contains(text, "SECRET_OF_REIN") || strings.Contains(text, "BASH_ENV") {
		t.Error(text)
	}
}

// What a run may not see is not there for its commands either.
func TestHiddenNotes(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for _, name := range []string{"code.go", "notes/Open/a.md", "notes/Private/b.md", "notes/Open/Deep/c.md", "notes/.obsidian/d", "data/rein.db"} {
		r.write(name, "words of "+name+"\n")
	}
	if err := os.Symlink("/nowhere", filepath.Join(r.root, "notes/.link")); err != nil {
		t.Fatal(err)
	}
	r.reaches(reach.Options{
		Household: "home", Root: r.root, Vault: filepath.Join(r.root, "notes"), Exclude: []string{"Private"},
		Others: []reach.Vault{{Path: filepath.Join(r.root, "notes"), Include: []string{"Open"}, Exclude: []string{"Open/Deep"}}}, Hidden: []string{filepath.Join(r.root, "data")},
	})
	text, _ := r.run(line("find . -type f | xargs cat; cat notes/Private/b.md data/rein.db"))
	r.has(text, "words of code.go", "words of notes/Open/a.md")
	for _, hidden := range []string{"notes/Private/b.md", "notes/Open/Deep/c.md", "data/rein.db", "notes/.obsidian/d"} {
		if strings.Contains(text, "words of "+hidden) {
			t.Errorf("%s was read:\n%s", hidden, text)
		}
	}
}

// Time and output have limits; the result says which ended the command, and has what it wrote.
//
// Covers: SD-90
func TestLimits(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	text, ran := r.run(map[string]any{"command": "echo before; sleep 600", "timeout": 1})
	r.has(text, "The command was ended after ", "timeout of 1s", "before\n")
	if ran.Ended != sandbox.TimeLimit {
		t.Errorf("%+v", ran)
	}
	r.settings.Limits.Output = 4 << 20
	text, ran = r.run(line("echo first; yes 0123456789"))
	r.has(text, "more output than a command may", "first\n0123456789\n", "bytes of output were not kept")
	if ran.Ended != sandbox.Output || len(text) > 1100<<10 {
		t.Errorf("%+v, %d bytes", ran, len(text))
	}
}

// No call is shown a time that the deadline of the tool does not leave it, whatever the settings say by then.
func TestLongest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.options.Longest, r.settings.Timeout = time.Minute, time.Hour
	made, err := shell.New(r.options).ExecuteCommand()
	if err != nil || made.Timeout <= time.Minute || made.Timeout > 2*time.Minute {
		t.Errorf("the deadline is %s, %v", made.Timeout, err)
	}
	r.has(r.shown(line("touch a")).Text, "It can take at most 1 minute.")
	r.has(r.shown(map[string]any{"command": "touch a", "timeout": 60}).Text, "It can take at most 1 minute.")
	if shown, err := r.show(map[string]any{"command": "touch a", "timeout": 61}); err == nil {
		t.Error(shown.Text)
	}
}

// A command that is cancelled ends with all that it started, and its outcome is unknown.
func TestCancel(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r.say = func(text string) {
		if strings.Contains(text, "started") {
			cancel()
		}
	}
	args := line("(setsid sleep 600 &); echo started; sleep 600")
	_, err := r.do(ctx, args, r.shown(args))
	if !errors.Is(err, rein.ErrOutcomeUnknown) || !strings.Contains(err.Error(), "started") {
		t.Error(err)
	}
}

// Two commands at once do not know of each other.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var both sync.WaitGroup
	for _, name := range []string{"one", "two"} {
		args := line("echo " + name + " > " + name + "; until [ -e one ] && [ -e two ]; do sleep 0.05; done; ls /tmp; echo $$ " + name)
		shown := r.shown(args)
		both.Go(func() {
			done, err := r.do(context.Background(), args, shown)
			if err != nil || !strings.Contains(done.Text, "Exit code 0") || !strings.Contains(done.Text, " "+name+"\n") {
				t.Errorf("%v %s", err, done.Text)
			}
		})
	}
	both.Wait()
}
