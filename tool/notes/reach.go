package notes

import (
	"context"

	"rein"
)

// inReach lets a tool work only for calls that may use the vault. A household has no notes of another.
func inReach(vault interface{ Locate(path string) string }, t rein.Tool) rein.Tool {
	do := t.Do
	t.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		if err := inv.MayUse(vault.Locate(".")); err != nil {
			return rein.Done{}, told{rein.Errorf(rein.CodeForbidden, "these notes may not be used: %w", err)}
		}
		return do(ctx, inv)
	}
	return t
}
