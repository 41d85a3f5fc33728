package cli

import (
	"context"

	"rein/app"
)

func workspaceRemoveCommand() command {
	return command{
		name: "workspace remove", args: "NAME", does: "remove a workspace; its folder stays", least: 1, most: 1,
		more:  `Removes the name of a workspace that was added. The folder stays. Runs that began in it can no longer use its files.`,
		flags: lookFlags, run: runWorkspaceRemove,
	}
}

func runWorkspaceRemove(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := l.RemoveWorkspace(ctx, c.args[0]); err != nil {
			return err
		}
		if !c.json {
			c.print("workspace %s is removed; its folder stays\n", safe(c.args[0]))
		}
		return nil
	})
}
