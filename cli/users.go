package cli

import (
	"context"
	"fmt"
	"text/tabwriter"

	"rein"
	"rein/app"
	"rein/internal/units"
)

func usersCommand() command {
	return command{
		name: "users", does: "list the users of the household",
		more:  `Roles: an owner may do everything and manage people; a member has what is their own; a viewer may look at everything and change nothing; a service is a program with what is its own, by token only.`,
		flags: lookFlags, run: runUsers,
	}
}

func runUsers(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		users, err := l.Users(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(c.out.Stdout, 0, 8, 2, ' ', 0)
		if !c.json {
			fmt.Fprintln(table, "NAME\tROLE\tSINCE\tSTATE")
		}
		for _, u := range users {
			if c.json {
				if err := c.printJSON(u); err != nil {
					return err
				}
				continue
			}
			state := "active"
			if !u.Disabled.IsZero() {
				state = "disabled since " + units.Day(u.Disabled)
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", safe(u.Name), u.Role, units.Day(u.Created), state)
		}
		return table.Flush()
	})
}

// tellUser prints a user as they are now.
func (c *call) tellUser(u rein.UserInfo, words string) error {
	if c.json {
		return c.printJSON(u)
	}
	c.print("%s %s\n", safe(u.Name), words)
	return nil
}

// next says how a new user gets in.
func next(u rein.UserInfo) string {
	if u.Role == rein.Service {
		return "make a token with rein tokens new LABEL --user " + safe(u.Name)
	}
	return "let them in with rein login " + safe(u.Name)
}
