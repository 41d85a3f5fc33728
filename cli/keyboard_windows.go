package cli

import (
	"os"

	"golang.org/x/sys/windows"
)

// discard drops what was typed and not read, so that it answers nothing that is asked later.
func (k *keyboard) discard() {
	if file, ok := k.in.(*os.File); ok {
		_ = windows.FlushConsoleInputBuffer(windows.Handle(file.Fd())) // it is a console or does not matter
	}
}
