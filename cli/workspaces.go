package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"rein"
	"rein/api"
	"rein/app"
	"rein/app/config"
)

const (
	workspacesHelp = `The folders that runs can work in, by name: those of rein.toml, those that were added, and
the ones of the folders in which rein run was typed. A run stays in its workspace, wherever
it is resumed.`
	workspaceAddHelp = `Gives DIR a NAME that runs can work in: rein run --workspace NAME. Its files are DIR; --vault
names its notes. With --share the users of the household may name it over the network.`
	workspaceRemoveHelp = `Forgets a workspace that was added. The folder stays; runs that began in it can no longer
use its files.`
)

func workspaceCommands() []command {
	flags := []string{"json", "data", "config"}
	return []command{
		{name: "workspace add", args: "NAME DIR", does: "give a folder a name that runs can work in", more: workspaceAddHelp, flags: append([]string{"vault", "share", "force-root"}, flags...), least: 2, most: 2, run: runWorkspaceAdd},
		{name: "workspace list", does: "list the folders that runs can work in", more: workspacesHelp, flags: flags, run: runWorkspaces},
		{name: "workspace remove", args: "NAME", does: "forget a workspace", more: workspaceRemoveHelp, flags: flags, least: 1, most: 1, run: runWorkspaceRemove},
	}
}

func runWorkspaceAdd(ctx context.Context, c *call) error {
	body := api.NewWorkspace{Name: c.args[0], Shared: c.share, Force: c.force}
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
		w, err := l.AddWorkspace(ctx, body)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(w)
		}
		c.print("workspace %s: %s\n", safe(w.Name), safe(foldersOf(w)))
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

func runWorkspaceRemove(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := l.RemoveWorkspace(ctx, c.args[0]); err != nil {
			return err
		}
		if !c.json {
			c.print("workspace %s is forgotten; its folder stays\n", safe(c.args[0]))
		}
		return nil
	})
}

// where returns the workspace of a run that is typed here: the one that is named, that of the session,
// or that of the folder. Empty is the default, or the session's.
func (c *call) where(ctx context.Context, l *app.App, settings *config.Config) (string, error) {
	if c.workspace != "" {
		return c.workspace, nil
	}
	if err := c.setup().CheckVault(settings); err != nil {
		return "", err
	}
	typed := c.root != "" || c.env.Get("REIN_TOOLS_ROOT") != ""
	vault := cmp.Or(c.vault, c.env.Get("REIN_VAULT"))
	if c.session != "" && !typed && c.vault == "" {
		page, err := l.Runs(ctx, api.RunQuery{Session: c.session, Roots: true, Limit: 1})
		if err != nil || len(page.Runs) > 0 {
			return "", err
		}
	}
	body := api.NewWorkspace{Force: settings.Tools.ForceRoot}
	if typed || !c.setup().Files().Named {
		body.Root = c.setup().Files().Dir
	}
	if vault != "" {
		var err error
		if body.Vault, err = filepath.Abs(vault); err != nil {
			return "", err
		}
		body.Root = c.setup().Files().Dir
	}
	if body.Root == "" && body.Vault == "" {
		return "", nil
	}
	w, err := l.AddWorkspace(ctx, body)
	return w.Name, err
}
