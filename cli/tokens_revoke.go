package cli

import (
	"context"

	"rein/app"
)

func tokensRevokeCommand() command {
	return command{
		name: "tokens revoke", args: "ID", does: "revoke a token", least: 1, most: 1,
		more:  `The token is refused from now on, and connections that use it end.`,
		flags: lookFlags, run: runTokenRevoke,
	}
}

func runTokenRevoke(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := l.RevokeToken(ctx, c.args[0]); err != nil {
			return err
		}
		if c.json {
			return c.printJSON(map[string]string{"revoked": c.args[0]})
		}
		c.print("token %s is revoked\n", safe(c.args[0]))
		return nil
	})
}
