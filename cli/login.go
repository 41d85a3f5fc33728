package cli

import (
	"context"

	"rein"
	"rein/app"
)

func loginCommand() command {
	return command{
		name: "login", args: "[NAME]", does: "print a link that logs a browser in once", most: 1,
		more:  `The link is for the user NAME; without it, for the owner. It works once, for 15 minutes. rein serve must be running.`,
		flags: lookFlags, run: runLogin,
	}
}

func runLogin(ctx context.Context, c *call) error {
	name := rein.Host().User
	if len(c.args) > 0 {
		name = c.args[0]
	}
	return c.linked(ctx, func(l *app.App) error {
		health, err := l.Health(ctx)
		if err != nil {
			return err
		}
		if health.URL == "" {
			return usagef("no server is running on this data folder: start one with rein serve")
		}
		link, err := l.LoginLink(ctx, name)
		if err != nil {
			return err
		}
		link.Link = health.URL + link.Link
		if c.json {
			return c.printJSON(link)
		}
		c.print("%s\n", link.Link)
		return nil
	})
}
