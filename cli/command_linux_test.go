package cli

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rein/sandbox/sandboxtest"
)

// alone waits until no process has the lock of a file that a command took and all that it started inherited.
func alone(t *testing.T, path string) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err == nil {
		t.Log("nothing held the lock any more")
		return
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		t.Fatal(err)
	}
}

// holding is a command that outlives whatever it can, and says when it is up.
const holding = `exec 9>held; flock -x 9; (setsid sh -c 'trap \"\" HUP TERM INT; sleep 600' &); nohup sleep 600 2>/dev/null & echo UP $((40+2)); sleep 600`

// rein is killed while a command runs, with the process that drives the run: nothing of the command is left. What came of
// it is not known, and the next process asks.
//
// Covers: SD-90 LAW-3
func TestKilledDuringCommand(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "when results=0\ncall execute_command {\"command\": \""+holding+"\"}\n\nwhen\nsay Over.\n")
	x := d.open("run", "--yes-to", "execute_command", "Go.")
	x.sees("UP 42")
	run, owner := d.theRun(), d.owner()
	if !held(t, filepath.Join(d.home, "held")) {
		t.Error("nothing holds the lock while the command runs")
	}
	signalled(t, x.cmd.Process.Pid, syscall.SIGKILL)
	<-x.ended
	if owner != x.cmd.Process.Pid && owner != 0 {
		signalled(t, owner, syscall.SIGKILL)
	}
	alone(t, filepath.Join(d.home, "held"))
	d.until(func() bool { return d.owner() == 0 })
	y := d.open("resume", run)
	y.sees("Did this call of execute_command happen?")
	y.seesAfter("3) skip", "> ")
	y.types("skip\r")
	y.sees("Over.")
	y.ends(exitOK)
}

func held(t *testing.T, path string) bool {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil
}

// A person stops a run with a command in progress: the command ends with all that it started.
func TestStoppedDuringCommand(t *testing.T) {
	t.Parallel()
	d := newDesk(t, "when results=0\ncall execute_command {\"command\": \""+holding+"\"}\n\nwhen\nsay Over.\n")
	x := d.open("run", "--yes-to", "execute_command", "Go.")
	x.sees("UP 42")
	run := d.theRun()
	d.rein("cancel", run)
	<-x.ended
	alone(t, filepath.Join(d.home, "held"))
	if text := d.rein("show", run); !strings.Contains(text, "unknown") || !strings.Contains(text, "it is not known whether it took effect The command wa") {
		t.Error(text)
	}
}

// A command commits in the name of the person, and finds nothing else of their settings of git.
//
// Covers: SD-90
func TestCommitsAreThePersons(t *testing.T) {
	t.Parallel()
	d := newDesk(t, `
when results=0
call execute_command {"command": "git init -q repo && cd repo && git commit -q --allow-empty -m x && git log -1 --format='by %an, %ae' && echo found $(git config --list | grep -c secret); git config user.name Bea && git commit -q --allow-empty -m y && git log -1 --format='then by %an, %ae'"}

when
say Over.
`)
	d.file(".gitconfig", "[user]\n\tname = Ann \\\"A\\\" \\\\ O'B # not this\n\temail = ann@example.com\n[http]\n\textraHeader = secret\n")
	x := d.open("run", "Go.")
	x.seesAfter("It has no network.", "> ")
	x.types("yes\r")
	x.sees(`by Ann "A" \ O'B, ann@example.com`)
	x.sees("found 0")
	x.sees("then by Bea, ann@example.com")
	x.sees("Over.")
	x.ends(exitOK)
}

// What a command prints is on the screen while it runs, after a person has read what it is and agreed. Secrets in it are
// neither there nor in any file of the data folder, and bytes that are no text do no harm.
//
// Covers: SD-42 SD-90
func TestCommandAtATerminal(t *testing.T) {
	t.Parallel()
	d := newDesk(t, `
when results=0
call execute_command {"command": "echo the badge is $BADGE_SECRET today; printf 'odd \\xff\\x1b[2J\\n'; touch made; until [ -e go ]; do sleep 0.05; done; echo finished; exit 3"}

when tool~"Exit code 3"
say It said finished.
`)
	d.env = append(d.env, "BADGE_SECRET=hunter2-hunter2")
	d.file(".config/rein/rein.toml", "model = \"demo\"\n[shell]\nenv = [\"BADGE_SECRET\"]\n[redact]\nenv = [\"BADGE_SECRET\"]\n[tools]\nroot = \"../..\"\n[models.demo]\nkind = \"script\"\nfile = \"demo.txt\"\n")
	x := d.open("run", "Go.")
	x.sees("touch made: ask (")
	x.sees("It runs in the sandbox.")
	x.sees("It has no network.")
	x.seesAfter("It has no network.", "> ")
	x.types("yes\r")
	x.sees("the badge is [redacted: BADGE_SECRET] today")
	x.sees("odd ")
	d.file("go", "")
	x.sees("finished")
	x.sees("It said finished.")
	x.ends(exitOK)
	if text := x.text(); strings.Contains(text, "hunter2") || strings.Contains(text, "\x1b[2J") {
		t.Errorf("the screen:\n%q", text)
	}
	d.rein("owner", "stop")
	data := filepath.Join(d.home, ".local", "share", "rein")
	looked := 0
	err := filepath.WalkDir(data, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if looked++; strings.Contains(string(text), "hunter2") {
			t.Errorf("%s has the secret", path)
		}
		return err
	})
	if err != nil || looked == 0 {
		t.Errorf("%d files: %v", looked, err)
	}
}

// A command in the background is there for the next run of its session, and ends when the process that has it does. What
// it wrote is in the data folder until its session is erased.
func TestBackgroundAndErase(t *testing.T) {
	t.Parallel()
	d := newDesk(t, `
when user~"Start" results=0
call execute_command {"command": "exec 9>held; flock -x 9; echo serving PLANTED-WORDS; sleep 600", "background": true}

when user~"Look" results=0
call monitor_log {}

when
say Done.
`)
	x := d.open("run", "Start it.")
	x.seesAfter("refuses", "\n> ")
	x.types("yes\r")
	x.sees("in the background: bg-")
	x.ends(exitOK)
	run := d.theRun()
	y := d.open("run", "--session", run, "Look.")
	y.ends(exitOK)
	shown := d.rein("show", run)
	for line := range strings.SplitSeq(d.rein("runs", "--long"), "\n") {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] != run && fields[0] != "RUN" {
			shown = d.rein("show", fields[0])
		}
	}
	if !strings.Contains(shown, "has been running since") {
		t.Errorf("the next run of the session does not see it:\n%s", shown)
	}
	d.until(func() bool { _, err := os.Stat(filepath.Join(d.home, "held")); return err == nil })
	d.rein("owner", "stop")
	alone(t, filepath.Join(d.home, "held"))
	folder := filepath.Join(d.home, ".local", "share", "rein", "commands")
	if kept, err := os.ReadDir(folder); err != nil || len(kept) != 2 {
		t.Errorf("%v %v", kept, err)
	}
	if out := d.rein("erase", run, "--yes"); !strings.Contains(out, "command output") {
		t.Errorf("the list does not name it:\n%s", out)
	}
	if kept, err := os.ReadDir(folder); err != nil || len(kept) != 0 {
		t.Errorf("it is left: %v %v", kept, err)
	}
}

// In mode sandbox commands run unasked inside their box, and really cannot leave it: one that wants the network, or a path
// outside, asks. What they changed can be undone. All of it through the program, its store and a real shell.
//
// Covers: SD-42 SD-50
func TestSandboxModeAtATerminal(t *testing.T) {
	t.Parallel()
	sandboxtest.Need(t)
	d := newDesk(t, `
when results=0
call execute_command {"command": "echo made inside > made; cat /etc/shadow; touch /usr/escaped; grep -c : /proc/net/dev"}

when results=1
call execute_command {"command": "touch fetched", "network": true}

when results=2
call execute_command {"command": "touch refused", "network": true, "timeout": 30}

when
say All done.
`)
	d.file(".config/rein/rein.toml", "model = \"demo\"\n[tools]\nroot = \"../../work\"\n[models.demo]\nkind = \"script\"\nfile = \"demo.txt\"\n")
	if err := os.Mkdir(filepath.Join(d.home, "work"), 0o755); err != nil {
		t.Fatal(err)
	}
	d.file("work/kept", "as it was\n")
	x := d.open("run", "--mode", "sandbox", "Go.")
	x.sees("IF YOU AGREE, it also gets the network")
	if text := x.text(); !strings.Contains(text, "Permission denied") && !strings.Contains(text, "No such file") || strings.Contains(text, "echo made inside > made: ask") {
		t.Errorf("the first command:\n%s", text)
	}
	if made, err := os.ReadFile(filepath.Join(d.home, "work", "made")); err != nil || string(made) != "made inside\n" {
		t.Errorf("%q %v", made, err)
	}
	x.seesAfter("IF YOU AGREE", "> ")
	x.types("yes\r")
	x.seesAfter("touch refused", "IF YOU AGREE, it also gets the network")
	x.seesAfter("touch refused", "> ")
	x.types("no\r")
	x.sees("All done.")
	x.ends(exitOK)
	for name, there := range map[string]bool{"work/fetched": true, "work/refused": false} {
		if _, err := os.Lstat(filepath.Join(d.home, name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
	y := d.open("undo", d.theRun(), "--yes")
	y.sees("made: removed")
	y.ends(exitOK)
	if left, err := os.ReadDir(filepath.Join(d.home, "work")); err != nil || len(left) != 1 || left[0].Name() != "kept" {
		t.Errorf("%v %v", left, err)
	}
}
