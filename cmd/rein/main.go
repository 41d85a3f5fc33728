// Command rein is the one binary, and the only place that wires. Today it looks at a data folder:
// what runs there are, what happened in them, and whether all of it is still what was written.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv)
	stop()
	os.Exit(code)
}

// What rein exits with. Scripts rely on it.
const (
	exitOK    = 0
	exitWrong = 1 // something is wrong, or it did not work
	exitUsage = 2 // it was called wrongly
)

// run is the whole program. It touches nothing of the process but what it is given, and files.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) int {
	c := &call{stdin: stdin, stdout: bufio.NewWriter(stdout), stderr: stderr, env: env}
	err := c.dispatch(ctx, args)
	if flushed := c.stdout.Flush(); flushed != nil && err == nil {
		err = fmt.Errorf("write the output: %w", flushed)
	}
	return c.exit(err)
}

// errWrong says that what is wrong has been printed already.
var errWrong = errors.New("something is wrong")

// exit tells an error and returns what to exit with.
func (c *call) exit(err error) int {
	switch _, usage := errors.AsType[*usageError](err); {
	case err == nil:
		return exitOK
	case errors.Is(err, errWrong):
		return exitWrong
	case errors.Is(err, context.Canceled):
		c.note("rein: interrupted")
		return exitWrong
	case usage:
		c.note("rein: %s", safe(err.Error()))
		return exitUsage
	}
	c.note("rein: %s", safe(err.Error()))
	return exitWrong
}

// A call is one command as it was typed, with what it may use.
type call struct {
	options
	args   []string // without flags
	stdin  io.Reader
	stdout *bufio.Writer
	stderr io.Writer
	env    func(string) string
}

// dispatch finds the command and runs it.
func (c *call) dispatch(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return c.welcome()
	}
	if args[0] == "-h" || args[0] == "-help" || args[0] == "--help" {
		return c.helpAll()
	}
	cmd, rest, err := find(args)
	if err != nil {
		return err
	}
	help, err := c.parse(cmd, rest)
	if err != nil {
		return err
	}
	if help {
		return c.helpOne(cmd)
	}
	return cmd.run(ctx, c)
}

// print writes to standard output. A failure shows when it is flushed.
func (c *call) print(format string, args ...any) {
	fmt.Fprintf(c.stdout, format, args...)
}

// note tells a person something that is not the command's output.
func (c *call) note(format string, args ...any) {
	c.stdout.Flush() // so that the two come in order in a terminal; run reports a failure
	fmt.Fprintf(c.stderr, format+"\n", args...)
}
