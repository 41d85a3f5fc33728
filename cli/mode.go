package cli

import (
	"context"

	"rein"
	"rein/api"
	"rein/app"
)

func modeCommand() command {
	e := &endFlags{}
	return command{
		name: "mode", args: "RUN|SESSION [MODE]", does: "change how much a session asks you, or show it", least: 1, most: 2,
		more: `plan: only tools that change nothing; the run ends in a plan, which you accept or decline. ask: what wants approval is asked; this is the default. edits: changes of files and notes that rein undo can undo are not asked. sandbox: nor are commands that get nothing from outside their sandbox.

The mode counts from the next call on, for the run, all runs below it and later runs of the session. It never allows what is denied, nor what your settings ask for by name. You can only change it while a run of the session is unfinished; otherwise give rein run a --mode.`,
		flags: e.flags, run: e.mode,
	}
}

// mode changes the mode of a session, or shows it.
func (e *endFlags) mode(ctx context.Context, c *call) error {
	key := newKey()
	return c.linkedTo(ctx, func(l *app.App) error {
		info, err := c.modal(ctx, l, c.args[0])
		if err != nil {
			return err
		}
		if len(c.args) > 1 {
			if info, err = e.setMode(ctx, c, l, info, rein.Mode(c.args[1]), key); err != nil {
				return err
			}
		}
		if c.json {
			return c.printJSON(info)
		}
		c.print("session %s: mode %s\n", safe(info.Session), info.Mode.Or(rein.ModeAsk))
		return nil
	})
}

func (e *endFlags) setMode(ctx context.Context, c *call, l *app.App, info rein.RunInfo, m rein.Mode, key string) (rein.RunInfo, error) {
	if err := m.Check(); err != nil {
		return info, usagef("%v", err)
	}
	if info.Status.Ended() {
		return info, rein.Errorf(rein.CodeFinished, "no run of session %s is unfinished, so there is nothing to change: rein run --session %[1]s --mode %s starts the next one in that mode", info.Session, m)
	}
	if _, err := l.Command(ctx, rein.Command{Kind: rein.CommandMode, Run: info.ID, Mode: m, Text: e.reason, Key: key}); err != nil {
		return info, c.refused(ctx, l, info.ID, err)
	}
	return c.now(ctx, l, info.ID)
}

// modal finds the root whose mode is meant: of a run, or the newest unfinished one of a session.
func (c *call) modal(ctx context.Context, l *app.App, name string) (rein.RunInfo, error) {
	info, err := l.Run(ctx, rein.RunID(name).Root())
	if err == nil && (!info.Status.Ended() || info.Session != name) {
		return info, nil
	}
	if code := rein.CodeOf(err); err != nil && code != rein.CodeNotFound && code != rein.CodeInvalid {
		return info, err
	}
	page, listed := l.Runs(ctx, api.RunQuery{Session: name, Roots: true, Limit: api.MaxLimit})
	if listed != nil {
		return info, listed
	}
	if len(page.Runs) == 0 {
		return c.modalShort(ctx, l, name, err)
	}
	for _, run := range page.Runs {
		if !run.Status.Ended() {
			return run, nil
		}
	}
	return page.Runs[0], nil
}

// modalShort is modal for a part of the ID of a run or a session, and for last.
func (c *call) modalShort(ctx context.Context, l *app.App, name string, unknown error) (info rein.RunInfo, err error) {
	id, err := c.runNamed(ctx, l.Client, name)
	if code := rein.CodeOf(err); code == rein.CodeNotFound || code == rein.CodeInvalid {
		session, err := sessionID(ctx, l.Client, name)
		if rein.CodeOf(err) == rein.CodeNotFound {
			return info, c.noRun(unknown)
		} else if err != nil {
			return info, err
		}
		return c.modal(ctx, l, session)
	}
	if err != nil {
		return info, err
	}
	return c.modal(ctx, l, string(id))
}
