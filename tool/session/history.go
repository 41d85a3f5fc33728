// Package session lets a flow read what was said and done before: in the session of its run, in
// another session of its user, or in one run.
package session

import (
	"context"
	"encoding/json"
	"slices"
	"time"

	"rein"
	"rein/household/memory"
	"rein/household/past"
	"rein/household/shelf"
	"rein/store"
)

// A Reader is what is read: the logs, and the tables of files and folds.
type Reader interface {
	store.Reader
	store.Snapshots
}

// Before is what History returns: the conversation of the session before a run, and its files.
type Before struct {
	Talk  []rein.Message `json:"talk"`
	Files []rein.File    `json:"files,omitempty"`
}

// History is the internal read of the ended root runs of the session before the run that asks: the
// fold that stands for the oldest of them, if there is one, and all others. A child has no past: its
// parent told it what it needs. The files of the session are told to both.
func History(r Reader) rein.Tool {
	return reading("session.history", "What was said and done in this session.", func(ctx context.Context, inv rein.Invocation) (any, error) {
		before := Before{Talk: []rein.Message{}}
		if inv.Task == nil || inv.Task.Session == "" {
			return before, nil
		}
		var err error
		if inv.Run.Depth() == 0 {
			before.Talk, err = talkOf(ctx, r, inv)
		}
		if place, wrong := shelf.PlaceOf(inv); err == nil && wrong == nil {
			before.Files, err = shelf.List(ctx, r, place)
		}
		return before, err
	})
}

// talkOf renders what was said before a run. It goes by the task and not by the run's row: the run may just be being born.
func talkOf(ctx context.Context, r Reader, inv rein.Invocation) ([]rein.Message, error) {
	return talkBefore(ctx, r, inv.Task, func(info rein.RunInfo) bool {
		again := info.Flow == critique && inv.Task.Flow == critique // a review is of what was said, not of another review
		return info.ID != inv.Run && info.Flow != compact && !again && !info.Started.After(inv.Task.Start)
	})
}

// talkBefore renders the chosen runs of the task's session and of what it inherits, the oldest first.
func talkBefore(ctx context.Context, r Reader, task *rein.Task, chosen func(rein.RunInfo) bool) ([]rein.Message, error) {
	origins, err := past.Origins(ctx, r, task.Place())
	if err != nil {
		return nil, err
	}
	infos, err := past.Runs(ctx, r, task.Place(), origins)
	if err != nil {
		return nil, err
	}
	unread, err := unreadOf(ctx, r, task)
	if err != nil {
		return nil, err
	}
	infos = slices.DeleteFunc(infos, func(info rein.RunInfo) bool { return !mayTell(info, task) || unread[info.ID] || !chosen(info) })
	fold, err := foldOf(ctx, r, task, infos)
	if err != nil {
		return nil, err
	}
	talk := []rein.Message{}
	if fold != nil {
		talk = append(talk, fold.Message())
	}
	for _, info := range infos {
		if fold != nil && slices.Contains(fold.Runs, info.ID) {
			continue
		}
		run, err := past.Read(ctx, r, info)
		if err != nil {
			return nil, err
		}
		talk = append(talk, run.Messages()...)
	}
	return talk, nil
}

// foldOf returns the fold that stands for most of these runs, and for no others.
func foldOf(ctx context.Context, r Reader, task *rein.Task, infos []rein.RunInfo) (fold *past.Fold, err error) {
	told := map[rein.RunID]bool{}
	for _, info := range infos {
		told[info.ID] = true
	}
	place := task.Place()
	err = r.Read(ctx, func(ctx context.Context, q store.Query) error {
		fold, err = past.Newest(ctx, q, place, func(run rein.RunID) bool { return told[run] })
		return err
	})
	return fold, err
}

// ended returns the runs of a session that can be told of: roots of the task's user that have ended,
// oldest first.
func ended(ctx context.Context, r Reader, task *rein.Task, session string, chosen func(rein.RunInfo) bool) ([]rein.RunInfo, error) {
	unread, err := unreadOf(ctx, r, task)
	if err != nil {
		return nil, err
	}
	var all []rein.RunInfo
	for info, err := range r.Runs(ctx, store.Filter{Session: session, Roots: true}) {
		if err != nil {
			return nil, err
		}
		if mayTell(info, task) && !unread[info.ID] && chosen(info) {
			all = append(all, info)
		}
	}
	return all, nil
}

// unreadOf returns the runs in which something was said that the user had forgotten since: nobody is told of them any more.
func unreadOf(ctx context.Context, r Reader, task *rein.Task) (unread map[rein.RunID]bool, err error) {
	err = r.Read(ctx, func(ctx context.Context, q store.Query) error {
		unread, err = memory.Unread(ctx, q, memory.Owner{Household: task.Household, User: task.User})
		return err
	})
	return unread, err
}

// mayTell reports whether a run has ended, with its log still there, and is the user's own.
func mayTell(info rein.RunInfo, task *rein.Task) bool {
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
