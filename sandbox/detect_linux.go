package sandbox

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// A machine is what Start needs to know about the system.
type machine struct {
	root   bool // this process has root's rights, and can give them up for another user's
	users  int  // how many user numbers there are
	abi    int  // of Landlock
	cgroup string
}

// Detect tries every mechanism, by making a box with all of them.
func Detect(ctx context.Context) Report {
	r := Report{machine: machine{root: isRoot(), users: usersHere()}}
	missing := map[Mechanism]string{}
	r.kernel(missing)
	if os.Geteuid() == 0 && !r.machine.root && r.machine.users > firstUser {
		missing[Identity] = "rein runs as root, without the right to become another user"
	}
	if !ready.Load() {
		for _, m := range All {
			missing[m] = errNotReady.Error()
		}
	}
	for range All { // each failure names one mechanism; the others are tried again without it
		m, why := r.try(ctx, usable(missing))
		if m == "" {
			break
		}
		missing[m] = why
	}
	r.tryCgroup(ctx, missing)
	for _, m := range All {
		s := Status{Mechanism: m, Available: true, Says: contains[m]}
		if why, ok := missing[m]; ok {
			s.Available, s.Says, s.Fix = false, why, fix(m)
		}
		r.Mechanisms = append(r.Mechanisms, s)
	}
	return r
}

// kernel asks the kernel about what needs no trying.
func (r *Report) kernel(missing map[Mechanism]string) {
	var err error
	if r.machine.abi, err = landlockABI(); err != nil {
		missing[Landlock] = "the kernel does not have it: " + err.Error()
	}
	if !canFilter {
		missing[Seccomp] = "rein has no filter for processors of the kind " + runtime.GOARCH
	}
	if r.machine.cgroup, err = findCgroup(); err != nil {
		missing[Cgroup] = err.Error()
	}
}

func usable(missing map[Mechanism]string) []Mechanism {
	var out []Mechanism
	for _, m := range All {
		if _, ok := missing[m]; !ok && m != Cgroup {
			out = append(out, m)
		}
	}
	return out
}

// try makes a box. It returns the mechanism that failed, and why.
func (r *Report) try(ctx context.Context, use []Mechanism) (Mechanism, string) {
	if len(use) == 0 {
		return "", ""
	}
	err := r.probe(ctx, use)
	if err == nil {
		return "", ""
	}
	if m, ok := err.(*MissingError); ok {
		return m.Mechanism, m.Why
	}
	for _, m := range []Mechanism{Mount, PID, Net, IPC} { // it did not start: find the namespace that the kernel refuses
		for _, used := range use {
			if used != m {
				continue
			}
			if err := r.probe(ctx, []Mechanism{m, Watch}); err != nil {
				return m, err.Error()
			}
		}
	}
	return use[0], err.Error()
}

// tryCgroup makes a box with a group, if there seems to be a place for it: a kernel may refuse to start programs there.
func (r *Report) tryCgroup(ctx context.Context, missing map[Mechanism]string) {
	if _, gone := missing[Cgroup]; gone {
		return
	}
	if err := r.probe(ctx, append(usable(missing), Cgroup)); err != nil {
		missing[Cgroup] = "no command can be started in a group: " + err.Error()
	}
}

func (r *Report) probe(ctx context.Context, use []Mechanism) (err error) {
	s := &spec{Probe: true, Use: use, Root: r.machine.root, UID: os.Geteuid(), GID: os.Getegid(), Limits: Limits{}.filled(), ABI: r.machine.abi}
	if s.Root {
		s.UID = newUser(r.machine)
		s.GID = s.UID
	}
	p := &Process{use: use, done: make(chan struct{})}
	defer p.release()
	if s.uses(Cgroup) {
		if p.group, err = newCgroup(r.machine.cgroup, s.Limits); err != nil {
			return err
		}
	}
	_, reports, err := p.spawn(*r, s, Command{})
	if err != nil {
		return err
	}
	defer p.cmd.Wait()
	if err := json.NewEncoder(p.control).Encode(s); err != nil {
		return err
	}
	var first report
	if err := json.NewDecoder(reports).Decode(&first); err != nil {
		return fmt.Errorf("the first process of the box died: %w", err)
	}
	if !first.Started {
		return &MissingError{Mechanism: first.Mechanism, Why: first.Error}
	}
	return ctx.Err()
}

// isRoot reports whether this process can mount and become any user without a user namespace.
func isRoot() bool {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData
	if os.Geteuid() != 0 || unix.Capget(&header, &have[0]) != nil {
		return false
	}
	for _, c := range []int{unix.CAP_SYS_ADMIN, unix.CAP_SETUID, unix.CAP_SETGID, unix.CAP_SETPCAP, unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE} {
		if have[c/32].Effective&(1<<(c%32)) == 0 {
			return false
		}
	}
	return true
}

// usersHere returns how many user numbers this process's namespace has, from zero.
func usersHere() int {
	text, _ := os.ReadFile("/proc/self/uid_map")
	most := 0
	for line := range strings.Lines(string(text)) {
		var inside, outside, n int
		if _, err := fmt.Sscan(line, &inside, &outside, &n); err == nil {
			most = max(most, inside+n)
		}
	}
	return most
}

// fix says what to do about a missing mechanism.
func fix(m Mechanism) string {
	switch m {
	case Mount, PID, Net, IPC:
		return "allow user namespaces: sysctl user.max_user_namespaces=10000; on Debian also kernel.unprivileged_userns_clone=1, on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0 or an AppArmor profile for rein; in a container use a seccomp profile that allows unshare and mount"
	case Identity:
		return "run rein as a normal user"
	case Landlock:
		return "use Linux 5.13 or later, with landlock in the kernel's list of security modules (lsm=landlock,...)"
	case Seccomp:
		return "use a kernel with CONFIG_SECCOMP_FILTER, on amd64 or arm64"
	case Cgroup:
		return "start rein by systemd with Delegate=yes, or in a login session of systemd; the limits of each process hold without it"
	}
	return ""
}
