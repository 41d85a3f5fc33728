package crash

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/sandbox/sandboxtest"
	"rein/tool/reach"
	"rein/tool/shell"
)

// commands has real commands in the real sandbox. Each adds a line to a file of the workspace. The first one also leaves
// a process behind, in a session of its own, and waits until its output was seen: it is killed while it runs.
var commands = func() []scenario {
	if runtime.GOOS != "linux" {
		return nil // no sandbox
	}
	s := one("commands", task("loop", "go", "execute_command"),
		"turn 1\ncall execute_command "+line(`exec 9>alive; echo one >>done; setsid sleep 1000 & echo did; read x <seen`)+
			"\nturn 2\ncall execute_command "+line(`exec 9>alive; echo two >>done`)+
			"\nturn 3\nsay over",
		asked("r1", "2", reply("r1", "2", rein.Answer{State: rein.AskApproved})),
		asked("r1", "4", reply("r1", "4", rein.Answer{State: rein.AskApproved})),
	)
	s.commands = true
	return []scenario{s}
}()

func line(command string) string {
	text, _ := json.Marshal(map[string]string{"command": command}) // it can be written
	return string(text)
}

// workspace is where commands run, in the folder of a trial.
func workspace(dir string) string { return filepath.Join(dir, "work") }

// executeCommand is the real tool. It can die before the command begins, while it runs, and when it has ended.
func (c *child) executeCommand(watch shell.Watcher) (rein.Tool, error) {
	t, err := shell.New(shell.Options{
		Root: workspace(c.Dir), Report: sandboxtest.Report, Settings: func() shell.Settings { return shell.Settings{} },
		Trusts: func(*rein.Task) bool { return true }, Watch: watch,
	}).ExecuteCommand()
	do := t.Do
	t.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		c.trap.pass(beforeEffect)
		var first sync.Once
		inv.Say = func(string) {
			first.Do(func() {
				c.trap.pass(afterEffect)
				_ = os.WriteFile(filepath.Join(workspace(c.Dir), "seen"), []byte("\n"), 0) // the command waits for it
			})
		}
		done, err := do(ctx, inv)
		c.trap.pass(afterEffect)
		return done, err
	}
	return t, err
}

// reach gives commands their folder.
func (c *child) reach() (func(*rein.Task) rein.Reach, error) {
	policy, err := reach.New(reach.Options{Household: rein.Host().Household, Root: workspace(c.Dir)})
	if err != nil {
		return nil, err
	}
	return func(t *rein.Task) rein.Reach { return policy.For(t) }, nil
}

// ran reports whether the command of a call has added its line.
func (c *child) ran(call *rein.ToolCall) (bool, error) {
	if c.boss.put.undoes {
		return c.commandBegan(), nil
	}
	var args struct{ Command string }
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return false, err
	}
	lines, err := doneLines(c.Dir)
	for name := range lines {
		if strings.Contains(args.Command, "echo "+name+" ") {
			return true, err
		}
	}
	return false, err
}

// doneLines counts the lines that commands have added.
func doneLines(dir string) (map[string]int, error) {
	text, err := os.ReadFile(filepath.Join(workspace(dir), "done"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	lines := map[string]int{}
	for _, name := range strings.Fields(string(text)) {
		lines[name]++
	}
	return lines, nil
}

// readDone takes in the effects of commands.
func (r *result) readDone(dir string) error {
	lines, err := doneLines(dir)
	for name, n := range lines {
		r.effects["execute_command "+name] = n
	}
	return err
}

// findUnheard wants a person to have been asked about every command that a kill cut off.
func (r *result) findUnheard() {
	if k := r.trial.kills; r.killed > 0 && !r.trial.scenario.undoes && r.unknown == 0 && (k[0].At == beforeEffect || k[0].At == afterEffect) {
		r.doubled = append(r.doubled, "a command was cut off, and nobody was asked what became of it")
	}
}

// A workshop is the workspace of a trial with commands. Every process of a command has the pipe "alive" open.
type workshop struct{ alive int }

func newWorkshop(t *testing.T, dir string) *workshop {
	t.Helper()
	root := workspace(dir)
	if err := os.Mkdir(root, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"alive", "seen"} {
		if err := syscall.Mkfifo(filepath.Join(root, name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	alive, err := syscall.Open(filepath.Join(root, "alive"), syscall.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(alive) })
	return &workshop{alive}
}

// settle waits until no process of a command is left: then nobody has the pipe open. What rein leaves behind ends when
// rein does, which takes the kernel a moment.
func (w *workshop) settle() error {
	if w == nil {
		return nil
	}
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for began := time.Now(); time.Since(began) < patience; <-tick.C {
		switch n, err := syscall.Read(w.alive, make([]byte, 512)); {
		case n == 0 && err == nil:
			return nil
		case err != nil && !errors.Is(err, syscall.EAGAIN) && !errors.Is(err, syscall.EINTR):
			return err
		}
	}
	return fmt.Errorf("processes of a command outlived it by %s", patience)
}
