package cli

import (
	"context"
	"time"

	"rein"
	"rein/app"
	"rein/internal/units"
)

func tokensCommand() command {
	return command{
		name: "tokens", does: "list the tokens of programs",
		more:  `Lists the tokens that programs use to log in, without their secrets.`,
		flags: lookFlags, run: runTokens,
	}
}

func runTokens(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		tokens, err := l.Tokens(ctx)
		if err != nil {
			return err
		}
		rows := [][]string{{"ID", "USER", "FOR", "SCOPES", "GOOD UNTIL", "LAST USED"}}
		for _, t := range tokens {
			if c.json {
				if err := c.printJSON(t); err != nil {
					return err
				}
				continue
			}
			rows = append(rows, []string{t.ID, t.User, short(t.Label, 40), scopesText(t.Scopes), goodUntil(t), lastUsed(t)})
		}
		switch {
		case c.json:
		case len(tokens) == 0:
			c.print("there are no tokens; %s makes one\n", c.tip("tokens new LABEL"))
		default:
			c.columns(rows)
		}
		return nil
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
