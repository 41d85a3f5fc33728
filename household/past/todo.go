package past

import (
	"context"
	"time"

	"rein"
	"rein/journal"
	"rein/store"
)

// maxTodoRuns is how many earlier runs of a session are searched for a list of things to do.
const maxTodoRuns = 10

// Todo returns the list of things to do that holds in a run which started at a time: the newest one that it kept or,
// if it is not a child, the newest of the runs before it in its session. A run that is just being born has none.
func Todo(ctx context.Context, r store.Logs, run rein.RunID, place rein.Place, start time.Time) (rein.Todo, error) {
	list, ok, err := journal.LastTodo(r.Events(ctx, run, 0))
	if ok || err != nil && rein.CodeOf(err) != rein.CodeNotFound || run.Depth() > 0 || place.Session == "" {
		return list, notMissing(err)
	}
	filter := store.Filter{Session: place.Session, Household: place.Household, User: place.User, Roots: true, Newest: true, Limit: maxTodoRuns}
	for info, err := range r.Runs(ctx, filter) {
		if err != nil {
			return list, err
		}
		if info.ID == run || info.Erased || info.Started.After(start) {
			continue
		}
		if list, ok, err = journal.LastTodo(r.Events(ctx, info.ID, 0)); ok || err != nil {
			return list, err
		}
	}
	return list, nil
}

func notMissing(err error) error {
	if rein.CodeOf(err) == rein.CodeNotFound {
		return nil
	}
	return err
}
