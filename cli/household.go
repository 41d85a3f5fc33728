package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"rein"
	"rein/app"
	"rein/terminal"
)

func householdListCommand() command {
	return command{name: "household list", does: "list the households of this data folder", flags: lookFlags, run: runHouseholds}
}

func runHouseholds(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		found, err := l.Households(ctx)
		if err != nil {
			return err
		}
		rows := [][]string{{"NAME", "USERS", "OWNERS"}}
		for _, h := range found {
			if c.json {
				if err := c.printJSON(h); err != nil {
					return err
				}
				continue
			}
			rows = append(rows, []string{safe(h.Name), strconv.Itoa(h.Users), safe(strings.Join(h.Owners, ", "))})
		}
		if !c.json {
			c.columns(rows)
		}
		return nil
	})
}

func householdShowCommand() command {
	return command{
		name: "household show", does: "show what each role may approve, use and spend",
		more:  `APPROVES lists the families of tools whose calls a role may approve; what it may not approve is asked of an adult: an owner or a member. Runs of a role get all tools unless it says otherwise. rein users lists who has which role.`,
		flags: lookFlags, run: runHousehold,
	}
}

func runHousehold(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		found, err := l.Household(ctx)
		if err != nil || c.json {
			if err == nil {
				err = c.printJSON(found)
			}
			return err
		}
		currency := currencyOf(ctx, l.Client, c.out.Screen.Nice())
		c.print("household %s\n", safe(found.Name))
		rows := [][]string{{"ROLE", "APPROVES", "EFFECTS", "MONEY A DAY"}}
		for _, r := range found.Roles {
			money := "as every user"
			if r.DayMicros > 0 {
				money = currency.Money(r.DayMicros)
			}
			rows = append(rows, []string{string(r.Role), familiesText(r.Approves.Families), effectsText(r.Approves.Effects), money})
		}
		c.columns(rows)
		for _, r := range found.Roles {
			if len(r.Offers) > 1 {
				c.print("%s\n", terminal.Wrap(fmt.Sprintf("runs of a %s get the tools: %s", r.Role, familiesText(r.Offers)), c.out.Screen.Columns(), 2))
			}
		}
		return nil
	})
}

func familiesText(families []string) string {
	switch {
	case len(families) == 0:
		return "nothing"
	case len(families) == 1 && families[0] == rein.AllFamilies:
		return "all"
	}
	return safe(strings.Join(families, ", "))
}

func effectsText(effects []rein.Effect) string {
	if len(effects) == len(rein.Effects()) {
		return "all"
	}
	var names []string
	for _, e := range effects {
		names = append(names, string(e))
	}
	return orDash(strings.Join(names, ", "))
}

func householdAddCommand() command {
	var owner string
	return command{
		name: "household add", args: "NAME", does: "make a household with its first owner", least: 1, most: 1,
		more: `The households of a data folder share nothing. With a server running, it prints a link that logs the owner in once; rein household login makes another. The owner then invites others.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{text(&owner, "owner NAME", "its first owner")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error { return runHouseholdAdd(ctx, c, owner) },
	}
}

func runHouseholdAdd(ctx context.Context, c *call, owner string) error {
	if owner == "" {
		return usagef("a household needs an owner: rein household add %s --owner NAME", safe(c.args[0]))
	}
	return c.linked(ctx, func(l *app.App) error {
		made, err := l.AddHousehold(ctx, c.args[0], owner)
		if err != nil {
			return err
		}
		health, err := l.Health(ctx)
		if err != nil {
			return err
		}
		made.Link = health.URL + made.Link
		if c.json {
			return c.printJSON(made)
		}
		c.print("household %s is made; its owner is %s\n", safe(made.Owner.Household), safe(made.Owner.Name))
		if health.URL == "" {
			c.note("when rein serve runs, let them in with rein household login %s %s", safe(made.Owner.Household), safe(made.Owner.Name))
			return nil
		}
		c.print("%s\n", made.Link)
		return nil
	})
}

func householdLoginCommand() command {
	return command{
		name: "household login", args: "NAME USER", does: "print a link that logs a user of a household in", least: 2, most: 2,
		more:  `It works once, for 15 minutes. rein serve must be running.`,
		flags: lookFlags,
		run: func(ctx context.Context, c *call) error {
			return c.served(ctx, func(l *app.App, server string) error {
				link, err := l.HouseholdLink(ctx, c.args[0], c.args[1])
				if err != nil {
					return err
				}
				link.Link = server + link.Link
				if c.json {
					return c.printJSON(link)
				}
				c.print("%s\n", link.Link)
				return nil
			})
		},
	}
}
