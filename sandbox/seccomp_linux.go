//go:build linux && (amd64 || arm64)

package sandbox

import (
	"fmt"
	"unsafe"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// Where struct seccomp_data has what.
const (
	offNumber = 0
	offArch   = 4
	offArgs   = 16 // the low half of argument n is at offArgs + 8n: both machines are little-endian
)

// lastCall is the newest system call that was looked at. Newer ones do not exist for the command.
const lastCall = unix.SYS_LISTNS

// refused fail with "operation not permitted".
var refused = []uint32{
	// other processes and the kernel's insides
	unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV, unix.SYS_PROCESS_VM_WRITEV, unix.SYS_KCMP, unix.SYS_PIDFD_GETFD,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_USERFAULTFD, unix.SYS_LOOKUP_DCOOKIE, unix.SYS_SYSLOG,
	unix.SYS_KEXEC_LOAD, unix.SYS_KEXEC_FILE_LOAD, unix.SYS_INIT_MODULE, unix.SYS_FINIT_MODULE, unix.SYS_DELETE_MODULE,
	// the file system as a whole
	unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT, unix.SYS_CHROOT, unix.SYS_MOVE_MOUNT, unix.SYS_OPEN_TREE,
	unix.SYS_OPEN_TREE_ATTR, unix.SYS_FSOPEN, unix.SYS_FSCONFIG, unix.SYS_FSMOUNT, unix.SYS_FSPICK, unix.SYS_MOUNT_SETATTR,
	unix.SYS_NAME_TO_HANDLE_AT, unix.SYS_OPEN_BY_HANDLE_AT, unix.SYS_FANOTIFY_INIT, unix.SYS_QUOTACTL, unix.SYS_QUOTACTL_FD,
	unix.SYS_SWAPON, unix.SYS_SWAPOFF, unix.SYS_ACCT,
	// namespaces and keys
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_LISTNS, unix.SYS_KEYCTL, unix.SYS_ADD_KEY, unix.SYS_REQUEST_KEY,
	// the machine
	unix.SYS_REBOOT, unix.SYS_SETTIMEOFDAY, unix.SYS_CLOCK_SETTIME, unix.SYS_CLOCK_ADJTIME, unix.SYS_ADJTIMEX,
	unix.SYS_SETHOSTNAME, unix.SYS_SETDOMAINNAME, unix.SYS_VHANGUP, unix.SYS_NFSSERVCTL, unix.SYS_MBIND, unix.SYS_MIGRATE_PAGES,
	unix.SYS_MOVE_PAGES, unix.SYS_SET_MEMPOLICY,
}

// absent fail with "no such system call", so that programs use the older ones, whose arguments a filter
// can read.
var absent = []uint32{unix.SYS_CLONE3, unix.SYS_OPENAT2, unix.SYS_IO_URING_SETUP, unix.SYS_IO_URING_ENTER, unix.SYS_IO_URING_REGISTER}

// newNamespaces are the flags of clone that make one. CLONE_NEWTIME works with unshare only.
const newNamespaces = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

const setID = unix.S_ISUID | unix.S_ISGID

var (
	allowed = bpf.RetConstant{Val: unix.SECCOMP_RET_ALLOW}
	eperm   = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)}
	enosys  = bpf.RetConstant{Val: unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)}
	killed  = bpf.RetConstant{Val: unix.SECCOMP_RET_KILL_PROCESS}
)

func load(off uint32) bpf.Instruction { return bpf.LoadAbsolute{Off: off, Size: 4} }
func arg(n uint32) bpf.Instruction    { return load(offArgs + 8*n) }

// when runs a body for one system call, and skips it for all others. A body must return.
func when(call uint32, body ...bpf.Instruction) []bpf.Instruction {
	return append([]bpf.Instruction{bpf.JumpIf{Cond: bpf.JumpEqual, Val: call, SkipFalse: uint8(len(body))}}, body...)
}

// hasBits refuses a call if an argument has one of these bits.
func hasBits(call, argument, bits uint32) []bpf.Instruction {
	return when(call, arg(argument), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: bits, SkipFalse: 1}, eperm, allowed)
}

// isOneOf refuses a call if an argument has one of these values.
func isOneOf(call, argument uint32, values ...uint32) []bpf.Instruction {
	body := []bpf.Instruction{arg(argument)}
	for _, v := range values {
		body = append(body, bpf.JumpIf{Cond: bpf.JumpEqual, Val: v, SkipFalse: 1}, eperm)
	}
	return when(call, append(body, allowed)...)
}

// program is the filter. It allows what it does not name; what it names is what a command has no need of.
func (in *inner) program() []bpf.Instruction {
	p := []bpf.Instruction{
		load(offArch), bpf.JumpIf{Cond: bpf.JumpEqual, Val: arch, SkipTrue: 1}, killed, // calls of another kind of machine have other numbers
		load(offNumber), bpf.JumpIf{Cond: bpf.JumpGreaterThan, Val: lastCall, SkipFalse: 1}, enosys, // x32 too, whose numbers are higher
	}
	for _, call := range append(refused, refusedHere...) {
		p = append(p, when(call, eperm)...)
	}
	for _, call := range absent {
		p = append(p, when(call, enosys)...)
	}
	p = append(p, hasBits(unix.SYS_CLONE, 0, newNamespaces)...)
	p = append(p, isOneOf(unix.SYS_IOCTL, 1, unix.TIOCSTI, unix.TIOCLINUX, unix.TIOCSETD, unix.TIOCCONS)...)
	p = append(p, when(unix.SYS_PERSONALITY, arg(0),
		bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0, SkipTrue: 2}, bpf.JumpIf{Cond: bpf.JumpEqual, Val: 0xffffffff, SkipTrue: 1}, eperm, allowed)...)
	p = append(p, isOneOf(unix.SYS_KILL, 0, 0xffffffff)...) // kill(-1): every process that it may signal
	for _, m := range modes {
		p = append(p, m.rule()...)
	}
	p = append(p, in.sockets()...)
	return append(p, allowed)
}

// A mode is an argument with the permissions of a file.
type mode struct {
	call, argument uint32
	flags          int  // the argument with flags of open; -1: none. Without O_CREAT there is no mode
	makes          bool // it can make devices
}

// rule refuses set-user-ID and set-group-ID files, which would act for their owner outside, and devices.
func (m mode) rule() []bpf.Instruction {
	refuse := []bpf.Instruction{arg(m.argument), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: setID, SkipFalse: 1}, eperm}
	if m.flags >= 0 {
		const creates = unix.O_CREAT | 0x400000 // O_TMPFILE without its O_DIRECTORY
		refuse = append([]bpf.Instruction{arg(uint32(m.flags)), bpf.JumpIf{Cond: bpf.JumpBitsSet, Val: creates, SkipTrue: 1}, allowed}, refuse...)
	}
	if m.makes {
		refuse = append(refuse, bpf.ALUOpConstant{Op: bpf.ALUOpAnd, Val: unix.S_IFMT},
			bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.S_IFCHR, SkipTrue: 1}, bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.S_IFBLK, SkipFalse: 1}, eperm)
	}
	return when(m.call, append(refuse, allowed)...)
}

var modes = append([]mode{
	{unix.SYS_FCHMOD, 1, -1, false},
	{unix.SYS_FCHMODAT, 2, -1, false},
	{unix.SYS_FCHMODAT2, 2, -1, false},
	{unix.SYS_OPENAT, 3, 2, false},
	{unix.SYS_MKNODAT, 2, -1, true},
}, modesHere...)

// sockets allows local sockets, routing questions, and the internet where there is a network that the
// command may use: the one of the box, or the machine's by a grant.
func (in *inner) sockets() []bpf.Instruction {
	families := []uint32{unix.AF_UNIX}
	if in.uses(Net) || in.Network {
		families = append(families, unix.AF_INET, unix.AF_INET6)
	}
	body := []bpf.Instruction{arg(0)}
	for _, f := range families {
		body = append(body, bpf.JumpIf{Cond: bpf.JumpEqual, Val: f, SkipFalse: 1}, allowed)
	}
	body = append(body, bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.AF_NETLINK, SkipTrue: 1}, eperm,
		arg(2), bpf.JumpIf{Cond: bpf.JumpEqual, Val: unix.NETLINK_ROUTE, SkipTrue: 1}, eperm, allowed)
	return when(unix.SYS_SOCKET, body...)
}

func (in *inner) seccomp() error {
	raw, err := bpf.Assemble(in.program())
	if err != nil {
		return err
	}
	filter := make([]unix.SockFilter, len(raw))
	for i, r := range raw {
		filter[i] = unix.SockFilter{Code: r.Op, Jt: r.Jt, Jf: r.Jf, K: r.K}
	}
	if err := noNewPrivileges(); err != nil {
		return err
	}
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if _, _, errno := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog))); errno != 0 {
		return fmt.Errorf("set the filter: %w", errno)
	}
	return nil
}

const canFilter = true
