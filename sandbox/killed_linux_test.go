package sandbox_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"rein/sandbox"
)

// daemons starts processes that try to outlive everything, and then waits.
const daemons = `for i in 1 2 3; do setsid sh -c '(trap "" HUP TERM INT; echo up; exec sleep MARK) & exit' & done; nohup sh -c 'echo up; exec sleep MARK' 2>/dev/null & echo up; sleep MARK`

// runParent is rein with one command in a box, until it is killed.
func runParent(base string, off []string) int {
	p := sandbox.Policy{Workspace: base + "/ws"}
	for _, m := range off {
		p.Off = append(p.Off, sandbox.Mechanism(m))
	}
	os.Setenv("TMPDIR", base+"/temp")
	if err := errors.Join(os.Mkdir(p.Workspace, 0o777), os.Mkdir(base+"/temp", 0o777), os.Chmod(base+"/temp", 0o777)); err != nil {
		return 1
	}
	if os.Geteuid() == 0 {
		_ = os.Chown(p.Workspace, 12345, 12345)
	}
	script := strings.ReplaceAll(daemons, "MARK", markOf(base))
	proc, err := sandbox.Start(context.Background(), sandbox.Detect(context.Background()), p, sandbox.Command{Argv: []string{"sh", "-c", script}, Stdout: os.Stdout})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_, _ = proc.Wait()
	return 0
}

// If rein is killed with a command running, nothing of the command is left.
//
// Attack: 76
func TestReinIsKilled(t *testing.T) {
	t.Parallel()
	for _, user := range usersToTry() {
		for _, off := range []string{"", "pid", "mount"} {
			t.Run(fmt.Sprintf("user %d without %q", user, off), func(t *testing.T) {
				t.Parallel()
				cmd := reinAs(t, user, "parent", strings.Fields(off)...)
				r, w, err := os.Pipe()
				if err != nil {
					t.Fatal(err)
				}
				cmd.Stdout, cmd.Stderr = w, os.Stderr
				if err := cmd.Start(); err != nil {
					t.Fatal(err)
				}
				w.Close()
				lines := bufio.NewReader(r)
				for range 5 {
					if _, err := lines.ReadString('\n'); err != nil {
						t.Fatal(err)
					}
				}
				box := watch(t, sandbox.Descendants(cmd.Process.Pid))
				if len(box) < 5 {
					t.Errorf("the box has %d processes, so not all daemons were found", len(box))
				}
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				awaitEnd(t, box)
				if err := leftOver(markOf(cmd.Dir)); err != nil {
					t.Error(err)
				}
				if dirs, err := os.ReadDir(cmd.Dir + "/temp"); err != nil || len(dirs) > 0 {
					t.Errorf("temporary folders are left: %v, %v", dirs, err)
				}
			})
		}
	}
}

func usersToTry() []int {
	if os.Geteuid() == 0 {
		return []int{-1, 65534}
	}
	return []int{-1}
}

// watch opens processes, so that their end can be awaited whatever becomes of their numbers. One that has ended is left out.
func watch(t *testing.T, pids []int) (open []int) {
	t.Helper()
	for _, pid := range pids {
		fd, err := unix.PidfdOpen(pid, 0)
		if errors.Is(err, unix.ESRCH) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { unix.Close(fd) })
		open = append(open, fd)
	}
	return open
}

// awaitEnd waits until processes have ended.
func awaitEnd(t *testing.T, open []int) {
	t.Helper()
	for _, fd := range open {
		for {
			n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, 30_000)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil || n == 0 {
				t.Fatalf("a process of the box goes on: %d, %v", n, err)
			}
			break
		}
	}
}
