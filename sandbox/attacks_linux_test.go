package sandbox_test

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"rein/sandbox"
)

// An attack is a program that runs in the box. It succeeds if do returns no error, or if the world is spoiled.
type attack struct {
	name string
	by   []sandbox.Mechanism // any of these that the machine has contains it; nil: what the box always does
	root []sandbox.Mechanism // these too, if root runs rein
	do   func(w *world) error

	// With all mechanisms of by switched off it must succeed: so the attack is real, and the names are
	// right. Not tried if that could harm the machine, or if something else of this machine refuses it.
	unproven string
	rootOnly bool // the proof needs root: a normal user's box also has a user namespace
	limits   sandbox.Limits
}

func on(m ...sandbox.Mechanism) []sandbox.Mechanism { return m }

const (
	danger = "it would harm the machine"
	layers = "more than these contain it"
)

var attacks = []attack{
	// Files.
	{name: "read a file outside", by: files, do: func(w *world) error { return reads(w.Outside + "/secret") }},
	{name: "read through ..", by: files, do: func(w *world) error { return reads("../outside/secret") }},
	{name: "read through a symbolic link", by: files, do: func(w *world) error {
		_ = os.Remove("link")
		return errors.Join(os.Symlink(w.Outside+"/secret", "link"), reads("link"))
	}},
	{name: "read through /proc/self/root", by: files, do: func(w *world) error { return reads("/proc/self/root" + w.Outside + "/secret") }},
	{name: "read through /proc/self/cwd/..", by: files, do: func(w *world) error { return reads("/proc/self/cwd/../outside/secret") }},
	{name: "read through /proc/1/root", by: on(sandbox.Mount, sandbox.PID, sandbox.Landlock), unproven: layers, do: func(w *world) error { return reads("/proc/1/root" + w.Outside + "/secret") }},
	{name: "read through the parent's root", by: on(sandbox.Mount, sandbox.PID, sandbox.Landlock), unproven: layers, do: func(w *world) error {
		return reads(fmt.Sprintf("/proc/%d/root%s/secret", os.Getppid(), w.Outside))
	}},
	{name: "read an SSH key", by: files, do: func(w *world) error { return reads(w.Outside + "/.ssh/id_ed25519") }},
	{name: "read rein's data folder", by: files, do: func(w *world) error { return reads(w.Outside + "/data/rein.db") }},
	{name: "read /etc/shadow", by: files, root: on(sandbox.Identity), rootOnly: true, do: func(*world) error { return readsAny("/etc/shadow") }},
	{name: "read a hidden file of the workspace", by: on(sandbox.Mount), do: func(w *world) error { return reads(".hidden/key") }},
	{name: "list a folder outside", by: files, do: func(w *world) error { _, err := os.ReadDir(w.Outside); return err }},
	{name: "see that a file exists", by: on(sandbox.Mount), do: func(w *world) error { _, err := os.Stat(w.Outside + "/secret"); return err }},
	{name: "write ~/.bashrc", by: files, do: func(w *world) error { return appends(w.Outside + "/.bashrc") }},
	{name: "truncate a file outside", by: files, do: func(w *world) error { return os.Truncate(w.Outside+"/secret", 0) }},
	{name: "create a file outside", by: files, do: func(w *world) error { return os.WriteFile(w.Outside+"/new", nil, 0o666) }},
	{name: "delete a file outside", by: files, do: func(w *world) error { return os.Remove(w.Outside + "/secret") }},
	{name: "hard link from outside", by: files, do: func(w *world) error {
		_ = os.Remove("hard")
		defer os.Remove("hard")
		return os.Link(w.Outside+"/secret", "hard")
	}},
	{name: "hard link to the outside", by: files, do: func(w *world) error { return os.Link("mine", w.Outside+"/new") }},
	{name: "move a file outside", by: files, do: func(w *world) error {
		return errors.Join(os.WriteFile("moving", nil, 0o666), os.Rename("moving", w.Outside+"/new"))
	}},
	{name: "write what can only be read", by: files, do: func(w *world) error { return appends(w.Shown + "/text") }},
	{name: "write /etc", by: files, root: on(sandbox.Identity), unproven: danger, do: func(w *world) error { return os.WriteFile("/etc/"+filepath.Base(w.Base), nil, 0o600) }},
	{name: "replace a program of the system", by: files, root: on(sandbox.Identity), unproven: danger, do: func(w *world) error { return os.WriteFile("/usr/bin/"+filepath.Base(w.Base), nil, 0o600) }},
	{name: "leave a file in /dev/shm", by: files, do: func(w *world) error { return leaves("/dev/shm/" + filepath.Base(w.Base)) }},
	{name: "leave a FIFO in /tmp", by: files, do: func(w *world) error {
		return onlyOutside(unix.Mkfifo(w.Base+"-leak", 0o666))
	}},
	{name: "change /sys or a cgroup", by: files, do: func(*world) error { _, err := os.ReadDir("/sys/fs"); return err }},
	{name: "write /proc/sys", by: files, root: on(sandbox.Identity), unproven: danger, do: func(*world) error { return appends("/proc/sys/kernel/core_pattern") }},
	{name: "make a set-user-ID file", by: on(sandbox.Seccomp), do: func(*world) error {
		return errors.Join(os.WriteFile("suid", nil, 0o755), unix.Chmod("suid", 0o4755))
	}},
	{name: "open with the set-user-ID bit", by: on(sandbox.Seccomp), do: func(*world) error {
		_ = os.Remove("born")
		fd, err := unix.Open("born", unix.O_CREAT|unix.O_WRONLY, 0o6755)
		_ = unix.Close(fd)
		return err
	}},
	{name: "hide the bit from the filter with openat2", by: on(sandbox.Seccomp), do: func(*world) error {
		_ = os.Remove("born2")
		fd, err := unix.Openat2(unix.AT_FDCWD, "born2", &unix.OpenHow{Flags: unix.O_CREAT | unix.O_WRONLY, Mode: 0o4755})
		_ = unix.Close(fd)
		return err
	}},
	{name: "run a set-user-ID program", by: on(sandbox.Mount, sandbox.Landlock, sandbox.Seccomp), unproven: layers, do: setuidProgram},
	{name: "make a device", by: on(sandbox.Seccomp, sandbox.Landlock), root: on(sandbox.Identity), rootOnly: true, do: func(*world) error {
		_ = os.Remove("device")
		return unix.Mknod("device", unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3)))
	}},
	{name: "open a file by its handle", by: on(sandbox.Seccomp, sandbox.Identity), unproven: layers, do: byHandle},

	// Processes.
	{name: "signal rein's processes", by: on(sandbox.PID, sandbox.Landlock), root: on(sandbox.Identity), do: func(w *world) error { return unix.Kill(w.Victim, 0) }},
	{name: "kill every process", by: on(sandbox.PID, sandbox.Landlock, sandbox.Seccomp), unproven: danger, do: func(*world) error {
		if err := unix.Kill(-1, 0); err != nil {
			return err
		}
		return errors.New("only its own")
	}},
	{name: "ptrace rein", by: on(sandbox.PID, sandbox.Landlock, sandbox.Seccomp), root: on(sandbox.Identity), rootOnly: true, do: func(w *world) error {
		runtime.LockOSThread()
		return unix.PtraceSeize(w.Victim)
	}},
	{name: "read rein's memory", by: on(sandbox.PID, sandbox.Landlock, sandbox.Seccomp), root: on(sandbox.Identity), unproven: layers, do: func(w *world) error {
		b := make([]byte, 8)
		_, err := unix.ProcessVMReadv(w.Victim, []unix.Iovec{{Base: &b[0], Len: 8}}, []unix.RemoteIovec{{Base: 0x400000, Len: 8}}, 0)
		return reachedKernel(err, unix.EFAULT)
	}},
	{name: "read rein's environment", by: on(sandbox.PID, sandbox.Mount, sandbox.Landlock), root: on(sandbox.Identity), rootOnly: true, do: func(w *world) error {
		return finds(fmt.Sprintf("/proc/%d/environ", w.Victim))
	}},
	{name: "take a descriptor of rein", by: on(sandbox.PID, sandbox.Landlock, sandbox.Seccomp), root: on(sandbox.Identity), rootOnly: true, do: func(w *world) error {
		fd, err := unix.PidfdOpen(w.Victim, 0)
		if err != nil {
			return err
		}
		_, err = unix.PidfdGetfd(fd, 0, 0)
		return err
	}},
	{name: "read the environment of the first process", do: func(*world) error { return finds(fmt.Sprintf("/proc/%d/environ", os.Getppid())) }},
	{name: "trace the first process", do: func(*world) error {
		runtime.LockOSThread()
		return unix.PtraceSeize(os.Getppid())
	}},
	{name: "write the memory of the first process", do: func(*world) error {
		f, err := os.OpenFile(fmt.Sprintf("/proc/%d/mem", os.Getppid()), os.O_RDWR, 0)
		_ = f.Close()
		return err
	}},
	{name: "find a secret in its own environment", do: func(*world) error {
		if os.Getenv(secretVar) == "" && os.Getenv("LD_PRELOAD") == "" {
			return errors.New("there is none")
		}
		return nil
	}},
	{name: "use an inherited descriptor", do: inherited},
	{name: "use the terminal of rein", do: func(*world) error {
		f, err := os.OpenFile("/dev/tty", os.O_RDWR, 0)
		_ = f.Close()
		return err
	}},
	{name: "survive by a double fork and a new session", do: func(w *world) error {
		return survive(w, "setsid sh -c '(trap \"\" HUP TERM INT; exec sleep MARK) & exit' >/dev/null 2>&1 &")
	}},
	{name: "survive by nohup", do: func(w *world) error { return survive(w, "nohup sh -c 'exec sleep MARK' >/dev/null 2>&1 &") }},

	// Floods.
	{name: "fork bomb", by: on(sandbox.Rlimits, sandbox.Cgroup), limits: sandbox.Limits{Processes: 40}, do: forkMany},
	{name: "memory of one process", by: on(sandbox.Rlimits, sandbox.Watch, sandbox.Cgroup), limits: small, do: func(w *world) error { return take(w, 400<<20, unix.MAP_PRIVATE) }},
	{name: "memory of many processes", by: on(sandbox.Watch, sandbox.Cgroup), limits: small, do: takeTogether},
	{name: "shared memory", by: on(sandbox.Watch, sandbox.Cgroup), limits: small, do: func(w *world) error { return take(w, 400<<20, unix.MAP_SHARED) }},
	{name: "fill /tmp", by: on(sandbox.Mount), limits: sandbox.Limits{Temp: 4 << 20}, do: func(*world) error { return fills(os.TempDir()+"/flood", 16<<20) }},
	{name: "a huge file", by: on(sandbox.Rlimits), limits: sandbox.Limits{FileSize: 4 << 20}, do: func(*world) error { defer os.Remove("flood"); return fills("flood", 16<<20) }},
	{name: "a huge file by fallocate", by: on(sandbox.Rlimits), limits: sandbox.Limits{FileSize: 4 << 20}, do: func(*world) error {
		f, err := os.Create("sparse")
		if err != nil {
			return err
		}
		defer os.Remove("sparse")
		return f.Truncate(1 << 40)
	}},
	{name: "open files", by: on(sandbox.Rlimits), limits: sandbox.Limits{Files: 64}, do: openMany},
	{name: "burn the processor", by: on(sandbox.Rlimits), limits: sandbox.Limits{CPU: time.Second}, unproven: "it takes long", do: burn},
	{name: "dump core", by: on(sandbox.Rlimits), do: func(*world) error {
		return unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{Cur: 4096, Max: 4096})
	}},
	{name: "raise a limit again", by: on(sandbox.Identity), unproven: "this machine takes the capability from root", do: func(*world) error {
		return unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: 1 << 20, Max: 1 << 20})
	}},

	// Network.
	{name: "TCP to the machine's loopback", by: on(sandbox.Net, sandbox.Landlock, sandbox.Seccomp), do: func(w *world) error { return dials("tcp", w.TCP) }},
	{name: "UDP to the machine's loopback", by: on(sandbox.Net, sandbox.Seccomp), do: func(w *world) error { return echoes(w.UDP) }},
	{name: "DNS", by: on(sandbox.Net, sandbox.Seccomp), do: func(w *world) error { return asksDNS(w.UDP) }},
	{name: "listen on the machine's loopback", by: on(sandbox.Net, sandbox.Landlock, sandbox.Seccomp), do: func(w *world) error { return bindsTaken(w.TCP) }},
	{name: "an abstract socket", by: on(sandbox.Net, sandbox.Landlock), do: func(w *world) error { return dials("unix", w.Abstract) }},
	{name: "a socket such as Docker's", by: on(sandbox.Mount), do: func(w *world) error { return dials("unix", w.Socket) }},
	{name: "a packet socket", by: on(sandbox.Seccomp, sandbox.Identity), unproven: layers, do: func(*world) error { return opens(unix.AF_PACKET, unix.SOCK_RAW, 0) }},
	{name: "a netlink socket of the kernel", by: on(sandbox.Seccomp), do: func(*world) error { return opens(unix.AF_NETLINK, unix.SOCK_RAW, unix.NETLINK_KOBJECT_UEVENT) }},
	{name: "a socket to the hypervisor", by: on(sandbox.Seccomp), unproven: "this machine may not have it", do: func(*world) error { return opens(unix.AF_VSOCK, unix.SOCK_STREAM, 0) }},
	{name: "the kernel's cryptography", by: on(sandbox.Seccomp), unproven: "this machine may not have it", do: func(*world) error { return opens(unix.AF_ALG, unix.SOCK_SEQPACKET, 0) }},

	// The system.
	{name: "shared memory of others", by: on(sandbox.IPC), do: func(w *world) error { _, err := unix.SysvShmGet(w.Shared, 4096, 0); return err }},
	{name: "change the host name", by: on(sandbox.Seccomp, sandbox.Identity), unproven: danger, do: func(*world) error { return unix.Sethostname([]byte("owned")) }},
	{name: "mount", by: on(sandbox.Seccomp, sandbox.Identity), unproven: layers, do: func(*world) error { return unix.Mount("tmpfs", "/tmp", "tmpfs", 0, "") }},
	{name: "mount with the new calls", by: on(sandbox.Seccomp, sandbox.Identity), unproven: layers, do: func(*world) error { _, err := unix.Fsopen("tmpfs", 0); return err }},
	{name: "unmount what hides a folder", by: on(sandbox.Seccomp, sandbox.Identity), unproven: layers, do: func(w *world) error { return unix.Unmount(w.Workspace+"/.hidden", unix.MNT_DETACH) }},
	{name: "make a user namespace", by: on(sandbox.Seccomp), do: func(*world) error { return clones(unix.CLONE_NEWUSER) }},
	{name: "make a namespace with clone3", by: on(sandbox.Seccomp), do: func(*world) error {
		_, _, errno := unix.RawSyscall(unix.SYS_CLONE3, 0, 0, 0)
		return reachedKernel(errno, unix.EINVAL, unix.EFAULT)
	}},
	{name: "enter a namespace", by: on(sandbox.Seccomp, sandbox.Identity), unproven: layers, do: func(*world) error {
		f, err := os.Open("/proc/self/ns/ipc")
		if err != nil {
			return err
		}
		return unix.Setns(int(f.Fd()), 0)
	}},
	{name: "chroot", by: on(sandbox.Seccomp, sandbox.Identity), rootOnly: true, do: func(*world) error { return unix.Chroot(".") }},
	{name: "pivot_root", by: on(sandbox.Seccomp, sandbox.Identity), unproven: layers, do: func(*world) error { return unix.PivotRoot(".", ".") }},
	{name: "keys", by: on(sandbox.Seccomp), do: func(*world) error { _, err := unix.KeyctlGetKeyringID(unix.KEY_SPEC_SESSION_KEYRING, true); return err }},
	{name: "io_uring", by: on(sandbox.Seccomp), do: func(*world) error {
		var params [120]byte
		_, _, errno := unix.RawSyscall(unix.SYS_IO_URING_SETUP, 1, uintptr(unsafe.Pointer(&params)), 0)
		return asError(errno)
	}},
	{name: "bpf", by: on(sandbox.Seccomp), unproven: "this machine may refuse it", do: func(*world) error {
		var attr [48]byte
		_, _, errno := unix.RawSyscall(unix.SYS_BPF, 0, uintptr(unsafe.Pointer(&attr)), 48)
		return reachedKernel(errno, unix.EINVAL)
	}},
	{name: "perf events", by: on(sandbox.Seccomp), unproven: "this machine may refuse it", do: func(*world) error {
		_, err := unix.PerfEventOpen(&unix.PerfEventAttr{Type: unix.PERF_TYPE_SOFTWARE, Size: unix.PERF_ATTR_SIZE_VER0}, 0, -1, -1, 0)
		return err
	}},
	{name: "userfaultfd", by: on(sandbox.Seccomp), unproven: "this machine may refuse it", do: func(*world) error {
		_, _, errno := unix.RawSyscall(unix.SYS_USERFAULTFD, unix.O_CLOEXEC|1, 0, 0)
		return asError(errno)
	}},
	{name: "personality without address randomisation", by: on(sandbox.Seccomp), do: func(*world) error {
		_, _, errno := unix.RawSyscall(unix.SYS_PERSONALITY, 0x0040000, 0, 0)
		return asError(errno)
	}},
	{name: "type into a terminal (TIOCSTI)", by: on(sandbox.Seccomp), do: func(*world) error {
		b := byte('x')
		_, _, errno := unix.RawSyscall(unix.SYS_IOCTL, 0, unix.TIOCSTI, uintptr(unsafe.Pointer(&b)))
		return reachedKernel(errno, unix.ENOTTY, unix.EIO)
	}},
	{name: "set the clock", by: on(sandbox.Seccomp, sandbox.Identity), unproven: danger, do: func(*world) error {
		now := unix.NsecToTimespec(time.Now().UnixNano())
		return unix.ClockSettime(unix.CLOCK_REALTIME, &now)
	}},
	{name: "reboot", by: on(sandbox.Seccomp, sandbox.Identity), unproven: danger, do: func(*world) error {
		_, _, errno := unix.RawSyscall6(unix.SYS_REBOOT, 0, 0, 0, 0, 0, 0) // with the wrong magic numbers
		return reachedKernel(errno, unix.EINVAL)
	}},
	{name: "load a kernel module", by: on(sandbox.Seccomp, sandbox.Identity), unproven: danger, do: func(*world) error {
		_, _, errno := unix.RawSyscall(unix.SYS_INIT_MODULE, 0, 0, 0)
		return reachedKernel(errno, unix.EFAULT, unix.ENOEXEC)
	}},
	{name: "become root", by: on(sandbox.Identity), rootOnly: true, do: func(*world) error {
		if err := syscall.Setuid(0); err != nil {
			return err
		}
		return syscall.Setgroups([]int{0})
	}},
	{name: "take capabilities back", by: on(sandbox.Identity), do: func(*world) error {
		header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
		data := [2]unix.CapUserData{{Effective: 1 << unix.CAP_SETPCAP, Permitted: 1 << unix.CAP_SETPCAP}}
		return unix.Capset(&header, &data[0])
	}},
	{name: "escape the OOM killer", by: on(sandbox.Mount, sandbox.Landlock), unproven: layers, do: func(*world) error { return os.WriteFile("/proc/self/oom_score_adj", []byte("-1000"), 0) }},
	{name: "a 32-bit system call", by: on(sandbox.Seccomp), unproven: "see TestFilter", do: func(*world) error {
		_, _, errno := unix.RawSyscall(0x40000000|unix.SYS_GETPID, 0, 0, 0)
		return asError(errno)
	}},
}

var (
	files = on(sandbox.Mount, sandbox.Landlock)
	small = sandbox.Limits{Memory: 192 << 20}
)

func asError(errno unix.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

// reachedKernel turns the errors of a call that went through into a success.
func reachedKernel(err error, through ...unix.Errno) error {
	for _, e := range through {
		if errors.Is(err, e) {
			return nil
		}
	}
	if errno, ok := err.(unix.Errno); ok {
		return asError(errno)
	}
	return err
}

// onlyOutside makes a success inside the box harmless: the world is looked at afterwards.
func onlyOutside(err error) error {
	if err != nil {
		return err
	}
	return errors.New("in the box only")
}

func reads(path string) error {
	text, err := os.ReadFile(path)
	if err == nil && string(text) != theSecret {
		err = fmt.Errorf("it reads %q", text)
	}
	return err
}

func readsAny(path string) error {
	text, err := os.ReadFile(path)
	if err == nil && len(text) == 0 {
		return errors.New("it is empty")
	}
	return err
}

func finds(path string) error {
	text, err := os.ReadFile(path)
	if err == nil && !strings.Contains(string(text), theSecret) {
		return fmt.Errorf("it reads %q", text)
	}
	return err
}

func appends(path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		return err
	}
	_, err = f.WriteString("owned")
	return errors.Join(err, f.Close())
}

func leaves(path string) error { return onlyOutside(os.WriteFile(path, nil, 0o666)) }

func fills(path string, size int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	for range size >> 20 {
		if _, err := f.Write(make([]byte, 1<<20)); err != nil {
			return err
		}
	}
	return nil
}

func dials(network, address string) error {
	c, err := net.Dial(network, address)
	if err != nil {
		return err
	}
	return c.Close()
}

// bindsTaken tries to listen where the machine listens already: in another network the address is free.
func bindsTaken(address string) error {
	l, err := net.Listen("tcp", address)
	if err == nil {
		l.Close()
		return errors.New("it is another network")
	}
	return reachedKernel(errors.Unwrap(errors.Unwrap(err)), unix.EADDRINUSE)
}

func echoes(address string) error {
	c, err := net.Dial("udp", address)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, err := c.Write([]byte("x")); err != nil {
		return err
	}
	_ = c.SetReadDeadline(time.Now().Add(10 * time.Second))
	_, err = c.Read(make([]byte, 1))
	return err
}

// asksDNS sends a question with the secret in the name.
func asksDNS(address string) error { return echoes(address) }

func opens(family, kind, protocol int) error {
	fd, err := unix.Socket(family, kind, protocol)
	_ = unix.Close(fd)
	return err
}

func clones(flags uintptr) error {
	cmd := exec.Command("/bin/true")
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: flags}
	return cmd.Run()
}

func inherited(*world) error {
	for fd := 3; fd < 256; fd++ {
		to, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
		if err == nil && !strings.HasPrefix(to, "anon_inode:") && !strings.HasPrefix(to, "/proc/") && !strings.HasPrefix(to, "/sys/") {
			return nil
		}
	}
	return errors.New("there is none")
}

func setuidProgram(w *world) error {
	out, err := exec.Command(w.Shown + "/setuid").CombinedOutput()
	if err == nil && strings.TrimSpace(string(out)) != "0" {
		err = fmt.Errorf("it is %s", out)
	}
	return err
}

func byHandle(w *world) error {
	handle, mount, err := unix.NameToHandleAt(unix.AT_FDCWD, w.Workspace, 0)
	_, _ = handle, mount
	if err != nil {
		return err
	}
	f, err := os.Open(".")
	if err != nil {
		return err
	}
	_, err = unix.OpenByHandleAt(int(f.Fd()), handle, unix.O_RDONLY)
	return err
}

// survive leaves a process behind; the world looks for it by its mark.
func survive(w *world, script string) error {
	if err := exec.Command("sh", "-c", strings.ReplaceAll(script, "MARK", mark(w))).Run(); err != nil {
		return err
	}
	return errors.New("see who is left")
}

// mark is how long the processes of a world that must not survive sleep: nobody else sleeps that long.
func mark(w *world) string { return markOf(w.Base) }

func markOf(base string) string { return "987." + base[strings.LastIndex(base, "-")+1:] }

func forkMany(*world) error {
	for range 120 {
		cmd := exec.Command("sleep", "1000")
		if err := cmd.Start(); err != nil {
			return err
		}
		defer cmd.Wait()
		defer cmd.Process.Kill()
	}
	return nil
}

func openMany(*world) error {
	for range 200 {
		if _, err := unix.Open("/dev/null", unix.O_RDONLY, 0); err != nil {
			return err
		}
	}
	return nil
}

// take uses memory for real and keeps it for a while.
func take(w *world, size, flags int) error {
	b, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, flags|unix.MAP_ANON)
	if err != nil {
		return err
	}
	for i := 0; i < len(b); i += 4096 {
		b[i] = 1
	}
	time.Sleep(w.Patience)
	return nil
}

func takeTogether(w *world) error {
	done := make(chan error)
	for range 4 {
		cmd := exec.Command(w.Program, "attack", "take a share")
		cmd.Env = os.Environ()
		go func() { done <- cmd.Run() }()
	}
	var errs []error
	for range 4 {
		errs = append(errs, <-done)
	}
	return errors.Join(errs...)
}

func burn(*world) error {
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); {
		runtime.KeepAlive(end)
	}
	return nil
}
