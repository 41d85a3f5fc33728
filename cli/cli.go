// Package cli is the command line of rein. Main runs it with your own tools, models and flows
// added; cmd/rein runs it with none. Each command is a row of the command table, with its flags and
// its function in a file named after it.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"rein"
	"rein/app"
	"rein/app/config"
	"rein/internal/headroom"
	"rein/sandbox"
	"rein/terminal"
)

// Main runs the command that the process was started with, and ends the process. The options are what a
// program of your own adds; where its data and settings are is for the flags to say.
func Main(parts app.Options) {
	sandbox.Init()
	headroom.Take()
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Environ(), signals, parts))
}

// run is the whole program. It touches nothing of the process but what it is given, and files.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, env []string, signals chan os.Signal, parts app.Options) int {
	c := &call{parts: parts, stdin: stdin, env: env, signals: signals}
	c.out = terminal.NewOutput(stdout, stderr, c.env.Get)
	err := c.dispatch(args)
	if closed := c.out.Close(); err == nil {
		err = closed
	}
	return c.exit(err)
}

// A call is one command as it was typed, with what it may use.
type call struct {
	options
	args    []string // without flags
	stdin   io.Reader
	out     *terminal.Output
	env     config.Environment
	signals chan os.Signal

	parts  app.Options           // what the program adds
	set    *app.Setup            // once it is needed
	named  map[string]rein.RunID // what names of runs have been found to mean
	serves bool                  // it is a service: its flags are for all runs
	runs   bool                  // it is about one run: so are its flags
}

// dispatch finds the command and runs it.
func (c *call) dispatch(args []string) error {
	if c.opensScreen(args) {
		args = append([]string{"tui"}, args...)
	}
	if len(args) == 0 {
		return c.welcome()
	}
	switch {
	case isHelp(args[0]):
		return c.helpAll()
	case args[0] == "-v" || args[0] == "-version" || args[0] == "--version":
		return runVersion(context.Background(), c)
	case len(args) == 2 && isHelp(args[1]) && len(below(args[0])) > 0:
		return c.helpGroup(args[0])
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
	if c.plain {
		c.out.Plain()
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	if !cmd.watches {
		go func() {
			cancel(left{<-c.signals})
		}()
	}
	err = cmd.run(ctx, c)
	if cause, ok := errors.AsType[left](context.Cause(ctx)); ok && errors.Is(err, context.Canceled) {
		return cause
	}
	return err
}

// print writes lines to standard output, which a terminal gets folded to its width. A failure shows when it is flushed.
func (c *call) print(format string, args ...any) {
	c.out.Lines(2, fmt.Sprintf(format, args...))
}

// verbatim is print for a text whose lines must stay as they are, such as a diff.
func (c *call) verbatim(text string) { c.out.Print("%s", text) }

// note tells a person something that is not the command's output.
func (c *call) note(format string, args ...any) {
	c.out.Note(format, args...)
}
