package past

import (
	"context"
	"time"

	"rein"
	"rein/household/branches"
	"rein/journal"
	"rein/store"
)

// maxTodoRuns is how many earlier runs of a session are searched for a list of things to do.
const maxTodoRuns = 10

// Todo returns the list of things to do that holds in a run which started at a time: the newest one that it kept or,
// if it is not a child, the newest of the runs before it in its session, or of those that this inherits from its
// origins. A run that is just being born has none.
func Todo(ctx context.Context, r store.Logs, run rein.RunID, place rein.Place, start time.Time, origins []branches.Row) (rein.Todo, error) {
	list, ok, err := journal.LastTodo(r.Events(ctx, run, 0))
	if ok || err != nil && rein.CodeOf(err) != rein.CodeNotFound || run.Depth() > 0 || place.Session == "" {
		return list, notMissing(err)
	}
	filter := rootsOf(place, place.Session)
	filter.Newest, filter.Limit = true, maxTodoRuns
	list, ok, err = lastTodo(ctx, r, filter, func(info rein.RunInfo) bool { return info.ID != run && !info.Started.After(start) })
	for i := 0; i < len(origins) && !ok && err == nil; i++ {
		filter.Session, filter.After = origins[i].From.Session, origins[i].From.Run
		list, ok, err = lastTodo(ctx, r, filter, func(rein.RunInfo) bool { return true })
	}
	return list, err
}

// lastTodo returns the list of the first of some runs that kept one.
func lastTodo(ctx context.Context, r store.Logs, f store.Filter, chosen func(rein.RunInfo) bool) (list rein.Todo, ok bool, err error) {
	for info, err := range r.Runs(ctx, f) {
		if err != nil {
			return list, false, err
		}
		if info.Erased || !chosen(info) {
			continue
		}
		if list, ok, err = journal.LastTodo(r.Events(ctx, info.ID, 0)); ok || err != nil {
			return list, ok, err
		}
	}
	return list, false, nil
}

func notMissing(err error) error {
	if rein.CodeOf(err) == rein.CodeNotFound {
		return nil
	}
	return err
}
