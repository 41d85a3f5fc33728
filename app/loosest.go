package app

import (
	"slices"

	"rein"
	"rein/app/config"
)

// withinLoosest takes out of a task's policy what nobody may approve in advance: if ask is the loosest mode, only the
// settings allow tools.
func withinLoosest(settings *config.Config, policy rein.Policy) rein.Policy {
	if settings.Approvals.Loosest == rein.ModeAsk {
		policy.Allow = slices.DeleteFunc(slices.Clone(policy.Allow), func(name string) bool { return !slices.Contains(settings.Tools.Policy.Allow, name) })
	}
	return policy
}
