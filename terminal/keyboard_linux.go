package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// Discard drops what was typed and not read, so that it answers nothing that is asked later.
func (k *Keyboard) Discard() {
	if file, ok := k.in.(*os.File); ok {
		_ = unix.IoctlSetInt(int(file.Fd()), unix.TCFLSH, unix.TCIFLUSH) // it is a terminal or does not matter
	}
}
