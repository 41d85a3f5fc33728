package cli

import (
	"context"
	"net/url"
	"strings"

	"rein/app"
	"rein/internal/qrtext"
	"rein/internal/units"
)

func pairCommand() command {
	var p pairFlags
	return command{
		name: "pair", does: "log a phone in, with a short code or a QR code",
		more:  `Prints a code of 8 characters, to type at /pair of the server, and a QR code of a login link, to scan. Each logs one browser in: the code within 10 minutes, the link within 15. rein serve must be running, at an address that the phone reaches.`,
		flags: p.flags, run: p.run,
	}
}

// pairFlags are the flags of rein pair alone.
type pairFlags struct {
	user string
	noQR bool
}

func (p *pairFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		text(&p.user, "user NAME", "the user to log in; default: the owner"),
		on(&p.noQR, "no-qr", "print the code without the picture"),
	}, lookFlags(c)...)
}

// paired is what rein pair --json prints.
type paired struct {
	User    string `json:"user"`
	Code    string `json:"code"`
	At      string `json:"at"` // where people type the code
	Link    string `json:"link"`
	Expires string `json:"expires"`
}

func (p *pairFlags) run(ctx context.Context, c *call) error {
	return c.served(ctx, func(l *app.App, server string) error {
		made, err := l.Pair(ctx, p.user)
		if err != nil {
			return err
		}
		link, err := l.LoginLink(ctx, made.User)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(paired{User: made.User, Code: made.Code, At: server + "/pair", Link: server + link.Link, Expires: made.Expires.Format(timeForm)})
		}
		if !p.noQR {
			if err := c.drawLink(server + link.Link); err != nil {
				return err
			}
		}
		c.print("%s   type it at %s/pair, before %s\n", made.Code, safe(server), units.When(made.Expires))
		c.noteReach(server)
		return nil
	})
}

const timeForm = "2006-01-02T15:04:05Z07:00"

// served runs do with the address at which a server of the data folder is reached.
func (c *call) served(ctx context.Context, do func(l *app.App, server string) error) error {
	return c.linked(ctx, func(l *app.App) error {
		health, err := l.Health(ctx)
		if err != nil {
			return err
		}
		if health.URL == "" {
			return usagef("no server is running on this data folder: start one with rein serve")
		}
		return do(l, health.URL)
	})
}

// drawLink draws a link as a QR code.
func (c *call) drawLink(link string) error {
	lines, err := qrtext.Lines(link)
	if err != nil {
		return err
	}
	if c.out.Screen.Text {
		c.print("%s", qrtext.White(lines))
		return nil
	}
	c.print("%s\n", strings.Join(lines, "\n"))
	return nil
}

// noteReach says that a phone cannot reach a server which listens for this machine alone.
func (c *call) noteReach(server string) {
	at, err := url.Parse(server)
	if err != nil || !isLocal(at.Hostname()) {
		return
	}
	c.note("only this machine reaches %s: for a phone, see docs/household.md", safe(server))
}

func isLocal(host string) bool { return host == "localhost" || host == "127.0.0.1" || host == "::1" }
