package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/household/past"
)

// Whole returns the text of a result that was clipped, or a part of an earlier run, by its handle. A run
// may read those of the runs of its own session and user, and those that its session inherits; of any other it learns nothing, not even that it
// exists.
func (e *Engine) Whole(ctx context.Context, reader rein.RunID, handle string) (string, error) {
	run, key, ok := strings.Cut(handle, ":")
	if !ok || rein.RunID(run).Check() != nil {
		return "", rein.Errorf(rein.CodeInvalid, "%q is not a handle: it looks like %q and is given where a result was clipped", handle, "r1:7")
	}
	mine, err := e.opts.Store.Run(ctx, reader)
	if err != nil {
		return "", err
	}
	// One answer for what does not exist and for what is another's: the handle comes from a model, which
	// could try every ID there is.
	other, err := e.opts.Store.Run(ctx, rein.RunID(run))
	known := false
	if err == nil {
		known, err = e.sameHistory(ctx, mine, other)
	}
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound, err == nil && !known:
		return "", noHandle(handle)
	case err != nil:
		return "", err
	}
	if text, ok, err := e.wholePart(ctx, other, key); ok || err != nil {
		return text, err
	}
	return e.wholeResult(ctx, other.ID, key, handle)
}

// sameHistory reports whether one run may read what is left out of the other's results: they are of one session, or
// the reader's session inherits the other.
func (e *Engine) sameHistory(ctx context.Context, reader, other rein.RunInfo) (bool, error) {
	if reader.Household != other.Household || reader.User != other.User || reader.Session == other.Session {
		return reader.Household == other.Household && reader.User == other.User, nil
	}
	place := rein.Place{Household: reader.Household, User: reader.User, Session: reader.Session}
	origins, err := past.Origins(ctx, e.opts.Store, place)
	if err != nil || len(origins) == 0 {
		return false, err
	}
	history, err := past.Runs(ctx, e.opts.Store, place, origins)
	return slices.ContainsFunc(history, func(info rein.RunInfo) bool { return info.ID == other.ID.Root() }), err
}

// noHandle does not say whether such a result exists elsewhere.
func noHandle(handle string) error {
	return rein.Errorf(rein.CodeNotFound, "there is no result %q in this session", handle)
}

// wholePart returns a part of an ended run, if the key names one.
func (e *Engine) wholePart(ctx context.Context, info rein.RunInfo, key string) (text string, ok bool, err error) {
	// Whether the key names a part is asked of an empty run first, so that the handle of a step does not
	// cost a read of the whole log here and another one below.
	if _, ok := (past.Run{}).Whole(key); !ok || !info.Status.Ended() || info.Erased {
		return "", false, nil
	}
	run, err := past.Read(ctx, e.opts.Store, info)
	if err != nil {
		return "", false, err
	}
	text, ok = run.Whole(key)
	return text, ok, nil
}

// wholeResult returns the result of a step.
func (e *Engine) wholeResult(ctx context.Context, run rein.RunID, key, handle string) (string, error) {
	for ev, err := range e.opts.Store.Events(ctx, run, 0) {
		if err != nil {
			return "", err
		}
		if ev.Kind != rein.StepDone || string(ev.Step) != key || ev.Erased {
			continue
		}
		end, err := rein.Payload[rein.StepEnd](ev)
		if err != nil {
			return "", fmt.Errorf("the result of step %s cannot be read: %w", key, err)
		}
		if end.Whole != "" {
			return end.Whole, nil
		}
		if end.Result != nil {
			return end.Result.Text, nil
		}
	}
	return "", noHandle(handle)
}
