package cli

import (
	"context"
	"strconv"

	"rein/app"
	"rein/internal/units"
)

func trustListCommand() command {
	return command{
		name: "trust list", does: "list the folders that you trust",
		more:  `Lists the folders whose instructions, rules, skills, commands and MCP servers runs use, with the hash of what they brought when somebody trusted them. A folder that has changed since stays in the list, and is not used.`,
		flags: lookFlags, run: runTrustList,
	}
}

func runTrustList(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		all, err := l.TrustedFolders(ctx)
		if err != nil {
			return err
		}
		rows := [][]string{{"FOLDER", "FILES", "HASH", "BY", "SINCE"}}
		for _, f := range all {
			if c.json {
				if err := c.printJSON(f); err != nil {
					return err
				}
				continue
			}
			rows = append(rows, []string{pathOf(f.Root, f.Folder), strconv.Itoa(f.Files), f.Hash[:min(12, len(f.Hash))], f.By, units.When(f.At)})
		}
		if !c.json && len(all) > 0 {
			c.columns(rows)
		}
		return nil
	})
}
