package sandbox_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// A world is what lies around a box: what an attack must not reach.
type world struct {
	Base      string // a folder of the world, open to all users: only the box keeps commands out
	Workspace string
	Outside   string // a folder that the policy does not name
	Shown     string // a folder that the command can read
	Program   string // this test binary
	TCP, UDP  string // servers on the loopback of the machine
	Abstract  string // an abstract socket
	Socket    string // a socket in a folder
	Victim    int    // a process of rein's user
	Shared    int    // the key of a shared memory segment
	Patience  time.Duration

	reached atomic.Int64 // calls that servers got
	closers []func()
}

const (
	theSecret = "the secret of this test"
	variable  = "REIN_BOX_TEST_WORLD" // tells an attack about the world
	secretVar = "REIN_BOX_TEST_SECRET"
)

func (w *world) close() {
	for i := len(w.closers) - 1; i >= 0; i-- {
		w.closers[i]()
	}
}

// newWorld makes a world for this process's user. Started by root, the workspace belongs to another user.
func newWorld(base string) (*world, error) {
	w := &world{Base: base, Workspace: base + "/workspace", Outside: base + "/outside", Shown: base + "/shown", Program: base + "/program", Patience: 30 * time.Second}
	for _, dir := range []string{w.Workspace + "/.hidden", w.Outside + "/.ssh", w.Outside + "/data", w.Shown} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	for _, file := range []string{w.Outside + "/secret", w.Outside + "/.ssh/id_ed25519", w.Outside + "/.bashrc", w.Outside + "/data/rein.db", w.Workspace + "/.hidden/key", w.Workspace + "/mine", w.Shown + "/text"} {
		if err := os.WriteFile(file, []byte(theSecret), 0o600); err != nil {
			return nil, err
		}
	}
	err := filepath.WalkDir(base, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != w.Program && d.Name() != "setuid" {
			err = os.Chmod(path, 0o777)
		}
		if len(path) >= len(w.Workspace) && path[:len(w.Workspace)] == w.Workspace && os.Geteuid() == 0 {
			err = errors.Join(err, os.Chown(path, 12345, 12345))
		}
		return err
	})
	return w, errors.Join(err, w.serve(), w.victim(), w.segment())
}

// serve opens servers that count who calls.
func (w *world) serve() error {
	w.Socket, w.Abstract = w.Outside+"/docker.sock", fmt.Sprintf("@rein-box-test-%d", os.Getpid())
	for _, l := range []struct {
		network, address string
		to               *string
	}{{"tcp", "127.0.0.1:0", &w.TCP}, {"unix", w.Socket, nil}, {"unix", w.Abstract, nil}} {
		ln, err := net.Listen(l.network, l.address)
		if err != nil {
			return err
		}
		if l.to != nil {
			*l.to = ln.Addr().String()
		}
		w.closers = append(w.closers, func() { ln.Close() })
		go func() {
			for {
				c, err := ln.Accept()
				if err != nil {
					return
				}
				w.reached.Add(1)
				c.Close()
			}
		}()
	}
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	w.UDP = udp.LocalAddr().String()
	w.closers = append(w.closers, func() { udp.Close() })
	go func() {
		b := make([]byte, 100)
		for {
			n, from, err := udp.ReadFrom(b)
			if err != nil {
				return
			}
			_, _ = udp.WriteTo(b[:n], from)
		}
	}()
	return os.Chmod(w.Socket, 0o777)
}

// victim starts a process of the same user, with a secret in its environment.
func (w *world) victim() error {
	cmd := exec.Command("sleep", "1000")
	cmd.Env = []string{secretVar + "=" + theSecret}
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		return err
	}
	w.Victim = cmd.Process.Pid
	w.closers = append(w.closers, func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	return nil
}

func (w *world) segment() error {
	w.Shared = 0x7e100000 | os.Getpid()&0xfffff
	id, err := unix.SysvShmGet(w.Shared, 4096, unix.IPC_CREAT|0o666)
	if err != nil {
		return err
	}
	w.closers = append(w.closers, func() { _, _ = unix.SysvShmCtl(id, unix.IPC_RMID, nil) })
	return nil
}

// told reads the world from the environment of an attack.
func told() *world {
	var w world
	if err := json.Unmarshal([]byte(os.Getenv(variable)), &w); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	return &w
}

// spoiled says what an attack changed outside.
func (w *world) spoiled() error {
	for _, file := range []string{"secret", ".ssh/id_ed25519", ".bashrc", "data/rein.db"} {
		text, err := os.ReadFile(filepath.Join(w.Outside, file))
		if err != nil || string(text) != theSecret {
			return fmt.Errorf("%s is %q, %v", file, text, err)
		}
		if st, err := os.Stat(filepath.Join(w.Outside, file)); err != nil || st.Sys().(*syscall.Stat_t).Nlink != 1 {
			return fmt.Errorf("%s has another name: %v", file, err)
		}
	}
	for _, path := range []string{w.Outside + "/new", "/dev/shm/" + filepath.Base(w.Base), w.Base + "-leak"} {
		if _, err := os.Lstat(path); err == nil {
			_ = os.Remove(path)
			return fmt.Errorf("%s exists", path)
		}
	}
	if w.Victim > 0 && syscall.Kill(w.Victim, 0) != nil {
		return errors.New("the victim is dead")
	}
	if w.reached.Swap(0) != 0 {
		return errors.New("a server was called")
	}
	return nil
}

// repair puts back what an attack may have changed, when it was meant to succeed.
func (w *world) repair() error {
	var errs []error
	for _, file := range []string{w.Outside + "/secret", w.Outside + "/.ssh/id_ed25519", w.Outside + "/.bashrc", w.Outside + "/data/rein.db"} {
		_ = os.Remove(file)
		errs = append(errs, os.WriteFile(file, []byte(theSecret), 0o600), os.Chmod(file, 0o777))
	}
	_ = os.Remove(w.Outside + "/new")
	w.reached.Store(0)
	return errors.Join(errs...)
}
