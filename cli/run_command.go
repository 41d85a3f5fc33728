package cli

import (
	"cmp"
	"context"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/near"
)

// expand replaces a task that begins with /NAME by what the command of that name stands for. A text that only looks like
// one is a task like any other.
func (c *call) expand(ctx context.Context, l *app.App, task *rein.Task) error {
	last := len(task.Messages) - 1
	name, args, ok := api.SplitCommand(task.Messages[last].Text)
	if !ok {
		return nil
	}
	all, err := l.Commands(ctx, cmp.Or(task.Workspace, defaultWorkspace), task.Folder)
	if err != nil {
		return err
	}
	var names []string
	for _, known := range all {
		names = append(names, known.Name)
		switch {
		case known.Name != name:
		case known.Inert:
			return usagef("the command /%s comes from a folder that nobody trusts: %s shows what it brings", name, c.tip("trust"))
		default:
			task.Messages[last].Text = known.Expand(args)
			return nil
		}
	}
	if hint := near.DidYouMean(name, names); hint != "" {
		return usagef("there is no command /%s%s", name, hint)
	}
	return nil
}
