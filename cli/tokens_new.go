package cli

import (
	"context"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
)

// tokenFlags are the flags of rein tokens new alone.
type tokenFlags struct {
	user   string
	scopes []string
	days   int
}

func tokensNewCommand() command {
	var t tokenFlags
	return command{
		name: "tokens new", args: "LABEL", does: "make a token for a program", least: 1, most: 1,
		more:  `LABEL says what the token is for. The token is printed once: only its hash is kept. Programs send it as Authorization: Bearer TOKEN.`,
		flags: t.flags, run: t.run,
	}
}

func (t *tokenFlags) flags(c *call) []flagDef {
	return append([]flagDef{
		text(&t.user, "user NAME", "the user it belongs to; default: the owner"),
		list(&t.scopes, "scopes NAMES", "what it may do: read, act, answer, admin; default: all that the user may"),
		number(&t.days, "days N", "how many days it is valid; default: 90"),
	}, lookFlags(c)...)
}

func (t *tokenFlags) run(ctx context.Context, c *call) error {
	want := api.NewToken{User: t.user, Label: c.args[0], Days: t.days}
	for _, s := range t.scopes {
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
		c.note("for %s, with %s, valid until %s; it is not shown again", safe(made.User), scopesText(made.Scopes), units.Day(made.Expires))
		return nil
	})
}
