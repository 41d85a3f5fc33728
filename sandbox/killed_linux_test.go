package sandbox_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

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

// If rein is killed with a command running, nothing of the command is left: every process of the box holds
// the output, which ends when the last of them is gone.
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
				if leftOver(markOf(cmd.Dir)) == nil {
					t.Error("the daemons were not found while they lived")
				}
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
				if _, err := io.Copy(io.Discard, lines); err != nil { // until nobody holds it
					t.Fatal(err)
				}
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
