package sandbox

import (
	"errors"
	"fmt"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// becomeUser gives up all capabilities and, if it began as root, becomes the user of the box.
func (in *inner) becomeUser() error {
	for c := uintptr(0); c <= unix.CAP_LAST_CAP; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && !errors.Is(err, unix.EINVAL) && !errors.Is(err, unix.EPERM) {
			return fmt.Errorf("drop a capability: %w", err)
		}
	}
	if err := in.changeUser(); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("drop ambient capabilities: %w", err)
	}
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	// Other threads too, where Go can do that; they run nothing but this supervisor.
	_, _, _ = syscall.AllThreadsSyscall(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&none[0])), 0)
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	return unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) // a change of user resets it
}

func (in *inner) changeUser() error {
	if !in.Root {
		return nil
	}
	if err := syscall.Setgroups(nil); err != nil {
		return fmt.Errorf("drop groups: %w", err)
	}
	if err := syscall.Setresgid(in.GID, in.GID, in.GID); err != nil {
		return fmt.Errorf("become group %d: %w", in.GID, err)
	}
	if err := syscall.Setresuid(in.UID, in.UID, in.UID); err != nil {
		return fmt.Errorf("become user %d: %w", in.UID, err)
	}
	return nil
}

// ownThreads is room for the threads of the first process, which the limits count too.
const ownThreads = 24

// setLimits sets the limits of each process.
func (in *inner) setLimits() error {
	for _, l := range []struct {
		resource int
		value    int64
	}{
		{unix.RLIMIT_NPROC, int64(in.Limits.Processes)},
		{unix.RLIMIT_NOFILE, int64(in.Limits.Files)},
		{unix.RLIMIT_DATA, in.Limits.Memory},
		{unix.RLIMIT_FSIZE, in.Limits.FileSize},
		{unix.RLIMIT_MEMLOCK, 8 << 20},
		{unix.RLIMIT_MSGQUEUE, 1 << 20},
		{unix.RLIMIT_CORE, 0},
	} {
		if l.value < 0 {
			continue
		}
		if l.resource == unix.RLIMIT_NPROC {
			l.value += ownThreads
		}
		if err := lower(l.resource, uint64(l.value)); err != nil {
			return err
		}
	}
	return nil
}

// lower sets a limit, or keeps it where it is lower already.
func lower(resource int, value uint64) error {
	var now syscall.Rlimit
	if err := syscall.Getrlimit(resource, &now); err != nil {
		return err
	}
	value = min(value, now.Max)
	return syscall.Setrlimit(resource, &syscall.Rlimit{Cur: value, Max: value})
}

func noNewPrivileges() error {
	return unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
}
