package stage

import (
	"errors"
	"os"
	"path"

	"golang.org/x/sys/unix"
)

// exchange lets two files of a root take each other's name in one moment: nobody sees a name without
// a file. It is errors.ErrUnsupported where the disk cannot do it.
func exchange(root *os.Root, a, b string) error {
	from, err := root.Open(path.Dir(a))
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := root.Open(path.Dir(b))
	if err != nil {
		return err
	}
	defer to.Close()
	err = unix.Renameat2(int(from.Fd()), path.Base(a), int(to.Fd()), path.Base(b), unix.RENAME_EXCHANGE)
	if errors.Is(err, unix.EINVAL) || errors.Is(err, unix.ENOSYS) {
		return errors.ErrUnsupported
	}
	return err
}
