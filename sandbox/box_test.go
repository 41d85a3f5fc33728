//go:build linux

package sandbox_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rein/sandbox"
)

// ran is how a command in a box ended, and what it printed.
type ran struct {
	sandbox.Result
	out string
}

func run(ctx context.Context, t *testing.T, p sandbox.Policy, c sandbox.Command) ran {
	t.Helper()
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	proc, err := sandbox.Start(ctx, sandbox.Detect(t.Context()), p, c)
	if err != nil {
		t.Fatal(err)
	}
	result, err := proc.Wait()
	if err != nil {
		t.Fatal(err)
	}
	return ran{result, out.String()}
}

func shell(script string) sandbox.Command { return sandbox.Command{Argv: []string{"sh", "-c", script}} }

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)); err != nil {
		t.Fatal(err)
	}
}

// A command does its work in the workspace, and what it writes belongs to the owner of the workspace.
func TestWorkInTheWorkspace(t *testing.T) {
	t.Parallel()
	ws := t.TempDir()
	write(t, ws+"/in", "hello")
	got := run(t.Context(), t, sandbox.Policy{Workspace: ws}, shell(`pwd; cat in; mkdir -p a/b && mv in a/b/out && ln a/b/out a/two && echo $HOME && touch ~/x /tmp/y && id -u; exit 7`))
	if want := ws + "\nhello/tmp/home\n"; got.ExitCode != 7 || !strings.HasPrefix(got.out, want) || got.Ended != "" || got.Signal != 0 {
		t.Fatalf("ended %+v", got)
	}
	if id := strings.TrimPrefix(got.out, ws+"\nhello/tmp/home\n"); strings.TrimSpace(id) == "0" {
		t.Error("the command is root")
	}
	mine, err := os.Stat(ws)
	theirs, err2 := os.Stat(ws + "/a/b/out")
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if owner(theirs) != owner(mine) {
		t.Errorf("the file belongs to %d, the workspace to %d", owner(theirs), owner(mine))
	}
}

// A grant shows a path, for reading or for writing; the folders around it stay hidden, and so does what the
// policy hides in the workspace.
func TestGrants(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	home, read, written, temp := base+"/home", base+"/a/read", base+"/b/written", base+"/temp"
	for _, file := range []string{home + "/.ssh/id", home + "/.netrc", home + "/code", read + "/f", base + "/a/other", written + "/f", temp + "/home/f"} {
		write(t, file, "text of "+filepath.Base(file)+"\n")
	}
	got := run(t.Context(), t, sandbox.Policy{Workspace: home, ReadOnly: []string{read}, Writable: []string{written}, Temp: temp, Hidden: sandbox.Keys(home)}, shell(
		`cd `+base+`; cat home/code a/read/f b/written/f ~/f home/.netrc; echo new >b/written/new; echo kept >/tmp/kept; echo x >a/read/new; cat home/.ssh/id a/other; ls a; true`))
	for _, want := range []string{"text of code\ntext of f\ntext of f\ntext of f\n", "a/read/new: Read-only", "home/.ssh/id: Permission denied", "a/other: No such file", "\nread\n"} {
		if !strings.Contains(got.out, want) {
			t.Errorf("%q is not in:\n%s", want, got.out)
		}
	}
	for path, want := range map[string]string{written + "/new": "new\n", temp + "/kept": "kept\n"} {
		if text, err := os.ReadFile(path); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", path, text, err)
		}
	}
	if strings.Contains(got.out, "netrc\n") && strings.Contains(got.out, "text of .netrc") {
		t.Errorf("it read .netrc:\n%s", got.out)
	}
}

// Git in the box finds the settings of the policy, after those of the system.
func TestGitSettings(t *testing.T) {
	t.Parallel()
	policy := sandbox.Policy{Workspace: t.TempDir(), Git: "[user]\n\tname = Ann\n"}
	if got := run(t.Context(), t, policy, shell("cat /etc/gitconfig; echo x >> /etc/gitconfig")); got.ExitCode == 0 || !strings.Contains(got.out, "\n[user]\n\tname = Ann\n") {
		t.Errorf("%+v", got)
	}
	policy.Git = ""
	if got := run(t.Context(), t, policy, shell("cat /etc/gitconfig")); strings.Contains(got.out, "Ann") {
		t.Errorf("without: %+v", got)
	}
}

// With a grant for the network, a command reaches the machine's; without one its own loopback works.
func TestNetwork(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	reach := sandbox.Command{Argv: []string{"bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/" + port}}
	if got := run(t.Context(), t, sandbox.Policy{Workspace: t.TempDir(), Network: true}, reach); got.ExitCode != 0 || slices.Contains(got.Within, sandbox.Net) {
		t.Errorf("with a grant: %+v", got)
	}
	if got := run(t.Context(), t, sandbox.Policy{Workspace: t.TempDir()}, reach); got.ExitCode == 0 || !strings.Contains(got.out, "refused") {
		t.Errorf("without: %+v", got)
	}
}

// BenchmarkStart is what a box costs.
func BenchmarkStart(b *testing.B) {
	r, ws := sandbox.Detect(b.Context()), b.TempDir()
	for b.Loop() {
		p, err := sandbox.Start(b.Context(), r, sandbox.Policy{Workspace: ws}, sandbox.Command{Argv: []string{"true"}})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.Wait(); err != nil {
			b.Fatal(err)
		}
	}
}

// Standard input reaches the command, also from a reader that never ends.
func TestInput(t *testing.T) {
	t.Parallel()
	ends, never := strings.NewReader("a line\n"), endless{}
	c := shell("cat")
	c.Stdin = ends
	if got := run(t.Context(), t, sandbox.Policy{Workspace: t.TempDir()}, c); got.out != "a line\n" {
		t.Errorf("printed %q", got.out)
	}
	c = shell("head -c 5")
	c.Stdin = never
	if got := run(t.Context(), t, sandbox.Policy{Workspace: t.TempDir()}, c); got.out != "yyyyy" {
		t.Errorf("printed %q", got.out)
	}
}

type endless struct{}

func (endless) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = 'y'
	}
	return len(b), nil
}

// A signal reaches the command, which can handle it.
func TestSignal(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	proc, err := sandbox.Start(t.Context(), sandbox.Detect(t.Context()), sandbox.Policy{Workspace: t.TempDir()},
		sandbox.Command{Argv: []string{"sh", "-c", `trap 'exit 9' INT; echo ready; while :; do sleep 0.01; done`}, Stdout: w})
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if _, err := r.Read(make([]byte, 5)); err != nil {
		t.Fatal(err)
	}
	if err := proc.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if got, err := proc.Wait(); err != nil || got.ExitCode != 9 {
		t.Errorf("ended %+v, %v", got, err)
	}
	if err := proc.Signal(os.Interrupt); !errors.Is(err, os.ErrProcessDone) {
		t.Errorf("after the end: %v", err)
	}
}

// Every limit that the box itself holds ends the command and says why.
func TestEnds(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		why    string
		limits sandbox.Limits
		script string
	}{
		{sandbox.TimeLimit, sandbox.Limits{Time: 50 * time.Millisecond}, "sleep 1000 & sleep 1000"},
		{sandbox.Output, sandbox.Limits{Output: 1000}, "yes"},
		{sandbox.Written, sandbox.Limits{Written: 4 << 20}, "while :; do dd if=/dev/zero of=f bs=1M count=8 2>/dev/null; done"},
		{sandbox.DiskFull, sandbox.Limits{KeepFree: 1 << 60}, "sleep 1000"},
	} {
		p := sandbox.Policy{Workspace: onDisk(t), Limits: c.limits}
		got := run(t.Context(), t, p, shell(c.script))
		if got.Ended != c.why || got.ExitCode != 137 || c.limits.Output > 0 && int64(len(got.out)) != c.limits.Output {
			t.Errorf("%s: ended %+v", c.why, got.Result)
		}
	}
}

// The end of the context ends the command.
func TestCancel(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	proc, err := sandbox.Start(ctx, sandbox.Detect(ctx), sandbox.Policy{Workspace: t.TempDir()}, sandbox.Command{Argv: []string{"sh", "-c", "trap '' TERM INT HUP; echo; setsid sleep 1000 & sleep 1000"}, Stdout: w})
	if err != nil {
		t.Fatal(err)
	}
	w.Close()
	if _, err := r.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	cancel()
	if got, err := proc.Wait(); err != nil || got.Ended != sandbox.Canceled {
		t.Errorf("ended %+v, %v", got, err)
	}
	if n, err := r.Read(make([]byte, 1)); n != 0 || err == nil { // whoever lives holds the other end
		t.Errorf("somebody still has the output open: %d, %v", n, err)
	}
	if _, err := sandbox.Start(ctx, sandbox.Detect(t.Context()), sandbox.Policy{Workspace: t.TempDir()}, shell("true")); !errors.Is(err, context.Canceled) {
		t.Errorf("a start after that: %v", err)
	}
}

// What is wrong with a command or a policy is said before anything runs.
func TestRefused(t *testing.T) {
	t.Parallel()
	ws := t.TempDir()
	write(t, ws+"/script", "#!/nowhere\n")
	outside, alias := t.TempDir(), t.TempDir()+"/alias"
	write(t, outside+"/x/y", "")
	if err := errors.Join(os.Symlink(outside, ws+"/led"), os.Symlink(ws, alias)); err != nil {
		t.Fatal(err)
	}
	for _, p := range []sandbox.Policy{
		{Workspace: ws, Writable: []string{ws + "/led"}},
		{Workspace: ws, Writable: []string{ws + "/led/x"}},
		{Workspace: ws, ReadOnly: []string{ws + "/led/x/y"}},
		{Workspace: alias, Writable: []string{alias + "/led"}},
		{Workspace: alias, Writable: []string{ws + "/led/x"}},
	} {
		if _, err := sandbox.Start(t.Context(), sandbox.Detect(t.Context()), p, shell("true")); err == nil || !strings.Contains(err.Error(), "behind a link in the workspace") {
			t.Errorf("%+v: %v", p, err)
		}
	}
	for says, c := range map[string]struct {
		p sandbox.Policy
		c sandbox.Command
	}{
		"no command":         {sandbox.Policy{Workspace: ws}, sandbox.Command{}},
		"no workspace":       {sandbox.Policy{}, shell("true")},
		"not absolute":       {sandbox.Policy{Workspace: "here"}, shell("true")},
		"whole file system":  {sandbox.Policy{Workspace: "/"}, shell("true")},
		"no such file":       {sandbox.Policy{Workspace: ws + "/none"}, shell("true")},
		"not NAME=VALUE":     {sandbox.Policy{Workspace: ws}, sandbox.Command{Argv: []string{"true"}, Env: []string{"x"}}},
		"NUL":                {sandbox.Policy{Workspace: ws}, sandbox.Command{Argv: []string{"true", "\x00"}}},
		"not in the box":     {sandbox.Policy{Workspace: ws}, sandbox.Command{Argv: []string{"no-such-program"}}},
		"permission denied":  {sandbox.Policy{Workspace: ws}, sandbox.Command{Argv: []string{"./script"}}},
		"no such file or di": {sandbox.Policy{Workspace: ws}, sandbox.Command{Argv: []string{"true"}, Dir: "/root"}},
	} {
		_, err := sandbox.Start(t.Context(), sandbox.Detect(t.Context()), c.p, c.c)
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
	if got := run(t.Context(), t, sandbox.Policy{Workspace: alias, Writable: []string{outside, alias + "/script"}, Hidden: []string{ws + "/led"}}, shell("echo fine")); got.out != "fine\n" {
		t.Errorf("%+v", got)
	}
	var missing *sandbox.MissingError
	_, err := sandbox.Start(t.Context(), sandbox.Report{Mechanisms: []sandbox.Status{{Mechanism: sandbox.Mount, Says: "it is not there", Fix: "get it"}}}, sandbox.Policy{Workspace: ws}, shell("true"))
	if !errors.As(err, &missing) || missing.Mechanism != sandbox.Mount || !strings.Contains(err.Error(), "it is not there; get it") {
		t.Errorf("a missing mechanism: %v", err)
	}
}

// A variable of the command replaces the one that every box has: of two with one name, some programs take the first.
func TestVariableReplaces(t *testing.T) {
	t.Parallel()
	got := run(t.Context(), t, sandbox.Policy{Workspace: t.TempDir()}, sandbox.Command{Argv: []string{"env"}, Env: []string{"HOME=/tmp/a", "HOME=/tmp/b"}})
	if strings.Count(got.out, "HOME=") != 1 || !strings.Contains(got.out, "HOME=/tmp/b\n") {
		t.Errorf("the command has\n%s", got.out)
	}
}

// In a workspace that is still, a command writes to /tmp only, and is not ended for a disk on which it writes nothing.
func TestStillWorkspace(t *testing.T) {
	ws := t.TempDir()
	got := run(t.Context(), t, sandbox.Policy{Workspace: ws, Still: true}, shell(`touch x; mkdir y; touch /tmp/z && sleep 1 && echo lived`))
	if _, err := os.Lstat(filepath.Join(ws, "x")); err == nil || got.ExitCode != 0 || !strings.Contains(got.out, "lived") {
		t.Errorf("%+v %v", got, err)
	}
}

// A group of the kernel ends a command that has too much memory, and it says why. Most machines that build programs have no
// group that we may use; see TestKilledForMemory for what holds there.
func TestMemoryOfAGroup(t *testing.T) {
	t.Parallel()
	r := sandbox.Detect(t.Context())
	if !r.Has(sandbox.Cgroup) {
		t.Log("NOT TESTED HERE: " + strings.Join(notTested(r, true), "; "))
		return
	}
	got := run(t.Context(), t, sandbox.Policy{Workspace: t.TempDir(), Limits: small, Off: []sandbox.Mechanism{sandbox.Rlimits, sandbox.Watch}}, shell("head -c 400000000 /dev/zero | tail | wc -c"))
	if got.Ended != sandbox.Memory {
		t.Errorf("%+v", got)
	}
}
