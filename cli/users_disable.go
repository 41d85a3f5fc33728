package cli

import (
	"context"

	"rein/api"
	"rein/app"
)

func usersDisableCommand() command {
	return command{
		name: "users disable", args: "NAME", does: "lock a user out", least: 1, most: 1,
		more:  `Refuses the user from now on: their tokens and browsers stop working. Their runs are kept. rein users enable lets them in again, with new credentials.`,
		flags: lookFlags, run: runUserDisabled(true),
	}
}

func runUserDisabled(disabled bool) func(context.Context, *call) error {
	return func(ctx context.Context, c *call) error {
		return c.linked(ctx, func(l *app.App) error {
			u, err := l.ChangeUser(ctx, c.args[0], api.ChangedUser{Disabled: &disabled})
			if err != nil {
				return err
			}
			if disabled {
				return c.tellUser(u, "is disabled")
			}
			return c.tellUser(u, "is enabled again; "+next(u))
		})
	}
}
