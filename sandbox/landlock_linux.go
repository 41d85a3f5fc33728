package sandbox

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"
)

// What a path grants.
const (
	landRead  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR
	landWrite = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	landDevices = unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK // granted nowhere
	landFile    = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE |
		unix.LANDLOCK_ACCESS_FS_TRUNCATE | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV // what makes sense for a file
)

// landlockABI returns the version that the kernel has; 0 and an error: none.
func landlockABI() (int, error) {
	n, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0, errno
	}
	return int(n), nil
}

// rights returns what a version of Landlock can refuse.
func (in *inner) rights() (attr unix.LandlockRulesetAttr) {
	attr.Handled_access_fs = landRead | landWrite | landDevices
	if in.ABI < 2 {
		attr.Handled_access_fs &^= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if in.ABI < 3 {
		attr.Handled_access_fs &^= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if in.ABI >= 4 && !in.Network && !in.uses(Net) { // the loopback of the box's own network is free to use
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if in.ABI >= 5 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if in.ABI >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return attr
}

// landlock restricts this thread to the paths of the policy.
func (in *inner) landlock() error {
	attr := in.rights()
	size := uintptr(24) // with scopes
	if in.ABI < 6 {
		size = 16 // without scopes
	}
	if in.ABI < 4 {
		size = 8 // without the network
	}
	fd, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, uintptr(unsafe.Pointer(&attr)), size, 0)
	if errno != 0 {
		return fmt.Errorf("create a set of rules: %w", errno)
	}
	defer unix.Close(int(fd))
	for path, access := range in.paths() {
		if err := allow(int(fd), path, access&attr.Handled_access_fs); err != nil {
			return err
		}
	}
	if err := noNewPrivileges(); err != nil {
		return err
	}
	if _, _, errno := unix.Syscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("set the rules: %w", errno)
	}
	return nil
}

// paths lists what the command can reach, for the file system that it sees. A rule is for everything
// below its path: what is read-only below /tmp or the workspace is so by its mount alone.
func (in *inner) paths() map[string]uint64 {
	const device = unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_WRITE_FILE
	out := map[string]uint64{"/proc": unix.LANDLOCK_ACCESS_FS_READ_FILE | unix.LANDLOCK_ACCESS_FS_READ_DIR}
	for _, dir := range systemFolders {
		out[dir] = landRead
	}
	for _, name := range devices {
		out["/dev/"+name] = device
	}
	if in.uses(Mount) {
		out["/"] = unix.LANDLOCK_ACCESS_FS_READ_DIR
		out["/etc"], out["/tmp"], out["/dev/shm"] = landRead, landRead|landWrite, landRead|landWrite
		out["/dev/pts"] = device | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	} else {
		for _, name := range etcShown {
			out["/etc/"+name] = landRead
		}
	}
	for _, g := range in.Grants {
		switch {
		case g.Hide, g.IsTemp && in.uses(Mount):
		case g.Write:
			out[g.Path] = landRead | landWrite
		case out[g.Path] == 0:
			out[g.Path] = landRead
		}
	}
	return out
}

// allow adds a rule. A path that does not exist needs none.
func allow(rules int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= landFile
	}
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.Syscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(rules), unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return fmt.Errorf("a rule for %s: %w", path, errno)
	}
	return nil
}
