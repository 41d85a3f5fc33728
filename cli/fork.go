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

// forkFlags are the flags of rein fork alone.
type forkFlags struct {
	at, edit string
	allow    []string
}

func forkCommand() command {
	var f forkFlags
	return command{
		name: "fork", args: "RUN", does: "start a new run from a step of another", least: 1, most: 1, watches: true,
		more: `Starts a new run that repeats RUN up to STEP and then goes its own way. What models, tools and people returned before STEP comes from the log, and nobody is asked again. From STEP on everything is done again. STEP is a number that rein show prints.

With --edit, the reply or result of STEP is the content of FILE instead, as text or JSON. After STEP, tools that can change something do not run, and the model learns so, unless --allow names them.`,
		flags: f.flags, run: f.run,
	}
}

func (f *forkFlags) flags(c *call) []flagDef {
	return joinFlags([]flagDef{
		text(&f.at, "at STEP", "the first step to do again (required)"),
		modelFlag(c),
		text(&f.edit, "edit FILE", "use the content of FILE as the result of STEP"),
		each(&f.allow, "allow TOOL", "let TOOL run after STEP, although it can change something"),
	}, watchFlags(c))
}

// maxEdit bounds what --edit reads.
const maxEdit = 1 << 20

func (f *forkFlags) run(ctx context.Context, c *call) error {
	c.runs = true
	settings, err := c.checked()
	if err != nil {
		return err
	}
	if f.at == "" {
		return usagef("rein fork needs --at STEP: %s prints the steps", c.tip("show "+c.args[0]))
	}
	run, err := c.lookUp(ctx, c.args[0])
	if err != nil {
		return err
	}
	tape, err := c.tape(ctx, run)
	if err != nil {
		return err
	}
	task, err := f.task(c, settings, tape)
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
		if task.Workspace == "" { // it is from before there were workspaces
			if task.Workspace, err = c.where(ctx, l, settings, "", ""); err != nil {
				return err
			}
		}
		w := c.watch(l, id)
		w.start = &task
		w.leaves = player.Answered // what people said before comes by itself
		return w.follow(ctx)
	})
}

// forkTask makes the task of the fork.
func (f *forkFlags) task(c *call, settings *config.Config, tape *cassette.Tape) (rein.Task, error) {
	for _, name := range f.allow {
		if !hasTool(tape, name) {
			return rein.Task{}, usagef("--allow %s: there is no such tool", name)
		}
	}
	edit, err := editFile(f.edit)
	if err != nil {
		return rein.Task{}, err
	}
	task, err := replay.Fork(tape, rein.StepKey(f.at), edit, f.allow)
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
func editFile(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("--edit: %v", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxEdit+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("--edit: %w", err)
	case len(data) > maxEdit:
		return nil, usagef("--edit %s has more than %s", name, units.Size(maxEdit))
	case len(data) == 0:
		return nil, errors.New("--edit: the file is empty")
	}
	return data, nil
}
