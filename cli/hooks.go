package cli

import (
	"context"

	"rein/api"
	"rein/app"
	"rein/internal/units"
)

func hooksCommand() command {
	return command{
		name: "hooks", does: "list your webhooks",
		more:  `A webhook works both ways: messages go to its URL, and your programs talk to your assistant with POST /v1/hooks/ID. Both ways are signed. docs/hooks.md shows how.`,
		flags: lookFlags, run: runHooks,
	}
}

func runHooks(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		all, err := l.Hooks(ctx)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "SINCE", "MAY", "SENDS TO", "LABEL"}}
		for _, h := range all {
			if c.json {
				if err := c.printJSON(h); err != nil {
					return err
				}
				continue
			}
			may := "talk"
			if h.Answers {
				may = "talk, answer"
			}
			rows = append(rows, []string{h.ID, units.Day(h.Created), may, h.Host, h.Label})
		}
		switch {
		case c.json:
		case len(all) == 0:
			c.print("there are no webhooks; %s makes one\n", c.tip("hooks add"))
		default:
			c.columns(rows)
		}
		return nil
	})
}

func hooksAddCommand() command {
	var made api.NewHook
	return command{
		name: "hooks add", args: "[URL]", does: "make a webhook for messages and for your programs", most: 1,
		more: `With a URL your messages go there too. The command prints the secret that both ways are signed with; nothing shows it again.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{text(&made.Label, "label TEXT", "what you call it"), on(&made.Answers, "answers", "let it answer asks, approvals too")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			if len(c.args) > 0 {
				made.URL = c.args[0]
			}
			return c.linkedTo(ctx, func(l *app.App) error {
				h, err := l.AddHook(ctx, made)
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(h)
				}
				c.print("hook %s: requests go to /v1/hooks/%s\nsecret: %s\n", safe(h.ID), safe(h.ID), safe(h.Secret))
				return nil
			})
		},
	}
}

func hooksRemoveCommand() command {
	return command{
		name: "hooks remove", args: "ID", does: "remove a webhook", least: 1, most: 1,
		more:  `Nothing is sent or taken there any more.`,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.linkedTo(ctx, func(l *app.App) error {
				if err := l.RemoveHook(ctx, c.args[0]); err != nil {
					return err
				}
				return c.done("removed", c.args[0], "hook %s is removed\n", safe(c.args[0]))
			})
		},
	}
}
