// Package memory lets flows read and write what is known of the user of their run. All its tools are
// internal: no model is offered them. Each works for the user of the task and nobody else.
package memory

import (
	"context"
	"encoding/json"
	"time"

	"rein"
	kept "rein/memory"
	"rein/store"
)

// Tools returns the reads context.snapshots, context.preferences, context.memories,
// context.summaries and summary.day, and the writes memory.save and summary.save. A nil clock is
// time.Now.
func Tools(tables store.Tables, now func() time.Time) []rein.Tool {
	if now == nil {
		now = time.Now
	}
	return []rein.Tool{
		reading(tables, "context.snapshots", "What holds now.", func(ctx context.Context, q store.Query, o kept.Owner, _ rein.Invocation) ([]kept.Snapshot, error) {
			return kept.Snapshots(ctx, q, o, now())
		}),
		reading(tables, "context.preferences", "How the user wants things.", preferences),
		reading(tables, "context.memories", "What is remembered of the user.", func(ctx context.Context, q store.Query, o kept.Owner, _ rein.Invocation) ([]kept.Memory, error) {
			return kept.Memories(ctx, q, o)
		}),
		reading(tables, "context.summaries", "What earlier sessions were about.", func(ctx context.Context, q store.Query, o kept.Owner, inv rein.Invocation) ([]kept.Summary, error) {
			return kept.Summaries(ctx, q, o, inv.Task.Session)
		}),
		reading(tables, "summary.day", "What the sessions of one day were about.", day),
		saveMemories(now),
		saveSummary(now),
	}
}

// reading makes an internal read. Its data is {"items": [{"text": …, "at": …}]}, oldest first.
func reading[T any](tables store.Tables, name, text string, list func(context.Context, store.Query, kept.Owner, rein.Invocation) ([]T, error)) rein.Tool {
	return rein.Tool{
		Name: name, Description: text, Effect: rein.Pure, Internal: true,
		Do: func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			owner, err := kept.OwnerOf(inv.Task)
			if err != nil {
				return rein.Done{}, err
			}
			var items []T
			err = tables.Read(ctx, func(ctx context.Context, q store.Query) error {
				items, err = list(ctx, q, owner, inv)
				return err
			})
			if err != nil {
				return rein.Done{}, err
			}
			data, err := json.Marshal(map[string][]T{"items": items})
			return rein.Done{Data: data}, err
		},
	}
}

// A preference also has a text, like all that is read.
type preference struct {
	Text string `json:"text"`
	kept.Preference
}

func preferences(ctx context.Context, q store.Query, o kept.Owner, _ rein.Invocation) ([]preference, error) {
	list, err := kept.Preferences(ctx, q, o)
	items := make([]preference, len(list))
	for i, p := range list {
		items[i] = preference{p.Key + ": " + p.Value, p}
	}
	return items, err
}

// day reads the sessions that ended on a day of the user's zone.
func day(ctx context.Context, q store.Query, o kept.Owner, inv rein.Invocation) ([]kept.Summary, error) {
	var args struct {
		Day string `json:"day"`
	}
	if err := decode("summary.day", inv.Args, &args); err != nil {
		return nil, err
	}
	from, to, err := span(args.Day, inv.Task.Zone)
	if err != nil {
		return nil, err
	}
	return kept.SummariesBetween(ctx, q, o, from, to)
}

// span returns when a day begins and ends in a zone; one that does not exist is UTC.
func span(day, zone string) (from, to time.Time, err error) {
	where, err := time.LoadLocation(zone)
	if err != nil || zone == "Local" {
		where = time.UTC
	}
	from, err = time.ParseInLocation(time.DateOnly, day, where)
	if err != nil {
		return from, to, rein.Errorf(rein.CodeInvalid, "day %.40q must be written like 2026-01-31", day)
	}
	return from, from.AddDate(0, 0, 1), nil
}

func decode(tool string, args json.RawMessage, into any) error {
	if err := json.Unmarshal(args, into); err != nil {
		return rein.Errorf(rein.CodeInvalid, "%s: its arguments cannot be read: %w", tool, err)
	}
	return nil
}
