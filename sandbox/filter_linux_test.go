//go:build linux && (amd64 || arm64)

package sandbox

import (
	"encoding/binary"
	"testing"

	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"
)

// The filter, call by call, also those that this machine's kernel does not have.
func TestFilter(t *testing.T) {
	t.Parallel()
	ok, no, none := allowed.Val, eperm.Val, enosys.Val
	inBox, granted, bare := spec{Use: []Mechanism{Net}}, spec{Network: true}, spec{}
	for _, c := range []struct {
		says string
		in   spec
		arch uint32
		call uint32
		args []uint32
		want uint32
	}{
		{"read", inBox, arch, unix.SYS_READ, nil, ok},
		{"another machine's calls", inBox, unix.AUDIT_ARCH_I386, 1, nil, killed.Val},
		{"an x32 call", inBox, arch, 0x40000000 | 39, nil, none},
		{"a call from the future", inBox, arch, lastCall + 1, nil, none},
		{"ptrace", inBox, arch, unix.SYS_PTRACE, nil, no},
		{"setns", inBox, arch, unix.SYS_SETNS, nil, no},
		{"clone3", inBox, arch, unix.SYS_CLONE3, nil, none},
		{"a thread", inBox, arch, unix.SYS_CLONE, []uint32{unix.CLONE_VM | unix.CLONE_THREAD}, ok},
		{"a child with a namespace", inBox, arch, unix.SYS_CLONE, []uint32{unix.CLONE_VM | unix.CLONE_NEWNET}, no},
		{"a question to a terminal", inBox, arch, unix.SYS_IOCTL, []uint32{0, unix.TCGETS}, ok},
		{"typing into a terminal", inBox, arch, unix.SYS_IOCTL, []uint32{0, unix.TIOCSTI}, no},
		{"which personality", inBox, arch, unix.SYS_PERSONALITY, []uint32{0xffffffff}, ok},
		{"another personality", inBox, arch, unix.SYS_PERSONALITY, []uint32{8}, no},
		{"a signal to one", inBox, arch, unix.SYS_KILL, []uint32{12}, ok},
		{"a signal to all", inBox, arch, unix.SYS_KILL, []uint32{0xffffffff}, no},
		{"chmod", inBox, arch, unix.SYS_FCHMODAT, []uint32{0, 0, 0o755}, ok},
		{"chmod u+s", inBox, arch, unix.SYS_FCHMODAT, []uint32{0, 0, 0o4755}, no},
		{"chmod g+s", inBox, arch, unix.SYS_FCHMOD, []uint32{0, 0o2755}, no},
		{"open with a mode that does not count", inBox, arch, unix.SYS_OPENAT, []uint32{0, 0, unix.O_RDONLY, 0o4755}, ok},
		{"create", inBox, arch, unix.SYS_OPENAT, []uint32{0, 0, unix.O_CREAT, 0o644}, ok},
		{"create u+s", inBox, arch, unix.SYS_OPENAT, []uint32{0, 0, unix.O_CREAT, 0o4755}, no},
		{"a nameless file u+s", inBox, arch, unix.SYS_OPENAT, []uint32{0, 0, unix.O_TMPFILE | unix.O_RDWR, 0o4755}, no},
		{"a FIFO", inBox, arch, unix.SYS_MKNODAT, []uint32{0, 0, unix.S_IFIFO | 0o600}, ok},
		{"a disk", inBox, arch, unix.SYS_MKNODAT, []uint32{0, 0, unix.S_IFBLK | 0o600}, no},
		{"a character device", inBox, arch, unix.SYS_MKNODAT, []uint32{0, 0, unix.S_IFCHR | 0o600}, no},
		{"a local socket", bare, arch, unix.SYS_SOCKET, []uint32{unix.AF_UNIX}, ok},
		{"internet in the box", inBox, arch, unix.SYS_SOCKET, []uint32{unix.AF_INET}, ok},
		{"internet by a grant", granted, arch, unix.SYS_SOCKET, []uint32{unix.AF_INET6}, ok},
		{"internet of the machine", bare, arch, unix.SYS_SOCKET, []uint32{unix.AF_INET}, no},
		{"internet of the machine, new", bare, arch, unix.SYS_SOCKET, []uint32{unix.AF_INET6}, no},
		{"packets", granted, arch, unix.SYS_SOCKET, []uint32{unix.AF_PACKET}, no},
		{"the hypervisor", granted, arch, unix.SYS_SOCKET, []uint32{unix.AF_VSOCK}, no},
		{"routes", inBox, arch, unix.SYS_SOCKET, []uint32{unix.AF_NETLINK, 0, unix.NETLINK_ROUTE}, ok},
		{"the firewall", inBox, arch, unix.SYS_SOCKET, []uint32{unix.AF_NETLINK, 0, unix.NETLINK_NETFILTER}, no},
	} {
		vm, err := bpf.NewVM((&inner{spec: c.in}).program())
		if err != nil {
			t.Fatal(err)
		}
		data := make([]byte, 64) // the virtual machine reads numbers as networks write them
		binary.BigEndian.PutUint32(data[offNumber:], c.call)
		binary.BigEndian.PutUint32(data[offArch:], c.arch)
		for i, a := range c.args {
			binary.BigEndian.PutUint32(data[offArgs+8*i:], a)
		}
		got, err := vm.Run(data)
		if err != nil || uint32(got) != c.want {
			t.Errorf("%s: %#x, want %#x (%v)", c.says, got, c.want, err)
		}
	}
}
