package cli

import (
	"context"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/internal/units"
	"rein/internal/visible"
)

func commandsCommand() command {
	return command{
		name: "commands", does: "list the commands that run in the background",
		more:  `A run can start a command in the background. It goes on when the run has ended, until it ends, its time is over, somebody stops it, or the process that started it exits. rein commands stop ID ends one.`,
		flags: lookFlags, run: runCommands,
	}
}

func runCommands(ctx context.Context, c *call) error {
	a, _, err := c.dialOwner(ctx)
	if a == nil || err != nil {
		return err
	}
	all, err := a.BackgroundCommands(ctx)
	if err != nil {
		return err
	}
	rows := [][]string{{"ID", "RUN", "RUNNING FOR", "COMMAND"}}
	for _, b := range all {
		if c.json {
			if err := c.printJSON(b); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []string{safe(b.ID), safe(string(b.Run)), runningFor(b), lineOf(b)})
	}
	switch {
	case c.json:
	case len(all) == 0:
		c.print("no command runs in the background\n")
	default:
		c.columns(rows)
		c.print("%s ends one\n", c.tip("commands stop ID"))
	}
	return nil
}

func runningFor(b api.BackgroundCommand) string {
	return units.Span(time.Since(b.Started).Truncate(time.Second))
}

// lineOf is a command in one line, clipped.
func lineOf(b api.BackgroundCommand) string { return short(visible.Line(b.Command), 80) }

func commandsStopCommand() command {
	return command{
		name: "commands stop", args: "ID", does: "end a command that runs in the background", least: 1, most: 1,
		more:  `Ends the command with everything that it started. What it wrote is kept, and what it changed can be undone.`,
		flags: lookFlags, run: runCommandsStop,
	}
}

func runCommandsStop(ctx context.Context, c *call) error {
	a, _, err := c.dialOwner(ctx)
	if err != nil {
		return err
	}
	if a == nil {
		return rein.Errorf(rein.CodeNotFound, "no command %.80q runs in the background", c.args[0])
	}
	ended, err := a.StopCommand(ctx, c.args[0])
	if err != nil {
		return err
	}
	if c.json {
		return c.printJSON(ended)
	}
	c.print("%s was stopped: %s\n", safe(ended.ID), lineOf(ended))
	return nil
}

// stillRunning tells which commands of the run go on without it.
func (w *watcher) stillRunning(ctx context.Context) {
	all, err := w.link.BackgroundCommands(ctx)
	if err != nil {
		return // whoever does not let people list them says nothing of them
	}
	for _, b := range all {
		if b.Run != w.root && !strings.HasPrefix(string(b.Run), string(w.root)+rein.Separator) {
			continue
		}
		if w.link.Owns() {
			w.timeline.Own("", "", "command "+safe(b.ID)+" still runs in the background, and ends with this process: "+lineOf(b))
			continue
		}
		w.timeline.Own("", "", "command "+safe(b.ID)+" still runs in the background: "+lineOf(b))
		w.timeline.Own("", "", "  "+w.tip("commands stop "+b.ID)+" ends it")
	}
}
