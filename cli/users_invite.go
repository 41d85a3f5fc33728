package cli

import (
	"context"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
)

// inviteFlags are the flags of rein users invite alone.
type inviteFlags struct {
	role, name string
	days       int
	qr         bool
}

func usersInviteCommand() command {
	var i inviteFlags
	return command{
		name: "users invite", does: "print a link with which one person joins",
		more:  `Whoever opens the link first joins, and chooses a name unless --name sets it; their browser is then logged in. rein serve must be running. rein users invites lists and revokes invitations.`,
		flags: i.flags, run: i.run,
	}
}

func (i *inviteFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		text(&i.role, "role ROLE", "member (or adult), child, guest or viewer; default: member"),
		text(&i.name, "name NAME", "the name of the new user"),
		number(&i.days, "days N", "how many days the link is valid; default: 3"),
		on(&i.qr, "qr", "draw the link as a QR code too"),
	}, lookFlags(c)...)
}

func (i *inviteFlags) run(ctx context.Context, c *call) error {
	want := api.NewInvite{Role: rein.UserRole(i.role), Name: i.name, Days: i.days}
	if want.Role == "" {
		want.Role = rein.Member
	}
	return c.served(ctx, func(l *app.App, server string) error {
		made, err := l.Invite(ctx, want)
		if err != nil {
			return err
		}
		made.Link = server + made.Link
		if c.json {
			return c.printJSON(made)
		}
		if i.qr {
			if err := c.drawLink(made.Link); err != nil {
				return err
			}
		}
		c.print("%s\n", made.Link)
		c.note("for one %s, valid until %s; it is not shown again", made.Role, units.Day(made.Expires))
		c.noteReach(server)
		return nil
	})
}

func usersInvitesCommand() command {
	var revoke string
	return command{
		name: "users invites", does: "list invitations, or revoke one",
		flags: func(c *call) []flagDef {
			return append([]flagDef{text(&revoke, "revoke ID", "revoke this one, which nobody has used")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error { return runInvites(ctx, c, revoke) },
	}
}

func runInvites(ctx context.Context, c *call, revoke string) error {
	return c.linked(ctx, func(l *app.App) error {
		if revoke != "" {
			return c.revokeInvite(ctx, l, revoke)
		}
		invites, err := l.Invites(ctx)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "ROLE", "FOR", "BY", "VALID UNTIL", "STATE"}}
		for _, i := range invites {
			if c.json {
				if err := c.printJSON(i); err != nil {
					return err
				}
				continue
			}
			state := "waits"
			if !i.Used.IsZero() {
				state = "used " + units.Day(i.Used)
			}
			rows = append(rows, []string{i.ID, string(i.Role), safe(orDash(i.User)), safe(i.By), units.Day(i.Expires), state})
		}
		switch {
		case c.json:
		case len(invites) == 0:
			c.note("nobody is invited; rein users invite makes a link")
		default:
			c.columns(rows)
		}
		return nil
	})
}

func (c *call) revokeInvite(ctx context.Context, l *app.App, id string) error {
	if err := l.RevokeInvite(ctx, id); err != nil {
		return err
	}
	if c.json {
		return c.printJSON(map[string]string{"revoked": id})
	}
	c.print("invitation %s is revoked\n", safe(id))
	return nil
}
