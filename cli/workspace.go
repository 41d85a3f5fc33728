package cli

import (
	"cmp"
	"context"
	"path/filepath"

	"rein/api"
	"rein/app"
	"rein/app/config"
)

// where returns the workspace of a run that is typed here: the one that is named, that of the session,
// or that of the folder. Empty is the default, or the session's.
func (c *call) where(ctx context.Context, l *app.App, settings *config.Config, named, session string) (string, error) {
	if named != "" {
		return named, nil
	}
	if err := c.setup().CheckVault(settings); err != nil {
		return "", err
	}
	typed := c.root != "" || c.env.Get("REIN_TOOLS_ROOT") != ""
	vault := cmp.Or(c.vault, c.env.Get("REIN_VAULT"))
	if session != "" && !typed && c.vault == "" {
		page, err := l.Runs(ctx, api.RunQuery{Session: session, Roots: true, Limit: 1})
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
