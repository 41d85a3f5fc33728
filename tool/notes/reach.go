package notes

import (
	"context"

	"rein"
)

// inReach lets a tool work only for calls that may use the vault. A household has no notes of another.
func inReach(vault interface{ Locate(path string) string }, t rein.Tool) rein.Tool {
	may := func(inv rein.Invocation) error {
		if err := inv.MayUse(vault.Locate(".")); err != nil {
			return rein.Errorf(rein.CodeForbidden, "these notes may not be used: %w", err)
		}
		return nil
	}
	do, show := t.Do, t.Show
	t.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
		if err := may(inv); err != nil {
			return rein.Done{}, told{err}
		}
		return do(ctx, inv)
	}
	if show != nil {
		t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
			if err := may(inv); err != nil {
				return rein.Shown{}, err
			}
			return show(ctx, inv)
		}
	}
	return t
}
