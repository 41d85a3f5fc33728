package cli

import (
	"cmp"
	"context"
	"slices"

	"rein"
	"rein/app"
	"rein/internal/units"
)

// usageFlags are the flags of rein usage alone.
type usageFlags struct{ by string }

func usageCommand() command {
	var u usageFlags
	return command{
		name: "usage", does: "show what runs have used",
		more:  `Adds up trees of runs, tokens and money by day (of their start), session or user. What is only reserved does not count. --by limit shows how much of their limits each user and the household have used; there, what is reserved counts.`,
		flags: u.flags, run: u.run,
	}
}

func (u *usageFlags) flags(c *call) []flagDef {
	return append([]flagDef{text(&u.by, "by WHAT", "day, session, user or limit; default: day")}, lookFlags(c)...)
}

// byLimit is the sum that is held against what is allowed.
const byLimit = "limit"

func (u *usageFlags) run(ctx context.Context, c *call) error {
	if !slices.Contains([]string{"", "day", "session", "user", byLimit}, u.by) {
		return usagef("--by cannot be %q: it is day, session, user or limit", u.by)
	}
	v, err := c.setup().Look(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer v.Close()
	if u.by == byLimit {
		return c.printLimits(ctx, v)
	}
	sums, err := v.Usage(ctx, u.by, c.zone())
	if err != nil {
		return err
	}
	return c.printUsage(sums.Sums, currencyOf(ctx, v.Client, c.out.Screen.Nice()))
}

// zone is where the days of this terminal begin; empty: at midnight UTC.
func (c *call) zone() string {
	settings, err := c.settings()
	if err != nil {
		return ""
	}
	return settings.Zone
}

func (c *call) printUsage(sums []rein.UsageSum, currency units.Currency) error {
	rows := [][]string{{"WHAT", "RUNS", "TOKENS", "TOOL CALLS", "COST"}}
	for _, sum := range sums {
		if c.json {
			if err := c.printJSON(sum); err != nil {
				return err
			}
			continue
		}
		rows = append(rows, []string{short(sum.What, 60), units.Number(sum.Runs), units.Number(sum.Used.Tokens), units.Number(sum.Used.ToolCalls), currency.Money(sum.Used.Micros)})
	}
	if !c.json {
		c.columns(rows)
	}
	return nil
}

func (c *call) printLimits(ctx context.Context, v *app.View) error {
	if _, err := c.settings(); err != nil {
		return err // they hold the limits
	}
	limits, err := v.Limits(ctx)
	if err != nil {
		return err
	}
	currency := currencyOf(ctx, v.Client, c.out.Screen.Nice())
	rows := [][]string{{"WHO", "WHAT", "USED", "OF"}}
	for _, a := range limits.Accounts {
		if c.json {
			if err := c.printJSON(a); err != nil {
				return err
			}
			continue
		}
		for _, use := range app.LimitUses(a, currency) {
			rows = append(rows, []string{use.Who, use.What, use.Used, cmp.Or(use.Most, "no limit")})
		}
	}
	if !c.json {
		c.columns(rows)
	}
	return nil
}
