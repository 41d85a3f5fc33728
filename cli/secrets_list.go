package cli

import (
	"context"

	"rein/internal/units"
)

func secretsListCommand() command {
	return command{
		name: "secrets list", does: "list secrets, without their values",
		more:  `Lists the names of your secrets and of those of the household, and when each was last set. Nothing shows a value. One that is lost was sealed with a key that is missing: put the key back, or set it again.`,
		flags: func(c *call) []flagDef { return append(lookFlags(c), keyFlag(c)) },
		run:   runSecretsList,
	}
}

func runSecretsList(ctx context.Context, c *call) error {
	v, err := c.setup().Look(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer v.Close()
	all, err := v.Secrets(ctx)
	if err != nil {
		return err
	}
	if len(all) == 0 && !c.json {
		c.print("there are no secrets; %s sets one\n", c.tip("secrets set NAME"))
		return nil
	}
	rows := [][]string{{"NAME", "OF", "SET"}}
	for _, s := range all {
		if c.json {
			if err := c.printJSON(s); err != nil {
				return err
			}
			continue
		}
		whose, set := "you", units.Day(s.Changed)
		if s.Shared {
			whose = "the household"
		}
		if s.Lost {
			set = "lost: set it again"
		}
		rows = append(rows, []string{s.Name, whose, set})
	}
	if !c.json {
		c.columns(rows)
	}
	return nil
}
