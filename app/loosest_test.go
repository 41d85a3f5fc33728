package app

import (
	"slices"
	"testing"

	"rein"
	"rein/app/config"
)

// If nobody may choose a looser mode than ask, no task allows tools either: only the settings do.
//
// Attack: 55
func TestTaskAllowsWithinTheLoosestMode(t *testing.T) {
	for loosest, want := range map[rein.Mode][]string{rein.ModeAsk: {"a"}, rein.ModeEdits: {"a", "b"}, rein.ModeSandbox: {"a", "b"}} {
		settings := &config.Config{Approvals: config.Approvals{Loosest: loosest}}
		settings.Tools.Policy.Allow = []string{"a", "c"}
		given := rein.Policy{Allow: []string{"a", "b"}, Deny: []string{"d"}}
		got := withinLoosest(settings, given)
		if !slices.Equal(got.Allow, want) || !slices.Equal(got.Deny, given.Deny) || len(given.Allow) != 2 {
			t.Errorf("%s: %+v", loosest, got)
		}
	}
}
