package cli

import (
	"context"
	"errors"
	"os"
	"strconv"

	"rein"
	"rein/app"
	"rein/app/config"
)

// What rein exits with. Scripts rely on it.
const (
	exitOK       = 0
	exitWrong    = 1
	exitUsage    = 2
	exitLimit    = 3
	exitDeclined = 4
	exitWaits    = 5
	exitStopped  = 6
	exitLeft     = 130
)

// exits is the table that the help and the manual show.
var exits = []struct {
	code  int
	means string
}{
	{exitOK, "success"},
	{exitWrong, "failure, or a problem was found"},
	{exitUsage, "the command or the settings are wrong"},
	{exitLimit, "a limit ended the run; its answer may be incomplete"},
	{exitDeclined, "the run ended because a person declined to continue"},
	{exitWaits, "the run waits for a person"},
	{exitStopped, "the run was stopped, cancelled or deleted"},
	{exitLeft, "interrupted by Ctrl-C or a signal; runs are kept"},
}

// exitOf is what a run's end makes rein exit with.
func exitOf(end rein.End) error {
	switch end {
	case rein.EndDone:
		return nil
	case rein.EndLimit:
		return quiet(exitLimit)
	case rein.EndDeclined:
		return quiet(exitDeclined)
	case rein.EndStopped, rein.EndCancelled, rein.EndDeleted:
		return quiet(exitStopped)
	}
	return errWrong
}

// quiet is an exit code whose reason has been told already.
type quiet int

func (q quiet) Error() string { return "exit " + strconv.Itoa(int(q)) }

// errWrong says that what is wrong has been printed already.
const errWrong = quiet(exitWrong)

// left says that a signal ended the command.
type left struct{ signal os.Signal }

func (l left) Error() string {
	if l.signal == os.Interrupt {
		return "interrupted"
	}
	return "ended by a signal: " + l.signal.String()
}

// exit tells an error and returns what to exit with.
func (c *call) exit(err error) int {
	if err == nil {
		return exitOK
	}
	if code, ok := errors.AsType[quiet](err); ok {
		return int(code)
	}
	if problems, ok := errors.AsType[config.Problems](err); ok {
		if len(problems) == 1 && problems[0].Flag != "" {
			c.note("rein: %s", safe(problems[0].String())) // no file has it
			return exitUsage
		}
		c.note("rein: the settings are wrong:")
		for _, p := range problems {
			c.note("%s", safe(p.String()))
		}
		return exitUsage
	}
	c.note("rein: %s", safe(err.Error()))
	if unclear, ok := errors.AsType[*unclearError](err); ok {
		for _, line := range c.noted(unclear.rows()) {
			c.note("%s", line)
		}
		return exitUsage
	}
	if _, usage := errors.AsType[*usageError](err); usage {
		return exitUsage
	}
	if _, setting := errors.AsType[*app.SettingError](err); setting {
		return exitUsage
	}
	if _, ok := errors.AsType[left](err); ok || errors.Is(err, context.Canceled) {
		return exitLeft
	}
	return exitWrong
}
