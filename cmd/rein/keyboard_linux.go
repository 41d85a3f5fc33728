package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// discard drops what was typed for a question that is gone, so that it does not answer the next.
func (k *keyboard) discard() {
	if file, ok := k.in.(*os.File); ok {
		_ = unix.IoctlSetInt(int(file.Fd()), unix.TCFLSH, unix.TCIFLUSH) // it is a terminal or does not matter
	}
}
