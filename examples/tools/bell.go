package tools

import (
	"context"
	"fmt"

	"rein"
	"rein/tool"
)

// RingBell is unsafe: nobody can take a ring back, and nobody can look up whether it rang.
func RingBell(ring func(context.Context) error) (rein.Tool, error) {
	spec := tool.Spec{Name: "ring_bell", Text: "Rings the bell in the hall, once.", Effect: rein.Unsafe}
	return tool.New(spec, func(ctx context.Context, _ rein.Invocation, _ struct{}) (rein.Done, error) {
		if err := ring(ctx); err != nil {
			return rein.Done{}, fmt.Errorf("ring the bell: %w: %w", rein.ErrOutcomeUnknown, err)
		}
		return rein.Done{Text: "it rang"}, nil
	})
}
