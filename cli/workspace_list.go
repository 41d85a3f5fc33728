package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

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
		table := tabwriter.NewWriter(c.out.Stdout, 0, 8, 2, ' ', 0)
		if !c.json {
			fmt.Fprintln(table, "NAME\tFROM\tSHARED\tFOLDERS")
		}
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
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", safe(w.Name), safe(string(w.Origin)), shared, safe(foldersOf(w)))
		}
		return table.Flush()
	})
}
