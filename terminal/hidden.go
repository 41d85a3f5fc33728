package terminal

import (
	"context"
	"errors"
	"os"

	"golang.org/x/term"
)

// ReadHidden reads a line from a terminal without showing what is typed. When the context ends, the terminal shows
// again what is typed; the read itself ends with the process.
func ReadHidden(ctx context.Context, in any) (string, error) {
	file, ok := in.(*os.File)
	if !ok {
		return "", errors.New("this is not a terminal")
	}
	before, err := term.GetState(int(file.Fd()))
	if err != nil {
		return "", err
	}
	done := make(chan Typed, 1)
	go func() {
		line, err := term.ReadPassword(int(file.Fd()))
		done <- Typed{Text: string(line), Err: err}
	}()
	select {
	case line := <-done:
		return line.Text, line.Err
	case <-ctx.Done():
		_ = term.Restore(int(file.Fd()), before)
		return "", ctx.Err()
	}
}
