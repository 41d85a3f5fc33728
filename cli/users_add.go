package cli

import (
	"context"

	"rein"
	"rein/app"
)

func usersAddCommand() command {
	return command{
		name: "users add", args: "NAME ROLE", does: "add a user to the household", least: 2, most: 2,
		more:  `ROLE is owner, member (or adult), child, guest, viewer or service. rein household show lists what each may do. To let somebody choose their own name, send them a link: rein users invite.`,
		flags: lookFlags, run: runUserAdd,
	}
}

func runUserAdd(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		u, err := l.AddUser(ctx, c.args[0], rein.UserRole(c.args[1]))
		if err != nil {
			return err
		}
		return c.tellUser(u, "is now "+string(u.Role)+" of the household; "+next(u))
	})
}
