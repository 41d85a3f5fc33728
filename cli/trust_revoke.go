package cli

import (
	"context"
	"fmt"
	"path/filepath"

	"rein/app"
)

func trustRevokeCommand() command {
	return command{
		name: "trust revoke", args: "FOLDER", does: "trust a folder no more", least: 1, most: 1,
		more:  `New runs use nothing of what FOLDER brings. Runs that wait keep the texts that they started with, and run none of its programs.`,
		flags: lookFlags, run: runTrustRevoke,
	}
}

func runTrustRevoke(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		all, err := l.TrustedFolders(ctx)
		if err != nil {
			return err
		}
		root := c.args[0]
		if real, err := app.RealPath(root); err == nil {
			root = real
		} else if abs, err := filepath.Abs(root); err == nil {
			root = abs // it may be gone
		}
		revoked := false
		for _, f := range all {
			if f.Root != root {
				continue
			}
			if _, err := l.RevokeTrust(ctx, f.ID); err != nil {
				return err
			}
			revoked = true
		}
		if !revoked {
			return fmt.Errorf("%q is not a trusted folder: %s lists them", root, c.tip("trust list"))
		}
		if !c.json {
			c.print("%s is not trusted any more\n", safe(root))
		}
		return nil
	})
}

// pathOf joins a root and where somebody works in it.
func pathOf(root, folder string) string { return filepath.Join(root, filepath.FromSlash(folder)) }
