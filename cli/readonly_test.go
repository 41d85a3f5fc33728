package cli

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Every reading command works on a folder that cannot be written. The program runs as nobody,
// because root may write everywhere.
//
// Covers: ENG-62 ENG-56
func TestReadOnlyFolder(t *testing.T) {
	place := t.TempDir()
	folder := filepath.Join(place, "d")
	program(t, place, "data", folder, "done", "waiting")
	for name, mode := range map[string]os.FileMode{filepath.Dir(place): 0o755, place: 0o755, folder: 0o555} {
		if err := os.Chmod(name, mode); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if err := os.Chmod(name, 0o444); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(folder, 0o755) })
	for _, c := range []struct{ args, want string }{
		{"runs", "waiting  waiting"},
		{"show done", "A rein guides a horse."},
		{"audit verify", "nothing is wrong"},
		{"doctor", "ok     pages"},
	} {
		out := program(t, place, "rein", append(strings.Fields(c.args), "--data", folder)...)
		if !strings.Contains(out, c.want) {
			t.Errorf("rein %s printed no %q:\n%s", c.args, c.want, out)
		}
	}
	left, _ := filepath.Glob(filepath.Join(place, "tmp", "*"))
	if len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if out, err := start(t, place, "rein", "backup", filepath.Join(folder, "b.db"), "--data", folder); err == nil || !strings.Contains(out, "cannot be written") {
		t.Errorf("backup into the folder: %v\n%s", err, out)
	}
	if err := os.Chmod(folder, 0); err != nil {
		t.Fatal(err)
	}
	if out, err := start(t, place, "rein", "runs", "--data", folder); err == nil || !strings.Contains(out, "cannot read "+folder+": give this user the right to") {
		t.Errorf("runs of a folder that cannot be read: %v\n%s", err, out)
	}
}

// program runs this test binary under another name, as TestMain wants it, and wants it to succeed.
func program(t *testing.T, place, name string, args ...string) string {
	t.Helper()
	out, err := start(t, place, name, args...)
	if err != nil {
		t.Fatalf("%s %v: %v\n%s", name, args, err, out)
	}
	return out
}

func start(t *testing.T, place, name string, args ...string) (string, error) {
	t.Helper()
	path, temp := filepath.Join(place, name), filepath.Join(place, "tmp")
	if _, err := os.Stat(path); err != nil {
		self, err := os.ReadFile("/proc/self/exe")
		if err != nil {
			t.Skip("there is no /proc: ", err)
		}
		if err := os.WriteFile(path, self, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.MkdirAll(temp, 0o700), os.Chmod(temp, 0o777)); err != nil { // whatever the umask
		t.Fatal(err)
	}
	cmd := exec.Command(path, args...)
	cmd.Dir, cmd.Env = place, append(os.Environ(), "HOME="+place, "TMPDIR="+temp, "GORACE="+quickExit)
	if os.Getuid() == 0 && name == "rein" {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}
