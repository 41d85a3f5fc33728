package cli

import (
	"context"

	"rein/app"
	"rein/internal/units"
)

func devicesCommand() command {
	var user string
	return command{
		name: "devices", does: "list the browsers that are logged in",
		flags: func(c *call) []flagDef {
			return append([]flagDef{text(&user, "user NAME", "whose; default: the owner's")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error { return runDevices(ctx, c, user) },
	}
}

func runDevices(ctx context.Context, c *call, user string) error {
	return c.linked(ctx, func(l *app.App) error {
		devices, err := l.Devices(ctx, user)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "DEVICE", "CAME BY", "SINCE", "LAST SEEN"}}
		for _, d := range devices {
			if c.json {
				if err := c.printJSON(d); err != nil {
					return err
				}
				continue
			}
			rows = append(rows, []string{d.ID, safe(orDash(d.Label)), orDash(string(d.CameBy)), units.Day(d.Created), units.Day(d.LastSeen)})
		}
		switch {
		case c.json:
		case len(devices) == 0:
			c.note("no browser is logged in; rein pair logs one in")
		default:
			c.columns(rows)
		}
		return nil
	})
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}

func devicesRevokeCommand() command {
	return command{
		name: "devices revoke", args: "ID", does: "log a browser out", least: 1, most: 1,
		more:  `The browser is refused from now on, and connections that it has open end.`,
		flags: lookFlags, run: runDeviceRevoke,
	}
}

func runDeviceRevoke(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := l.RevokeDevice(ctx, c.args[0]); err != nil {
			return err
		}
		if c.json {
			return c.printJSON(map[string]string{"revoked": c.args[0]})
		}
		c.print("device %s is logged out\n", safe(c.args[0]))
		return nil
	})
}
