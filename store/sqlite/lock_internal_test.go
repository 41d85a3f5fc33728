package sqlite

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"rein"
)

// TestLockOfADeadProcess waits for the lock of a process that has died: a program that it was just starting may have it
// for a moment. It does not wait for one that lives.
func TestLockOfADeadProcess(t *testing.T) {
	t.Parallel()
	dead := exec.Command("true")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		pid  int
		code rein.Code
	}{"dead": {dead.ProcessState.Pid(), ""}, "living": {os.Getpid(), rein.CodeLocked}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "rein.db")
			held, err := os.OpenFile(path+".lock", os.O_RDWR|os.O_CREATE, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			defer held.Close()
			fmt.Fprintln(held, c.pid)
			if err := unix.Flock(int(held.Fd()), unix.LOCK_EX); err != nil {
				t.Fatal(err)
			}
			if c.code == "" {
				unlocked := make(chan struct{})
				defer func() { <-unlocked }()
				time.AfterFunc(50*time.Millisecond, func() {
					defer close(unlocked)
					_ = unix.Flock(int(held.Fd()), unix.LOCK_UN)
				})
			}
			lock, err := takeLock(path)
			if rein.CodeOf(err) != c.code {
				t.Errorf("the lock: %v", err)
			}
			if err == nil {
				lock.Close()
			}
		})
	}
}
