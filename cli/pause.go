package cli

import (
	"context"

	"rein"
	"rein/app"
	"rein/terminal"
)

func pauseCommand() command {
	e := &endFlags{}
	return command{
		name: "pause", args: "RUN", does: "pause a run and everything below it", least: 1, most: 1,
		more:  `Calls in progress finish and are kept. Then nothing begins in the run and everything below it, until rein resume. You can still answer what is asked: the answer counts when the run continues. Deadlines keep running, and a paused run can be stopped.`,
		flags: e.flags, run: e.pause,
	}
}

// pause pauses a run. It does not wait for the calls in progress.
func (e *endFlags) pause(ctx context.Context, c *call) error {
	key := newKey()
	return c.linkedTo(ctx, func(l *app.App) error {
		id, err := c.theRun(ctx, l, c.args[0])
		if err != nil {
			return err
		}
		if _, err := l.Command(ctx, rein.Command{Kind: rein.CommandPause, Run: id, Text: e.reason, Key: key}); err != nil {
			return c.refused(ctx, l, id, err)
		}
		info, err := c.now(ctx, l, id)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(info)
		}
		c.print("run %s: %s; %s continues it\n", safe(string(id)), pauseWords(info), c.tip("resume "+string(id)))
		return nil
	})
}

// pauseWords says where a run stands that was paused.
func pauseWords(info rein.RunInfo) string {
	if info.Status == rein.StatusRunning {
		return "paused; a call in progress may still finish"
	}
	return terminal.StatusWord(info)
}
