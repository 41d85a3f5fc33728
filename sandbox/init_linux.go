package sandbox

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// Init must be the first call in main, and in TestMain of tests that start boxes. In the first process of
// a box it does that process's work and does not return; in every other process it does nothing.
func Init() {
	if len(os.Args) > 0 && os.Args[0] == initName {
		os.Exit(runInit())
	}
	ready.Store(true)
}

// ready says that this program starts as the first process of a box if it is called as such. It is a fact
// about the program, so there is one.
var ready atomic.Bool

var errNotReady = errors.New("sandbox: this program does not call sandbox.Init first in main, so it cannot be the first process of a box")

// An inner is the first process of a box.
type inner struct {
	spec
	control *bufio.Reader
	reports *json.Encoder
	main    int // the command's process
	exits   chan exit
	why     chan string // a limit was passed
}

func runInit() int {
	_ = unix.CloseRange(controlFD, ^uint(0), unix.CLOSE_RANGE_CLOEXEC) // nothing of rein reaches the command
	signal.Notify(make(chan os.Signal, 1))                             // the box does not end by a signal from within
	reports := os.NewFile(reportFD, "reports")
	in := &inner{reports: json.NewEncoder(reports), exits: make(chan exit, 1), why: make(chan string, 1)}
	control := json.NewDecoder(os.NewFile(controlFD, "control"))
	if err := control.Decode(&in.spec); err != nil {
		return 125
	}
	in.control = bufio.NewReader(multi(control.Buffered(), os.NewFile(controlFD, "control")))
	if err := in.setUp(); err != nil {
		return in.fail(err)
	}
	if in.Probe {
		return in.fail(in.onThread(func() error { return in.restrict() }))
	}
	if err := in.onThread(in.launch); err != nil {
		return in.fail(err)
	}
	_ = in.reports.Encode(report{Started: true})
	return in.supervise()
}

// fail reports why there is no command. Without an error it reports a probe that went well.
func (in *inner) fail(err error) int {
	if err == nil {
		_ = in.reports.Encode(report{Started: true})
		return 0
	}
	r := report{Error: err.Error()}
	if f, ok := errors.AsType[*failure](err); ok {
		r.Mechanism, r.Error = f.mechanism, f.err.Error()
	}
	_ = in.reports.Encode(r)
	return 125
}

// setUp makes the box around this process.
func (in *inner) setUp() error {
	if err := unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0); err != nil { // nobody in the box can trace it or read its memory
		return &failure{Identity, err}
	}
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return &failure{PID, err}
	}
	_ = os.WriteFile("/proc/self/oom_score_adj", []byte("500"), 0) // if memory runs out, the box goes before rein
	if in.uses(Mount) {
		if err := in.buildView(); err != nil {
			return err
		}
	}
	if in.uses(Net) {
		if err := loopback(); err != nil {
			return &failure{Net, fmt.Errorf("the loopback device: %w", err)}
		}
	}
	if in.uses(IPC) {
		if err := unix.Sethostname([]byte("box")); err != nil {
			return &failure{IPC, fmt.Errorf("the host name: %w", err)}
		}
	}
	syscall.Umask(0o022)
	return nil
}

// loopback turns on the only network device of the box.
func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	lo, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	lo.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, lo)
}

// onThread runs f on a thread of its own that is never used for anything else: what restricts the command
// is set on this thread, and the command inherits it from there.
func (in *inner) onThread(f func() error) error {
	done := make(chan error)
	go func() {
		runtime.LockOSThread()
		done <- f()
		select {} // a thread that ends would take the command with it where it is traced or watched by its parent
	}()
	return <-done
}

// launch restricts this thread and starts the command from it.
func (in *inner) launch() error {
	if err := in.restrict(); err != nil {
		return err
	}
	path, err := in.lookUp()
	if err != nil {
		return err
	}
	in.main, err = syscall.ForkExec(path, in.Argv, &syscall.ProcAttr{
		Dir: in.Dir, Env: in.Env, Files: in.descriptors(), Sys: &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		return fmt.Errorf("%s: %w", in.Argv[0], err)
	}
	if in.uses(Rlimits) && in.Limits.CPU > 0 {
		n := uint64(max(in.Limits.CPU.Seconds(), 1))
		_ = unix.Prlimit(in.main, unix.RLIMIT_CPU, &unix.Rlimit{Cur: n, Max: n + 1}, nil) // not for this process, which lives longer
	}
	return nil
}

// descriptors are the streams of the command and the files that it was given.
func (in *inner) descriptors() []uintptr {
	list := []uintptr{0, 1, 2}
	for i := range in.Files {
		list = append(list, uintptr(in.FirstFile+i))
	}
	return list
}

// restrict takes every right away that the command must not have. The order matters: each step needs
// rights that the next one takes.
func (in *inner) restrict() error {
	if in.uses(Identity) {
		if err := in.becomeUser(); err != nil {
			return &failure{Identity, err}
		}
	}
	if in.uses(Rlimits) {
		if err := in.setLimits(); err != nil {
			return &failure{Rlimits, err}
		}
	}
	if in.uses(Landlock) {
		if err := in.landlock(); err != nil {
			return &failure{Landlock, err}
		}
	}
	if in.uses(Seccomp) {
		if err := in.seccomp(); err != nil {
			return &failure{Seccomp, err}
		}
	}
	return nil
}

// lookUp finds the program as execvp does, in the file system of the box.
func (in *inner) lookUp() (string, error) {
	name := in.Argv[0]
	if strings.Contains(name, "/") {
		return name, nil
	}
	for i := len(in.Env) - 1; i >= 0; i-- {
		list, ok := strings.CutPrefix(in.Env[i], "PATH=")
		if !ok {
			continue
		}
		for dir := range strings.SplitSeq(list, ":") {
			path := dir + "/" + name
			var st unix.Stat_t
			if strings.HasPrefix(dir, "/") && unix.Stat(path, &st) == nil && st.Mode&unix.S_IFMT == unix.S_IFREG && unix.Access(path, unix.X_OK) == nil {
				return path, nil
			}
		}
		break
	}
	return "", fmt.Errorf("the program %q is not in the box: it is not in the PATH, or not in a folder that the box shows", name)
}
