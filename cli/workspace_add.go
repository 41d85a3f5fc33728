package cli

import (
	"context"
	"path/filepath"
	"strings"

	"rein"
	"rein/api"
	"rein/app"
)

// workspaceFlags are the flags of rein workspace add alone.
type workspaceFlags struct{ share bool }

func workspaceAddCommand() command {
	var w workspaceFlags
	return command{
		name: "workspace add", args: "NAME DIR", does: "give a folder a name that runs can work in", least: 2, most: 2,
		more:  `Runs then work in DIR with rein run --workspace NAME. --vault names the folder of its notes. With --share, the users of the household may name the workspace over the network.`,
		flags: w.flags, run: w.run,
	}
}

func (w *workspaceFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		text(&c.vault, "vault DIR", "the folder of its notes"),
		on(&w.share, "share", "let users of the household name it over the network"),
		on(&c.force, "force-root", "use DIR even if it is /, a home folder, or holds the data folder"),
	}, lookFlags(c)...)
}

func (w *workspaceFlags) run(ctx context.Context, c *call) error {
	body := api.NewWorkspace{Name: c.args[0], Shared: w.share, Force: c.force}
	var err error
	if body.Root, err = filepath.Abs(c.args[1]); err != nil {
		return err
	}
	if c.vault != "" {
		if body.Vault, err = filepath.Abs(c.vault); err != nil {
			return err
		}
		c.vault = "" // it is not that of this process
	}
	return c.linked(ctx, func(l *app.App) error {
		added, err := l.AddWorkspace(ctx, body)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(added)
		}
		c.print("workspace %s: %s\n", safe(added.Name), safe(foldersOf(added)))
		return nil
	})
}

func foldersOf(w rein.Workspace) string {
	var list []string
	if w.Root != "" {
		list = append(list, "files in "+w.Root)
	}
	if w.Vault != "" {
		list = append(list, "notes in "+w.Vault)
	}
	if len(list) == 0 {
		return "no folders"
	}
	return strings.Join(list, ", ")
}
