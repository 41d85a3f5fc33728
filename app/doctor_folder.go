package app

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"

	"rein/internal/units"
)

func (d *doctor) checkFolder() bool {
	info, err := os.Stat(d.Folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.find(Warn, "folder", d.tip(try)+" creates it", "%s does not exist", d.Folder)
		return false
	case err != nil:
		d.find(Wrong, "folder", "let this user read it, as in `sudo chown -R \"$USER\" "+d.Folder+"`, or name another folder with --data", "%v", err)
		return false
	case !info.IsDir():
		d.find(Wrong, "folder", "name a folder with --data DIR, or set data in rein.toml", "%s is not a folder", d.Folder)
		return false
	}
	d.find(Fine, "folder", "", "%s", d.Folder)
	return true
}

// opens says what may let the database be opened.
func (d *doctor) opens() string {
	return "`ls -l " + d.Folder + "` shows whether this user may read it; else " + restore
}

// checkPermissions warns if anyone but its owner can get at the data.
func (d *doctor) checkPermissions() {
	names := []string{d.Path, d.Path + "-wal", d.Path + "-shm", d.Path + ".lock", d.LogPath()}
	if !d.Lone {
		names = append([]string{d.Folder}, names...)
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
		d.find(Warn, "permissions", "`chmod "+mode+" "+name+"`", "others can use %s (mode %04o)", name, info.Mode().Perm())
	}
	if open == 0 {
		d.find(Fine, "permissions", "", "only its owner can use the data")
	}
}

const (
	fewBytes = 500e6
	noBytes  = 20e6
)

func (d *doctor) checkDisk() {
	var fs unix.Statfs_t
	if err := unix.Statfs(d.Folder, &fs); err != nil {
		d.find(Warn, "disk", "`df -h "+d.Folder+"` shows it", "cannot read how much space is free: %v", err)
		return
	}
	free := int64(fs.Bavail) * int64(fs.Bsize)
	switch {
	case free < noBytes:
		d.find(Wrong, "disk", "free some space, or set data to a folder on another disk: runs stop when the disk is full. `du -sh "+d.Folder+"` shows what rein uses, "+d.tip("erase SESSION")+" removes a session", "%s free", units.Size(free))
	case free < fewBytes:
		d.find(Warn, "disk", "free some space soon, or set data to a folder on another disk. `du -sh "+d.Folder+"` shows what rein uses, "+d.tip("erase SESSION")+" removes a session", "%s free", units.Size(free))
	default:
		d.find(Fine, "disk", "", "%s free", units.Size(free))
	}
}

// Owner finds the process that has the data open, if one has; 0: it cannot be told yet which.
func (p Place) Owner() (pid int, owned bool, err error) {
	text, owned, err := ownerOf(p.Path)
	pid, _ = strconv.Atoi(text) // one that has just taken it has not written its number yet
	return pid, owned, err
}

// inBackground says so of an owner that is.
func (d *doctor) inBackground(ctx context.Context) string {
	a := Dial(ctx, d.Place)
	if a == nil {
		return ""
	}
	o, err := a.Owner(ctx)
	if err != nil {
		return ""
	}
	return " in the background, and ends after " + units.Span(o.Idle) + " without work; " + d.tip("owner stop") + " ends it now"
}

func (d *doctor) checkOwner(ctx context.Context) {
	pid, owned, err := ownerOf(d.Path)
	switch d.owned, d.holder = owned, pid; {
	case err != nil:
		d.find(Warn, "owner", "look as the user who runs rein: `sudo -u USER rein doctor`", "cannot read which process has it open: %v", err)
	case owned:
		d.find(Fine, "owner", "", "process %s has it open%s", pid, d.inBackground(ctx))
	default:
		d.find(Fine, "owner", "", "no process has it open")
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
