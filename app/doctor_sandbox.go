package app

import (
	"context"
	"slices"
	"strings"

	"rein/sandbox"
)

// checkSandbox says what contains the commands that runs start, and what is missing on this machine.
func (d *doctor) checkSandbox(ctx context.Context) {
	var have []string
	var missing []sandbox.Status
	for _, s := range sandbox.Detect(ctx).Mechanisms {
		if s.Available {
			have = append(have, string(s.Mechanism))
		} else {
			missing = append(missing, s)
		}
	}
	if len(have) > 0 {
		d.find(Fine, "sandbox", "", "commands are contained by %s", strings.Join(have, ", "))
	}
	for _, s := range missing {
		if slices.Contains(sandbox.Standard, s.Mechanism) {
			d.find(Warn, "sandbox", sandboxFix(s), "%s is missing: %s", s.Mechanism, s.Says)
		} else {
			d.find(Fine, "sandbox", s.Fix, "%s is not available (%s)", s.Mechanism, s.Says)
		}
	}
}

// sandboxFix says how a part of the sandbox is had, and how to see that it is there.
func sandboxFix(s sandbox.Status) string {
	return strings.TrimPrefix(s.Fix+"; `rein sandbox id` tries it", "; ")
}
