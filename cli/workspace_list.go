package cli

import (
	"context"

	"rein/app"
)

func workspaceListCommand() command {
	return command{
		name: "workspace list", does: "list the folders that runs can work in",
		more:  `Lists the workspaces of rein.toml, those that were added, and the folders in which rein run was typed. A run stays in its workspace, wherever it is resumed.`,
		flags: lookFlags, run: runWorkspaces,
	}
}

func runWorkspaces(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		all, err := l.Workspaces(ctx)
		if err != nil {
			return err
		}
		rows := [][]string{{"NAME", "FROM", "SHARED", "FOLDERS"}}
		for _, w := range all {
			if c.json {
				if err := c.printJSON(w); err != nil {
					return err
				}
				continue
			}
			shared := "no"
			if w.Shared {
				shared = "yes"
			}
			rows = append(rows, []string{w.Name, string(w.Origin), shared, foldersOf(w)})
		}
		if !c.json {
			c.columns(rows)
		}
		return nil
	})
}
