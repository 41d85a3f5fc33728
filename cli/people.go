package cli

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
)

const (
	usersHelp = `The users of the household. Roles: owner (everything, and its people), member (what is their
own), viewer (looks at everything, changes nothing), service (a program: what is its own, by
token only).`
	userRoleHelp = `ROLE is owner, member, viewer or service. What the user may do changes at once, also with
the tokens they have.`
	userDisableHelp = `Refuses the user from now on: their tokens and browsers are no longer good. Their runs are
kept. rein users enable lets them in again, with new credentials.`
	loginHelp = `Prints a link that logs a browser of the user in: once, and soon. Without a name it is for
the owner. rein serve must be running.`
	tokensHelp   = `Tokens by which programs are recognised, without their secrets.`
	tokenNewHelp = `Prints a token for the LABEL that says what it is for. It is shown this once: only a hash of
it is kept. Programs send it as Authorization: Bearer TOKEN.`
	tokenRevokeHelp = `The token is refused from now on, and what is open with it ends.`
)

func peopleCommands() []command {
	flags := []string{"json", "data", "config"}
	return []command{
		{name: "users add", args: "NAME ROLE", does: "add a user to the household", more: userRoleHelp, flags: flags, least: 2, most: 2, run: runUserAdd},
		{name: "users role", args: "NAME ROLE", does: "give a user another role", more: userRoleHelp, flags: flags, least: 2, most: 2, run: runUserRole},
		{name: "users disable", args: "NAME", does: "refuse a user from now on", more: userDisableHelp, flags: flags, least: 1, most: 1, run: runUserDisabled(true)},
		{name: "users enable", args: "NAME", does: "let a user in again", flags: flags, least: 1, most: 1, run: runUserDisabled(false)},
		{name: "users", does: "list the users of the household", more: usersHelp, flags: flags, run: runUsers},
		{name: "login", args: "[NAME]", does: "print a link that logs a browser in, once", more: loginHelp, flags: flags, most: 1, run: runLogin},
		{name: "tokens new", args: "LABEL", does: "make a token for a program", more: tokenNewHelp, flags: append([]string{"user", "scopes", "days"}, flags...), least: 1, most: 1, run: runTokenNew},
		{name: "tokens revoke", args: "ID", does: "refuse a token from now on", more: tokenRevokeHelp, flags: flags, least: 1, most: 1, run: runTokenRevoke},
		{name: "tokens", does: "list the tokens", more: tokensHelp, flags: flags, run: runTokens},
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

func runUserAdd(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		u, err := l.AddUser(ctx, c.args[0], rein.UserRole(c.args[1]))
		if err != nil {
			return err
		}
		return c.tellUser(u, "is now "+string(u.Role)+" of the household; "+next(u))
	})
}

// next says how a new user gets in.
func next(u rein.UserInfo) string {
	if u.Role == rein.Service {
		return "make a token with rein tokens new LABEL --user " + safe(u.Name)
	}
	return "let them in with rein login " + safe(u.Name)
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

func runTokens(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		tokens, err := l.Tokens(ctx)
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(c.out.Stdout, 0, 8, 2, ' ', 0)
		if !c.json {
			fmt.Fprintln(table, "ID\tUSER\tFOR\tSCOPES\tGOOD UNTIL\tLAST USED")
		}
		for _, t := range tokens {
			if c.json {
				if err := c.printJSON(t); err != nil {
					return err
				}
				continue
			}
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\n", safe(t.ID), safe(t.User), short(t.Label, 40), scopesText(t.Scopes), goodUntil(t), lastUsed(t))
		}
		return table.Flush()
	})
}

func goodUntil(t rein.Token) string {
	switch {
	case !t.Revoked.IsZero():
		return "revoked " + units.Day(t.Revoked)
	case t.Expires.Before(time.Now()):
		return "expired " + units.Day(t.Expires)
	}
	return units.Day(t.Expires)
}

func lastUsed(t rein.Token) string {
	if t.LastUsed.IsZero() {
		return "never"
	}
	return units.Day(t.LastUsed)
}

func scopesText(scopes []rein.Scope) string {
	text := ""
	for i, s := range scopes {
		if i > 0 {
			text += ","
		}
		text += string(s)
	}
	return text
}

func runTokenNew(ctx context.Context, c *call) error {
	want := api.NewToken{User: c.user, Label: c.args[0], Days: c.days}
	for _, s := range c.scopes {
		want.Scopes = append(want.Scopes, rein.Scope(s))
	}
	return c.linked(ctx, func(l *app.App) error {
		made, err := l.NewToken(ctx, want)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(made)
		}
		c.print("%s\n", made.Text)
		c.note("for %s, with %s, good until %s; it is not shown again", safe(made.User), scopesText(made.Scopes), units.Day(made.Expires))
		return nil
	})
}

func runTokenRevoke(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := l.RevokeToken(ctx, c.args[0]); err != nil {
			return err
		}
		if c.json {
			return c.printJSON(map[string]string{"revoked": c.args[0]})
		}
		c.print("token %s is revoked\n", safe(c.args[0]))
		return nil
	})
}
