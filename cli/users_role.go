package cli

import (
	"context"

	"rein"
	"rein/api"
	"rein/app"
)

func usersRoleCommand() command {
	return command{
		name: "users role", args: "NAME ROLE", does: "give a user another role", least: 2, most: 2,
		more:  `ROLE is owner, member (or adult), child, guest, viewer or service. What the user may do changes at once, also with the tokens they have.`,
		flags: lookFlags, run: runUserRole,
	}
}

func runUserRole(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		u, err := l.ChangeUser(ctx, c.args[0], api.ChangedUser{Role: rein.UserRole(c.args[1])})
		if err != nil {
			return err
		}
		return c.tellUser(u, "is now "+string(u.Role))
	})
}
