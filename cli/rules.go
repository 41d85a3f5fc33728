package cli

import (
	"context"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/internal/visible"
)

// rulesListFlags are the flags of rein rules alone.
type rulesListFlags struct {
	all       bool
	user      string
	workspace string
}

func rulesCommand() command {
	var f rulesListFlags
	return command{
		name: "rules", does: "list what approvals allow beyond one call",
		more: `An approval with the scope session allows exactly the same again in that session. One with the scope always allows what fits its pattern, for one user in one workspace. Neither loosens what the settings deny or ask for. rein rules revoke ID ends a rule.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{
				on(&f.all, "all", "list revoked rules too"),
				text(&f.user, "user NAME", "only rules for the runs of this user"),
				text(&f.workspace, "workspace NAME", "only rules of this workspace"),
			}, lookFlags(c)...)
		}, run: f.run,
	}
}

func (f *rulesListFlags) run(ctx context.Context, c *call) error {
	v, err := c.setup().Look(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer v.Close()
	rules, err := v.Rules(ctx, api.RuleQuery{User: f.user, Workspace: f.workspace, Revoked: f.all})
	if err != nil {
		return err
	}
	if c.json {
		for _, r := range rules {
			if err := c.printJSON(r); err != nil {
				return err
			}
		}
		return nil
	}
	if len(rules) == 0 {
		c.print("there are no rules: each approval so far was for one call\n")
		return nil
	}
	rows := [][]string{{"ID", "USER", "WORKSPACE", "TOOL", "SCOPE", "SINCE", "ALLOWS"}}
	for _, r := range rules {
		since := units.Day(r.Created)
		if !r.Revoked.IsZero() {
			since = "revoked " + units.Day(r.Revoked)
		}
		rows = append(rows, []string{r.ID, r.User, r.Workspace, r.Tool, ruleScope(r), since, r.Pattern})
	}
	c.advice(rows)
	return nil
}

// ruleScope says how long a rule holds.
func ruleScope(r rein.Rule) string {
	if r.Scope == rein.ScopeSession {
		return "session " + safe(r.Session)
	}
	return safe(string(r.Scope))
}

func rulesRevokeCommand() command {
	return command{
		name: "rules revoke", args: "ID", does: "revoke what an approval allows beyond one call", least: 1, most: 1,
		more:  `The next call that needs the rule is asked about again. Rules that allow the same in the same place, from other approvals, are revoked too.`,
		flags: lookFlags, run: runRuleRevoke,
	}
}

func runRuleRevoke(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		r, err := l.RevokeRule(ctx, c.args[0])
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(r)
		}
		c.print("rule %s is revoked: %s is asked about again in workspace %s\n", safe(r.ID), visible.Line(r.Pattern), safe(r.Workspace))
		return nil
	})
}
