package files_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"rein"
)

// powerless runs f on a thread that reads files as nobody, so that permissions also bind a test that
// runs as root.
func powerless(t *testing.T, f func()) {
	t.Helper()
	ended := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with the goroutine
		if os.Getuid() == 0 {
			if err := syscall.Setfsuid(65534); err != nil {
				ended <- err
				return
			}
		}
		f()
		ended <- nil
	}()
	must(t, <-ended)
}

func TestWhatMayNotBeRead(t *testing.T) {
	root, dir := folder(t, map[string]string{"shut": "x", "closed/f": "", "open/f": ""})
	must(t, os.Chmod(filepath.Join(dir, "shut"), 0))
	must(t, os.Chmod(filepath.Join(dir, "closed"), 0))
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "closed"), 0o700) })
	powerless(t, func() {
		refused(t, root, "read_file", args{"path": "shut"}, rein.CodeForbidden, `"shut" may not be read`)
		refused(t, root, "read_file", args{"path": "closed/f"}, rein.CodeForbidden, `"closed/f" may not be read`)
		refused(t, root, "list_directory", args{"path": "closed"}, rein.CodeForbidden, `"closed" may not be read`)
		done, err := call(t, root, "list_directory", args{"depth": 2})
		if err != nil || !strings.Contains(done.Text, "  cannot be read: permission denied\nopen/  ") || !strings.Contains(done.Text, "\nopen/f  0 B") {
			t.Errorf("%s %v", done.Text, err)
		}
	})
}

// A folder whose names can be read and whose entries cannot be looked at is listed all the same.
func TestEntriesThatCannotBeLookedAt(t *testing.T) {
	root, dir := folder(t, map[string]string{"d/f": "", "d/g": ""})
	must(t, os.Chmod(filepath.Join(dir, "d"), 0o444))
	t.Cleanup(func() { os.Chmod(filepath.Join(dir, "d"), 0o700) })
	powerless(t, func() {
		done, err := call(t, root, "list_directory", args{"path": "d"})
		if want := "f  cannot be read: permission denied\ng  cannot be read: permission denied"; err != nil || done.Text != want {
			t.Errorf("%s %v", done.Text, err)
		}
	})
}

// Files of /proc say that they are empty and are not; some wait for ever.
func TestReadFileOfProc(t *testing.T) {
	root := open(t, "/proc")
	done, err := call(t, root, "read_file", args{"path": "/proc/self/status", "lines": 1})
	if err != nil || !strings.HasPrefix(done.Text, "Name:\t") {
		t.Errorf("%q %v", done.Text, err)
	}
}
