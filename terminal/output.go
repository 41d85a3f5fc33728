package terminal

import (
	"bufio"
	"fmt"
	"io"
)

// An Output is the two outputs of a command: standard output for what was asked for, standard error for
// remarks to people. A status shares the screen with both.
type Output struct {
	Screen Screen
	Status *Status
	Stdout *bufio.Writer
	Stderr io.Writer
}

// NewOutput returns an Output over the two. The function looks up variables such as TERM.
func NewOutput(stdout, stderr io.Writer, env func(string) string) *Output {
	o := &Output{Screen: newScreen(stdout, stderr, env)}
	o.Status = newStatus(o.Screen, stderr)
	o.Stderr = &above{stderr, o.Status}
	if o.Screen.Text {
		stdout = &above{stdout, o.Status}
	}
	o.Stdout = bufio.NewWriter(stdout)
	return o
}

// Print writes to standard output. A failure shows when it is flushed.
func (o *Output) Print(format string, args ...any) {
	fmt.Fprintf(o.Stdout, format, args...)
}

// Note writes a line to standard error, after all that was printed before.
func (o *Output) Note(format string, args ...any) {
	o.Stdout.Flush() // so that the two come in order in a terminal; Close reports a failure
	fmt.Fprintf(o.Stderr, format+"\n", args...)
}

// Close ends the status and writes what is left.
func (o *Output) Close() error {
	o.Status.End()
	if err := o.Stdout.Flush(); err != nil {
		return fmt.Errorf("write the output: %w", err)
	}
	return nil
}
