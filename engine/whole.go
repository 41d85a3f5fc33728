package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"rein"
)

// Whole returns the text of a result that was clipped, by its handle. A run may read the results of
// all runs of its session.
func (e *Engine) Whole(ctx context.Context, reader rein.RunID, handle string) (string, error) {
	run, key, ok := strings.Cut(handle, ":")
	if !ok || rein.RunID(run).Check() != nil {
		return "", rein.Errorf(rein.CodeInvalid, "%q is not a handle: it looks like %q and is given where a result was clipped", handle, "r1:7")
	}
	mine, err := e.Store.Run(ctx, reader)
	if err != nil {
		return "", err
	}
	other, err := e.Store.Run(ctx, rein.RunID(run))
	if rein.CodeOf(err) == rein.CodeNotFound || err == nil && (other.Session != mine.Session || other.Household != mine.Household) {
		return "", rein.Errorf(rein.CodeNotFound, "there is no result %q in this session", handle)
	}
	if err != nil {
		return "", err
	}
	for ev, err := range e.Store.Events(ctx, rein.RunID(run), 0) {
		if err != nil {
			return "", err
		}
		if ev.Kind != rein.StepDone || string(ev.Step) != key {
			continue
		}
		var end rein.StepEnd
		if err := json.Unmarshal(ev.Data, &end); err != nil {
			return "", fmt.Errorf("the result of step %s cannot be read: %w", key, err)
		}
		if end.Whole != "" {
			return end.Whole, nil
		}
		if end.Result != nil {
			return end.Result.Text, nil
		}
	}
	return "", rein.Errorf(rein.CodeNotFound, "there is no result %q in this session", handle)
}
