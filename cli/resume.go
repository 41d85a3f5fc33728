package cli

import (
	"context"

	"rein"
	"rein/api"
	"rein/app"
	"rein/terminal"
)

func resumeCommand() command {
	return command{
		name: "resume", args: "RUN", does: "continue a run", least: 1, most: 1, watches: true,
		more:  `Continues a run that was paused or interrupted, that waits for you, or that you answered with rein answer, and follows it as rein run does. A run that is being stopped ends.`,
		flags: watchFlags, run: runResume,
	}
}

func runResume(ctx context.Context, c *call) error {
	c.runs = true
	if _, err := c.checked(); err != nil {
		return err
	}
	c.starts()
	return c.linkedTo(ctx, func(l *app.App) error {
		id, err := c.theRun(ctx, l, c.args[0])
		if err != nil {
			return err
		}
		info, err := l.Run(ctx, id)
		if err != nil {
			return c.noRun(err)
		}
		if info.Status.Ended() {
			return c.finished(info)
		}
		w := c.watch(l, id)
		if err := w.catchUp(ctx); err != nil {
			return err
		}
		if w.ending = info.Ending != ""; w.ending && !c.json {
			w.timeline.Remark("", terminal.Ask, "it is "+terminal.StatusWord(info)+", so it does not continue")
		}
		if err := l.Resume(ctx, id); err != nil && rein.CodeOf(err) != rein.CodeFinished {
			return err
		}
		return w.follow(ctx)
	})
}

// catchUp passes over what happened before, and takes up what is still open.
func (w *watcher) catchUp(ctx context.Context) error {
	for {
		page, err := w.link.Events(ctx, w.root, w.cursor, true)
		if err != nil {
			return err
		}
		for _, line := range page.Lines {
			e := line.Event
			if e == nil {
				continue
			}
			w.timeline.Recall(*e)
			if e.Run == w.root && e.Kind.Command() == rein.CommandMessage && payload[rein.Command](*e).From == "" {
				w.mail = true
			}
		}
		w.cursor = page.Next
		if !page.More {
			break
		}
	}
	runs, err := w.link.Runs(ctx, api.RunQuery{Tree: w.root, Status: api.Unfinished, Limit: api.MaxLimit})
	if err != nil {
		return err
	}
	for _, info := range runs.Runs {
		w.idle[info.ID] = info.ID != w.root && info.Status != rein.StatusRunning && info.Status != rein.StatusReady
	}
	asks, err := w.link.Asks(ctx, api.AskQuery{Tree: w.root, State: rein.AskPending})
	if err != nil {
		return err
	}
	for _, ask := range asks {
		if err := w.opened(ctx, ask); err != nil {
			return err
		}
	}
	return nil
}
