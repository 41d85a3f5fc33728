package shell_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A folder that cannot be read stays as it is: a command could open it, and what it holds was not fenced. Root reads every
// folder, so another user runs this.
//
// Attack: 75
func TestShutFolders(t *testing.T) {
	if os.Geteuid() == 0 {
		asNobody(t)
		return
	}
	r := newRig(t)
	r.write("sub/a/.envrc", "kept")
	r.write("sub/a/.git/hooks/keep", "")
	folder := filepath.Join(r.root, "sub/a")
	for _, command := range []string{"chmod 000 sub/a", "chmod 700 sub/a; echo evil > sub/a/.en*; touch sub/a/.git/hooks/pre-commit", "mv sub s2; mv sub/a sub/b"} {
		text, _ := r.run(line(command))
		if mode, err := os.Stat(folder); err == nil && mode.Mode().Perm() == 0 {
			if err := os.Chmod(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			defer os.Chmod(folder, 0o700)
		}
		kept, err := os.ReadFile(filepath.Join(folder, ".envrc"))
		if hooks, _ := os.ReadDir(filepath.Join(folder, ".git/hooks")); err != nil || string(kept) != "kept" || len(hooks) != 1 {
			t.Errorf("%s: %q %v %v %s", command, kept, err, hooks, text)
		}
		if err := os.Chmod(folder, 0); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
}

// asNobody runs the test once more, as a user without rights.
func asNobody(t *testing.T) {
	t.Helper()
	const nobody = 65534
	dir, err := os.MkdirTemp("/var/tmp", "rein-nobody-") // not in memory, where the kernel may not know idmapped mounts
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	program, err := os.ReadFile("/proc/self/exe")
	if err := errors.Join(err, os.WriteFile(dir+"/program", program, 0o755), os.Chown(dir, nobody, nobody), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(dir+"/program", "-test.v", "-test.run=^"+t.Name()+"$")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME=/", "TMPDIR="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.CombinedOutput()
	switch {
	case strings.Contains(string(out), "--- SKIP: "+t.Name()):
		t.Skipf("as another user: %s", out)
	case err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()):
		t.Errorf("as another user: %v\n%s", err, out)
	}
}
