package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/app/config"
	"rein/internal/units"
	"rein/replay"
	"rein/replay/cassette"
)

const forkHelp = `Starts a new run that goes the way of RUN up to STEP, and then its own: what models, tools
and people gave before STEP they give again, without being asked; from STEP on everything is
done again. STEP is a number that rein show prints. With --edit the reply or result of STEP is
the content of FILE instead, as text or JSON, and what follows is done again. Tools that may
change something do not run after STEP, and the model learns so, unless --allow names them.`

// maxEdit bounds what --edit reads.
const maxEdit = 1 << 20

func runFork(ctx context.Context, c *call) error {
	c.runs = true
	settings, err := c.checked()
	if err != nil {
		return err
	}
	if c.at == "" {
		return usagef("rein fork needs --at STEP: %s prints the steps", c.tip("show "+c.args[0]))
	}
	tape, err := c.tape(ctx, rein.RunID(c.args[0]))
	if err != nil {
		return err
	}
	task, err := c.forkTask(settings, tape)
	if err != nil {
		return err
	}
	id := api.NewRunID(time.Now())
	prefix, err := replay.Prefix(tape, id, *task.Fork)
	if err != nil {
		return err
	}
	player, err := cassette.NewPlayer(prefix)
	if err != nil {
		return err
	}
	c.starts()
	return c.linked(ctx, func(l *app.App) error {
		if task.Workspace == "" { // it is from before there were any
			if task.Workspace, err = c.where(ctx, l, settings); err != nil {
				return err
			}
		}
		if _, err := l.Start(ctx, id, task); err != nil {
			return err
		}
		w := c.watch(l, id)
		w.leaves = player.Answered // what people said before comes by itself
		return w.follow(ctx)
	})
}

// forkTask makes the task of the fork.
func (c *call) forkTask(settings *config.Config, tape *cassette.Tape) (rein.Task, error) {
	for _, name := range c.allow {
		if !hasTool(tape, name) {
			return rein.Task{}, usagef("--allow %s: there is no such tool", name)
		}
	}
	edit, err := c.editFile()
	if err != nil {
		return rein.Task{}, err
	}
	task, err := replay.Fork(tape, rein.StepKey(c.at), edit, c.allow)
	if err != nil {
		return task, err
	}
	task.User, task.Household = "", "" // the owner's, who starts it
	if c.model != "" {
		task.Model = settings.Model
	}
	return task, nil
}

func hasTool(tape *cassette.Tape, name string) bool {
	for _, t := range tape.Tools {
		if t.Name == name && !t.Internal {
			return true
		}
	}
	return false
}

// editFile reads the file of --edit.
func (c *call) editFile() ([]byte, error) {
	if c.edit == "" {
		return nil, nil
	}
	f, err := os.Open(c.edit)
	if err != nil {
		return nil, usagef("--edit: %v", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxEdit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("--edit: %w", err)
	case len(data) > maxEdit:
		return nil, usagef("--edit %s has more than %s", c.edit, units.Size(maxEdit))
	case len(data) == 0:
		return nil, errors.New("--edit: the file is empty")
	}
	return data, nil
}
