package cli

import (
	"context"

	"rein"
	"rein/app"
	"rein/terminal"
)

const pauseHelp = `A call under way ends and is kept; then nothing begins, in the run and everything below it,
until rein resume. What is asked can still be answered: the answer counts when the run goes
on. Deadlines run, and a paused run can be stopped.`

// runPause pauses a run. It does not wait for the calls under way.
func runPause(ctx context.Context, c *call) error {
	id, key := rein.RunID(c.args[0]), newKey()
	return c.linkedTo(ctx, func(l *app.App) error {
		if _, err := l.Command(ctx, rein.Command{Kind: rein.CommandPause, Run: id, Text: c.reason, Key: key}); err != nil {
			return c.refused(ctx, l, id, err)
		}
		info, err := c.now(ctx, l, id)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(info)
		}
		c.print("run %s: %s; %s goes on\n", safe(string(id)), pauseWords(info), c.tip("resume "+string(id)))
		return nil
	})
}

// pauseWords says where a run stands that was paused.
func pauseWords(info rein.RunInfo) string {
	if info.Status == rein.StatusRunning {
		return "paused; a call under way may still end"
	}
	return terminal.StatusWord(info)
}
