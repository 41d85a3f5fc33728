package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Start runs a command in a box. The report comes from Detect. When the context ends, the command and
// everything that it started end too; so they do when this process dies.
func Start(ctx context.Context, r Report, p Policy, c Command) (*Process, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	p, err := p.resolved()
	if err != nil {
		return nil, err
	}
	use, err := r.chosen(p)
	if err != nil {
		return nil, err
	}
	s := &spec{Argv: c.Argv, Dir: c.Dir, Use: use, Temp: p.Temp, Network: p.Network, Git: p.Git, Limits: p.Limits.filled(), ABI: r.machine.abi}
	proc := &Process{use: use, limits: s.Limits, done: make(chan struct{})}
	if err := proc.prepare(r, p, s); err != nil {
		proc.release()
		return nil, err
	}
	s.Env = lastOfEach(append(baseEnv(s), c.Env...))
	if s.Dir == "" {
		s.Dir = p.Workspace
	}
	if err := proc.start(ctx, r, s, c); err != nil {
		proc.release()
		return nil, err
	}
	return proc, nil
}

// baseEnv is the whole environment that a box gives to a command.
func baseEnv(s *spec) []string {
	temp := "/tmp"
	if !s.uses(Mount) {
		temp = s.Temp
	}
	return []string{
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME=" + temp + "/home", "TMPDIR=" + temp,
		"LANG=C.UTF-8", "TERM=dumb", "USER=box", "LOGNAME=box", "SHELL=/bin/sh",
	}
}

// lastOfEach keeps the last of the variables with one name: of two, some programs take the first and some the last.
func lastOfEach(env []string) (kept []string) {
	seen := map[string]bool{}
	for _, e := range slices.Backward(env) {
		if name, _, _ := strings.Cut(e, "="); !seen[name] {
			seen[name], kept = true, append(kept, e)
		}
	}
	slices.Reverse(kept)
	return kept
}

// A Process is a command in its box.
type Process struct {
	use     []Mechanism
	limits  Limits
	cmd     *exec.Cmd
	began   time.Time
	control *os.File
	lines   *json.Decoder
	files   []*os.File // closed when it ends
	group   *cgroup
	temp    string // a folder that goes with it
	written int64  // to standard output and error

	mu    sync.Mutex
	ended string // why the box ended it

	done   chan struct{}
	result Result
	err    error
}

// prepare opens what the box needs: who it is, what it can see, where it is counted.
func (p *Process) prepare(r Report, policy Policy, s *spec) error {
	if !s.uses(Mount) && s.Temp == "" {
		dir, err := os.MkdirTemp("", "rein-box-")
		if err != nil {
			return fmt.Errorf("sandbox: %w", err)
		}
		p.temp, s.Temp, s.OwnTemp = dir, dir, true
	}
	s.Grants = grants(policy, s.Temp)
	if err := p.identify(r.machine, policy, s); err != nil {
		return err
	}
	if p.temp != "" {
		if err := giveAway(p.temp, s); err != nil {
			return err
		}
	}
	if !s.uses(Cgroup) {
		return nil
	}
	var err error
	p.group, err = newCgroup(r.machine.cgroup, s.Limits)
	return err
}

// giveAway makes a temporary folder belong to the user of the box.
func giveAway(dir string, s *spec) error {
	home := dir + "/home"
	if err := os.Mkdir(home, 0o700); err != nil {
		return fmt.Errorf("sandbox: %w", err)
	}
	if !s.Root {
		return nil
	}
	return errors.Join(os.Chown(home, s.UID, s.GID), os.Chown(dir, s.UID, s.GID))
}

func grants(p Policy, temp string) []grant {
	out := []grant{{Path: p.Workspace, Write: !p.Still}}
	if temp != "" {
		out = append(out, grant{Path: temp, Write: true, IsTemp: true})
	}
	for _, path := range p.Writable {
		out = append(out, grant{Path: path, Write: true})
	}
	for _, path := range p.ReadOnly {
		out = append(out, grant{Path: path})
	}
	for _, path := range p.Hidden {
		out = append(out, grant{Path: path, Hide: true})
	}
	slices.SortStableFunc(out, func(a, b grant) int { return len(a.Path) - len(b.Path) }) // folders before what is in them
	return out
}

// start starts the first process of the box and waits until it has started the command.
func (p *Process) start(ctx context.Context, r Report, s *spec, c Command) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	control, reports, err := p.spawn(r, s, c)
	if err != nil {
		return err
	}
	p.lines = json.NewDecoder(reports)
	stop := context.AfterFunc(ctx, func() { p.end(Canceled) })
	if err := json.NewEncoder(control).Encode(s); err != nil && !errors.Is(err, unix.EPIPE) {
		p.end(Canceled)
	}
	var first report
	err = p.lines.Decode(&first)
	if err == nil && first.Started || p.flooded() { // output can pass its limit before the report is written
		p.began = time.Now()
		go p.follow(stop)
		return nil
	}
	stop()
	p.end(Canceled)
	_ = p.cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		return fmt.Errorf("sandbox: the box ended before its command began: %w", err)
	case first.Mechanism != "":
		return &MissingError{first.Mechanism, first.Error, fix(first.Mechanism)}
	}
	return errors.New("sandbox: " + first.Error)
}

// initEnv keeps the first process small; with the race detector it would take a second to exit.
var initEnv = []string{"GOGC=off", "GOMEMLIMIT=32MiB", "GOMAXPROCS=2", "GORACE=atexit_sleep_ms=0"}

// spawn starts this program as the first process of a box.
func (p *Process) spawn(r Report, s *spec, c Command) (control, reports *os.File, err error) {
	if !ready.Load() {
		return nil, nil, errNotReady
	}
	theirControl, control, err := os.Pipe()
	if err != nil {
		return nil, nil, err
	}
	reports, theirReports, err := os.Pipe()
	if err != nil {
		return nil, nil, errors.Join(err, theirControl.Close(), control.Close())
	}
	defer theirControl.Close()
	defer theirReports.Close()
	p.control = control
	extra := append([]*os.File{theirControl, theirReports}, p.files...)
	s.FirstFile, s.Files = controlFD+len(extra), len(c.Files)
	extra = append(extra, c.Files...)
	p.files = append(p.files, control, reports)
	p.cmd = &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{initName}, Env: initEnv, Dir: "/", ExtraFiles: extra,
		Stdout: p.counted(c.Stdout), Stderr: p.counted(c.Stderr), WaitDelay: 10 * time.Second, SysProcAttr: attributes(r.machine, s, p.group),
	}
	if c.Stdout != nil && c.Stdout == c.Stderr {
		p.cmd.Stderr = p.cmd.Stdout
	}
	if err := p.feed(c.Stdin); err != nil {
		return nil, nil, err
	}
	err = p.cmd.Start()
	if in, ok := p.cmd.Stdin.(*os.File); ok && in != c.Stdin {
		in.Close()
	}
	if err != nil {
		return nil, nil, fmt.Errorf("sandbox: %w", err)
	}
	return control, reports, nil
}

// feed connects standard input. Nothing waits for a reader that is slower than the command.
func (p *Process) feed(stdin io.Reader) error {
	f, ok := stdin.(*os.File)
	if stdin == nil || ok {
		p.cmd.Stdin = nil
		if f != nil {
			p.cmd.Stdin = f
		}
		return nil
	}
	theirs, ours, err := os.Pipe()
	if err != nil {
		return err
	}
	p.cmd.Stdin = theirs
	p.files = append(p.files, ours)
	go func() {
		_, _ = io.Copy(ours, stdin) // the command may close its input whenever it likes
		ours.Close()
	}()
	return nil
}

// attributes says which namespaces the first process begins in, and with which rights.
func attributes(m machine, s *spec, group *cgroup) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	for mechanism, flag := range map[Mechanism]uintptr{
		Mount: unix.CLONE_NEWNS, PID: unix.CLONE_NEWPID, Net: unix.CLONE_NEWNET, IPC: unix.CLONE_NEWIPC | unix.CLONE_NEWUTS,
	} {
		if s.uses(mechanism) {
			attr.Cloneflags |= flag
		}
	}
	if !m.root && attr.Cloneflags != 0 {
		attr.Cloneflags |= unix.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: s.UID, HostID: os.Geteuid(), Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: s.GID, HostID: os.Getegid(), Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP, unix.CAP_NET_ADMIN}
	}
	if group != nil {
		attr.UseCgroupFD, attr.CgroupFD = true, int(group.dir.Fd())
	}
	return attr
}
