package memory

import (
	"context"
	"encoding/json"
	"time"

	"rein"
	"rein/household/branches"
	kept "rein/household/memory"
	"rein/store"
)

func (v view) snapshots(ctx context.Context, q store.Query, now time.Time) (any, error) {
	list, err := kept.Snapshots(ctx, q, v.owner, now)
	return items(list, func(s kept.Snapshot) Item {
		item := Item{Text: s.Text, At: v.at(s.At), Scope: string(s.Scope), Until: v.at(s.Expires)}
		if s.By != v.owner.User {
			item.By = s.By
		}
		return item
	}), err
}

func preferences(ctx context.Context, q store.Query, v view) (any, error) {
	list, err := kept.Preferences(ctx, q, v.owner)
	return items(list, func(p kept.Preference) Item {
		return Item{Text: p.Key + ": " + p.Value, Key: p.Key, At: v.at(p.At)}
	}), err
}

func memories(ctx context.Context, q store.Query, v view) (any, error) {
	list, err := kept.Memories(ctx, q, v.owner)
	return items(list, func(m kept.Memory) Item { return Item{Text: m.Text, Kind: m.Kind, At: v.at(m.At)} }), err
}

func summaries(ctx context.Context, q store.Query, v view) (any, error) {
	// The words of its own session are there already. Its branches, and what it is a branch of, went another way.
	without, err := branches.Family(ctx, q, v.Task.Place())
	if err != nil {
		return nil, err
	}
	list, err := kept.Summaries(ctx, q, v.owner, without)
	return items(list, v.summary), err
}

func (v view) summary(s kept.Summary) Item {
	at := v.at(s.At)
	if s.Kind == kept.OfDay {
		at = s.About
	}
	return Item{Text: s.Text, Kind: string(s.Kind), At: at}
}

// A Day is what summary.day returns: the sessions that ended on a day of the user's zone, the oldest
// first, and when that day began and ended.
type Day struct {
	Items
	From time.Time `json:"from"`
	To   time.Time `json:"to"`
}

func day(ctx context.Context, q store.Query, v view) (any, error) {
	var args struct {
		Day string `json:"day"`
	}
	if err := decode("summary.day", v.Args, &args); err != nil {
		return nil, err
	}
	from, err := time.ParseInLocation(time.DateOnly, args.Day, v.zone)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "summary.day: day %.40q must be written like 2026-01-31", args.Day)
	}
	d := Day{From: from, To: from.AddDate(0, 0, 1)}
	list, err := kept.SummariesBetween(ctx, q, v.owner, d.From, d.To)
	d.Items = items(list, v.summary)
	return d, err
}

func decode(tool string, args json.RawMessage, into any) error {
	if err := json.Unmarshal(args, into); err != nil {
		return rein.Errorf(rein.CodeInvalid, "%s: its arguments cannot be read: %w", tool, err)
	}
	return nil
}
