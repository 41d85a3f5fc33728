//go:build darwin || freebsd || netbsd || openbsd || dragonfly

package terminal

import (
	"os"

	"golang.org/x/sys/unix"
)

// fread is FREAD of sys/file.h: what was typed, not what is still to be shown.
const fread = 1

// Discard drops what was typed and not read, so that it answers nothing that is asked later.
func (k *Keyboard) Discard() {
	if file, ok := k.in.(*os.File); ok {
		_ = unix.IoctlSetPointerInt(int(file.Fd()), unix.TIOCFLUSH, fread) // it is a terminal or does not matter
	}
}
