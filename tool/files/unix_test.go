//go:build unix

package files_test

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rein"
	"rein/tool/files"
)

// Nothing that is not a file is opened, so nothing can hang: a pipe without a writer would for ever.
//
// Attack: 35
func TestSpecialFiles(t *testing.T) {
	root, dir := folder(t, map[string]string{"f": ""})
	must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o600))
	must(t, os.Symlink("fifo", filepath.Join(dir, "link")))
	t.Chdir(dir) // the path of a socket is short
	l, err := net.Listen("unix", "sock")
	must(t, err)
	defer l.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for path, kind := range map[string]string{"fifo": "is a pipe", "link": "is a pipe", "sock": "is a socket"} {
			refused(t, root, "read_file", args{"path": path}, rein.CodeInvalid, kind+", not a file with text")
			refused(t, root, "list_directory", args{"path": path}, rein.CodeInvalid, kind+", not a folder")
		}
		done, err := call(t, root, "list_directory", args{})
		if err != nil || !strings.Contains(done.Text, "fifo  pipe  ") || !strings.Contains(done.Text, "sock  socket  ") {
			t.Errorf("%s %v", done.Text, err)
		}
	}()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("it hangs")
	}
}

// Attack: 35
func TestDevices(t *testing.T) {
	root, err := files.Open("/dev")
	must(t, err)
	defer root.Close()
	for _, path := range []string{"null", "zero", "/dev/null"} {
		refused(t, root, "read_file", args{"path": path}, rein.CodeInvalid, "is a device")
	}
	done, err := call(t, root, "list_directory", args{})
	if err != nil || !strings.Contains(done.Text, "\nnull  device  ") {
		t.Errorf("%s %v", done.Text, err)
	}
}
