// Package session lets a flow read what was said and done before: in the session of its run, in
// another session of its user, or in one run.
package session

import (
	"context"
	"encoding/json"
	"iter"
	"time"

	"rein"
	"rein/store"
)

// A Reader is the part of a store that is read.
type Reader interface {
	Run(context.Context, rein.RunID) (store.RunInfo, error)
	Runs(context.Context, store.Filter) iter.Seq2[store.RunInfo, error]
	Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error]
}

// History is the internal read of the ended root runs of the session before the run that asks. A
// child has no past: its parent told it what it needs.
func History(r Reader) rein.Tool {
	return reading("session.history", "What was said and done in this session.", func(ctx context.Context, inv rein.Invocation) (any, error) {
		past := []Past{}
		if inv.Run.Depth() > 0 || inv.Task == nil || inv.Task.Session == "" {
			return map[string]any{"runs": past}, nil
		}
		// It goes by the task and not by the run's row: the run may just be being born.
		earlier, err := ended(ctx, r, inv.Task, inv.Task.Session, func(info store.RunInfo) bool {
			return info.ID != inv.Run && !info.Started.After(inv.Task.Start)
		})
		if err == nil {
			past, err = tellAll(ctx, r, zoneOf(inv.Task.Zone), earlier)
		}
		return map[string]any{"runs": past}, err
	})
}

// ended returns the newest runs of a session that can be told of: roots of the task's user that have
// ended, oldest first.
func ended(ctx context.Context, r Reader, task *rein.Task, session string, chosen func(store.RunInfo) bool) ([]store.RunInfo, error) {
	var all []store.RunInfo
	for info, err := range r.Runs(ctx, store.Filter{Session: session, Roots: true}) {
		if err != nil {
			return nil, err
		}
		if mayTell(info, task) && chosen(info) {
			all = append(all, info)
		}
	}
	return all[max(0, len(all)-maxRuns):], nil
}

// mayTell reports whether a run has ended, with its log still there, and is the user's own.
func mayTell(info store.RunInfo, task *rein.Task) bool {
	return info.Status.Ended() && !info.Erased && info.User == task.User && info.Household == task.Household
}

// zoneOf returns the zone of that name; one that does not exist is UTC.
func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return time.UTC
	}
	return zone
}

func reading(name, text string, do func(context.Context, rein.Invocation) (any, error)) rein.Tool {
	return rein.Tool{
		Name: name, Description: text, Effect: rein.Pure, Internal: true,
		Do: func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			found, err := do(ctx, inv)
			if err != nil {
				return rein.Done{}, err
			}
			data, err := json.Marshal(found)
			return rein.Done{Data: data}, err
		},
	}
}
