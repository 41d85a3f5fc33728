package cli

import (
	"context"

	"rein"
	"rein/app"
)

func loginCommand() command {
	var qr bool
	return command{
		name: "login", args: "[NAME]", does: "print a link that logs a browser in once", most: 1,
		more: `The link is for the user NAME; without it, for the owner. It works once, for 15 minutes. rein serve must be running. rein pair makes a short code too, for a device that cannot open the link.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{on(&qr, "qr", "draw the link as a QR code too")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error { return runLogin(ctx, c, qr) },
	}
}

func runLogin(ctx context.Context, c *call, qr bool) error {
	name := rein.Host().User
	if len(c.args) > 0 {
		name = c.args[0]
	}
	return c.served(ctx, func(l *app.App, server string) error {
		link, err := l.LoginLink(ctx, name)
		if err != nil {
			return err
		}
		link.Link = server + link.Link
		if c.json {
			return c.printJSON(link)
		}
		if qr {
			if err := c.drawLink(link.Link); err != nil {
				return err
			}
		}
		c.print("%s\n", link.Link)
		return nil
	})
}
