package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// Discard drops what was typed and not read, so that it answers nothing that is asked later.
func (k *Keyboard) Discard() {
	if file, ok := k.in.(*os.File); ok {
		_ = windows.FlushConsoleInputBuffer(windows.Handle(file.Fd())) // it is a console or does not matter
	}
}
