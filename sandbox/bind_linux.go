package sandbox

import (
	"errors"
	"fmt"
	"runtime"
	"strings"

	"golang.org/x/sys/unix"
)

// show shows a path of the machine at the same place in the box.
func (v *view) show(g grant) error { return v.place(g, relative(g.Path)) }

// place shows a path of the machine at another place in the box. No symbolic link is followed on the way:
// Start has resolved them, and one that appeared since is an attack.
func (v *view) place(g grant, at string) error {
	source, err := unix.Openat2(v.old, relative(g.Path), &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_BENEATH})
	if err != nil {
		return fmt.Errorf("%s: %w", g.Path, err)
	}
	defer unix.Close(source)
	tree, err := unix.OpenTree(source, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_EMPTY_PATH|unix.AT_RECURSIVE)
	if err != nil {
		return fmt.Errorf("%s: %w", g.Path, err)
	}
	defer unix.Close(tree)
	attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_NOSUID | unix.MOUNT_ATTR_NODEV}
	if !g.Write {
		attr.Attr_set |= unix.MOUNT_ATTR_RDONLY
	}
	if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH|unix.AT_RECURSIVE, &attr); err != nil {
		return fmt.Errorf("%s: restrict the mount: %w", g.Path, err)
	}
	if g.IDMap != 0 {
		attr := unix.MountAttr{Attr_set: unix.MOUNT_ATTR_IDMAP, Userns_fd: uint64(g.IDMap)}
		if err := unix.MountSetattr(tree, "", unix.AT_EMPTY_PATH, &attr); err != nil {
			return fmt.Errorf("%s: show it as the user of the box: %w", g.Path, err)
		}
	}
	target, err := v.target(source, at)
	if err != nil {
		return fmt.Errorf("%s in the box: %w", g.Path, err)
	}
	defer unix.Close(target)
	if err := unix.MoveMount(tree, "", target, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH); err != nil {
		return fmt.Errorf("%s: show it: %w", g.Path, err)
	}
	return nil
}

// target opens the place in the box where something is shown, and makes it if need be.
func (v *view) target(source int, at string) (int, error) {
	fd, err := v.within(v.new, at)
	if !errors.Is(err, unix.ENOENT) {
		return fd, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(source, &st); err != nil {
		return -1, err
	}
	at = "/" + at
	dir, err := unix.FcntlInt(uintptr(v.new), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	parts := strings.Split(relative(at), "/")
	for i, name := range parts {
		isFile := i == len(parts)-1 && st.Mode&unix.S_IFMT != unix.S_IFDIR
		err = makeAt(dir, name, isFile)
		if errors.Is(err, unix.EOVERFLOW) { // in a folder that is mapped to the user of the box, root is nobody
			err = v.asUser(func() error { return makeAt(dir, name, isFile) })
		}
		if err != nil && !errors.Is(err, unix.EEXIST) {
			unix.Close(dir)
			return -1, err
		}
		next, err := v.within(dir, name)
		unix.Close(dir)
		if err != nil {
			return -1, err
		}
		dir = next
	}
	return dir, nil
}

func makeAt(dir int, name string, isFile bool) error {
	if isFile {
		return unix.Mknodat(dir, name, unix.S_IFREG|0o644, 0)
	}
	return unix.Mkdirat(dir, name, 0o755)
}

// asUser does something to files as the user of the box.
func (v *view) asUser(do func() error) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	_, err := unix.SetfsgidRetGid(v.GID)
	_, err2 := unix.SetfsuidRetUid(v.UID)
	done := do()
	_, err3 := unix.SetfsuidRetUid(0)
	_, err4 := unix.SetfsgidRetGid(0)
	return errors.Join(err, err2, done, err3, err4)
}

func (v *view) within(dir int, path string) (int, error) {
	return unix.Openat2(dir, path, &unix.OpenHow{Flags: unix.O_PATH | unix.O_CLOEXEC, Resolve: unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_BENEATH})
}

// hide covers a path in the box: a folder by an empty one that cannot be opened, a file by an empty file.
func (v *view) hide(path string) error {
	target, err := v.within(v.new, path)
	if err != nil {
		return err
	}
	defer unix.Close(target)
	var st unix.Stat_t
	if err := unix.Fstat(target, &st); err != nil {
		return err
	}
	if st.Mode&unix.S_IFMT == unix.S_IFDIR {
		if err := unix.Fchdir(target); err != nil {
			return err
		}
		defer func() { _ = unix.Chdir("/") }()
		return mountTmpfs(".", unix.MS_RDONLY|unix.MS_NODEV|unix.MS_NOEXEC, "mode=0000,size=4k,nr_inodes=2")
	}
	tree, err := unix.OpenTree(v.new, "dev/null", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC)
	if err != nil {
		return err
	}
	defer unix.Close(tree)
	return unix.MoveMount(tree, "", target, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH)
}
