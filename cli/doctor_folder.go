package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"rein/internal/units"
)

func (d *doctor) checkFolder() bool {
	info, err := os.Stat(d.folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.find(warn, "folder", "it is made when something is first run there", "%s does not exist", d.folder)
		return false
	case err != nil:
		d.find(wrong, "folder", "give this user the right to read it", "%v", err)
		return false
	case !info.IsDir():
		d.find(wrong, "folder", "name a folder with --data", "%s is not a folder", d.folder)
		return false
	}
	d.find(fine, "folder", "", "%s", d.folder)
	return true
}

// checkPermissions warns if anyone but its owner can get at the data.
func (d *doctor) checkPermissions() {
	names := []string{d.path, d.path + "-wal", d.path + "-shm", d.path + ".lock"}
	if !d.lone {
		names = append([]string{d.folder}, names...)
	}
	open := 0
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || info.Mode().Perm()&0o077 == 0 {
			continue
		}
		open++
		mode := "600"
		if info.IsDir() {
			mode = "700"
		}
		d.find(warn, "permissions", "chmod "+mode+" "+name, "others can use %s (mode %04o)", name, info.Mode().Perm())
	}
	if open == 0 {
		d.find(fine, "permissions", "", "only its owner can use the data")
	}
}

const (
	fewBytes = 500e6
	noBytes  = 20e6
)

func (d *doctor) checkDisk() {
	var fs unix.Statfs_t
	if err := unix.Statfs(d.folder, &fs); err != nil {
		d.find(warn, "disk", "look at it yourself", "how much is free cannot be read: %v", err)
		return
	}
	free := int64(fs.Bavail) * int64(fs.Bsize)
	switch {
	case free < noBytes:
		d.find(wrong, "disk", "make room: runs stop where the disk is full", "%s free", units.Size(free))
	case free < fewBytes:
		d.find(warn, "disk", "make room soon", "%s free", units.Size(free))
	default:
		d.find(fine, "disk", "", "%s free", units.Size(free))
	}
}

func (d *doctor) checkOwner() {
	pid, owned, err := ownerOf(d.path)
	switch d.owned = owned; {
	case err != nil:
		d.find(warn, "owner", "run doctor as the user who runs rein", "who has it open cannot be read: %v", err)
	case owned:
		d.find(fine, "owner", "", "process %s has it open", pid)
	default:
		d.find(fine, "owner", "", "no process has it open")
	}
}

// ownerOf finds out whether a process has a database open. Only taking its lock can tell, because
// the number in the file outlives the process; it is taken shared and for a moment.
func ownerOf(path string) (pid string, owned bool, err error) {
	lock, err := os.Open(path + ".lock")
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer lock.Close()
	err = unix.Flock(int(lock.Fd()), unix.LOCK_SH|unix.LOCK_NB)
	if err == nil {
		return "", false, unix.Flock(int(lock.Fd()), unix.LOCK_UN)
	}
	if !errors.Is(err, unix.EWOULDBLOCK) {
		return "", false, err
	}
	text, err := io.ReadAll(io.LimitReader(lock, 32))
	return strings.TrimSpace(string(text)), true, err
}
