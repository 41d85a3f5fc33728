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

// Plain makes the output one of plain lines: no colours, no row that is written again, and only ASCII of rein's own. It is
// for the beginning, before anything is shown.
func (o *Output) Plain() {
	o.Screen = o.Screen.plain()
	o.Status.screen = o.Screen
}

// Print writes to standard output. A failure shows when it is flushed.
func (o *Output) Print(format string, args ...any) {
	fmt.Fprintf(o.Stdout, format, args...)
}

// further is how far rows are indented that continue a line of rein's own: no line begins so far to the right, so what others
// wrote in one cannot look like another.
const further = 6

// Note writes a line to standard error, after all that was printed before. At a terminal it is folded to its width.
func (o *Output) Note(format string, args ...any) {
	o.Stdout.Flush() // so that the two come in order in a terminal; Close reports a failure
	line := fmt.Sprintf(format, args...)
	if o.Screen.told {
		line = Wrap(line, o.Screen.Columns()-1, further)
	}
	fmt.Fprintln(o.Stderr, line)
}

// Lines writes lines to standard output, which a terminal gets folded to its width. Rows that continue a line are indented
// by so much more than the line.
func (o *Output) Lines(more int, text string) {
	if o.Screen.Text {
		text = Wrap(text, o.Screen.Columns()-1, more)
	}
	o.Print("%s", text)
}

// Close ends the status and writes what is left.
func (o *Output) Close() error {
	o.Status.End()
	if err := o.Stdout.Flush(); err != nil {
		return fmt.Errorf("write the output: %w", err)
	}
	return nil
}
