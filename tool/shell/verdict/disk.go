package verdict

import (
	"io"
	"io/fs"
	"os"
	"syscall"
)

// A Disk is what a Policy looks at beside the line: where links lead, what globs find, and what git obeys.
type Disk interface {
	ReadFile(name string) ([]byte, error)
	// ReadDir returns what is in a folder. One that has too much to look at is an error.
	ReadDir(name string) ([]fs.DirEntry, error)
	Readlink(name string) (string, error)
	Stat(name string) (fs.FileInfo, error)
}

// OS is the Disk of this machine.
type OS struct{}

var _ Disk = OS{}

const (
	maxFile  = 1 << 20 // bytes of a file with settings
	maxNames = 20_000  // in one folder
)

// ReadFile implements Disk. Anything but a plain file, such as a pipe that nobody writes to, is an error.
func (OS) ReadFile(name string) ([]byte, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, &fs.PathError{Op: "read", Path: name, Err: fs.ErrInvalid}
	}
	return os.ReadFile(name)
}

// ReadDir implements Disk.
func (OS) ReadDir(name string) ([]fs.DirEntry, error) {
	if info, err := os.Stat(name); err != nil {
		return nil, err
	} else if !info.IsDir() {
		return nil, &fs.PathError{Op: "list", Path: name, Err: syscall.ENOTDIR}
	}
	dir, err := os.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0) // whatever it is by now, this does not wait
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	all, err := dir.ReadDir(maxNames)
	if err == io.EOF {
		err = nil
	}
	if err == nil && len(all) == maxNames {
		err = &fs.PathError{Op: "list", Path: name, Err: fs.ErrInvalid}
	}
	return all, err
}

// Readlink implements Disk.
func (OS) Readlink(name string) (string, error) { return os.Readlink(name) }

// Stat implements Disk.
func (OS) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }
