package cli

import (
	"context"

	"rein"
	"rein/app"
	"rein/internal/units"
)

func usersCommand() command {
	return command{
		name: "users", does: "list the users of the household",
		more:  `Roles: an owner may do everything and manage people; a member is an adult and has what is their own; a child and a guest have what is their own, approve little and spend little (rein household show); a viewer may look at everything and change nothing; a service is a program with what is its own, by token only.`,
		flags: lookFlags, run: runUsers,
	}
}

func runUsers(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		users, err := l.Users(ctx)
		if err != nil {
			return err
		}
		rows := [][]string{{"NAME", "ROLE", "SINCE", "STATE"}}
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
			rows = append(rows, []string{u.Name, string(u.Role), units.Day(u.Created), state})
		}
		if !c.json {
			c.columns(rows)
		}
		return nil
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
