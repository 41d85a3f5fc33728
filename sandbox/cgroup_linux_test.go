package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// parent is a folder that looks like a group in which others can be made. It counts and limits nothing.
func parent(t *testing.T, controllers string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte(controllers+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A group can be made where the controllers for memory and processes are passed on, and nothing is left of the attempt.
func TestCanLimit(t *testing.T) {
	t.Parallel()
	for controllers, want := range map[string]string{"cpu memory pids": "", "memory": `"pids"`, "pids": `"memory"`, "": `"memory"`, "memory.x pids": `"memory"`} {
		dir := parent(t, controllers)
		if err := canLimit(dir); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", controllers, err)
		}
		if names, err := os.ReadDir(dir); err != nil || len(names) != 1 {
			t.Errorf("%q: left are %v, %v", controllers, names, err)
		}
	}
	if err := canLimit(t.TempDir()); err == nil {
		t.Error("a folder that is not a group is taken for one")
	}
}

// The limits are written down: those of a command, and room for the threads of its first process.
func TestNewCgroup(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		limits Limits
		want   string
	}{
		{Limits{Processes: 4, Memory: 1 << 20}, "memory.max=1048576 memory.oom.group=1 memory.swap.max=0 pids.max=28 "},
		{Limits{Processes: -1, Memory: -1}, "memory.oom.group=1 memory.swap.max=0 "},
	} {
		g, err := newCgroup(parent(t, "memory pids"), c.limits)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		files, err := os.ReadDir(g.path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files { // in the kernel's file system they are there before, and go with the folder
			path := filepath.Join(g.path, f.Name())
			if err := os.Chmod(path, 0o600); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			got += fmt.Sprintf("%s=%s ", f.Name(), text)
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
		}
		if got != c.want {
			t.Errorf("%+v: %s", c.limits, got)
		}
		g.remove()
		if _, err := os.Stat(g.path); !os.IsNotExist(err) {
			t.Errorf("it is still there: %v", err)
		}
	}
	if _, err := newCgroup(filepath.Join(t.TempDir(), "none"), Limits{}); err == nil {
		t.Error("a group was made in no folder")
	}
}

// A command that the kernel killed because its group had too much memory says so. One that was killed otherwise, or that
// ended by itself, does not.
func TestKilledForMemory(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, events, script, want string
	}{
		{"killed for memory", "low 0\nhigh 0\nmax 9\noom 1\noom_kill 3\noom_group_kill 1\n", "kill -9 $$", Memory},
		{"killed by somebody", "low 0\noom 0\noom_kill 0\noom_group_kill 0\n", "kill -9 $$", ""},
		{"it went on without what was killed", "oom_kill 1\n", "exit 3", ""},
		{"nothing is known", "", "kill -9 $$", ""},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "memory.events"), []byte(c.events), 0o600); err != nil {
			t.Fatal(err)
		}
		reports := `{"Exit":3}`
		if c.script != "exit 3" {
			reports = "" // the first process of the box is in the group, and dies with it
		}
		if got := followed(t, &cgroup{path: dir}, c.script, reports); got.Ended != c.want || got.ExitCode == 0 {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
	if got := followed(t, nil, "kill -9 $$", ""); got.Ended != "" || got.Signal != int(syscall.SIGKILL) {
		t.Errorf("without a group: %+v", got)
	}
}

// followed is how a box ends whose first process is a script, and reports so much.
func followed(t *testing.T, g *cgroup, script, reports string) Result {
	t.Helper()
	p := &Process{cmd: exec.Command("sh", "-c", script), lines: json.NewDecoder(strings.NewReader(reports)), group: g, done: make(chan struct{})}
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.follow(func() bool { return true })
	result, err := p.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// Where no program can be started in a group there are no groups: else no command would run at all.
func TestGroupThatTakesNoProgram(t *testing.T) {
	t.Parallel()
	r, missing := Report{machine: machine{root: isRoot(), users: usersHere(), cgroup: parent(t, "memory pids")}}, map[Mechanism]string{}
	for _, m := range All {
		if m != Watch && m != Cgroup {
			missing[m] = "not asked"
		}
	}
	if r.tryCgroup(t.Context(), missing); !strings.Contains(missing[Cgroup], "no command can be started in a group") {
		t.Errorf("%q", missing[Cgroup])
	}
}
