// Package memory lets flows read and write what rein knows about the user of their run. All its
// tools are internal: no model is offered them, and each works only for the user of the task.
package memory

import (
	"context"
	"encoding/json"
	"time"

	"rein"
	kept "rein/household/memory"
	"rein/store"
)

// Tools returns the reads context.snapshots, context.preferences, context.memories,
// context.summaries and summary.day, and the writes memory.save and summary.save. A nil clock is
// time.Now.
func Tools(tables store.Snapshots, now func() time.Time) []rein.Tool {
	if now == nil {
		now = time.Now
	}
	return []rein.Tool{
		reading(tables, "context.snapshots", "What holds now.", func(ctx context.Context, q store.Query, v view) (any, error) {
			return v.snapshots(ctx, q, now())
		}),
		reading(tables, "context.preferences", "How the user wants things.", preferences),
		reading(tables, "context.memories", "What is remembered of the user.", memories),
		reading(tables, "context.summaries", "What earlier sessions and days were about.", summaries),
		reading(tables, "summary.day", "What the sessions of one day were about.", day),
		saveMemories(now),
		saveSummary(now),
	}
}

// Items is what a read returns, what is worth most first.
type Items struct {
	Items []Item `json:"items"`
}

// An Item is one thing that is known.
type Item struct {
	Text  string `json:"text"`
	At    string `json:"at,omitempty"`    // when it was said, in the user's zone: 2006-01-02 15:04
	Kind  string `json:"kind,omitempty"`  // of a memory, or of a summary: session or day
	Scope string `json:"scope,omitempty"` // of a snapshot: user or household
	By    string `json:"by,omitempty"`    // of a snapshot: the other member of the household who noted it
	Until string `json:"until,omitempty"` // of a snapshot
	Key   string `json:"key,omitempty"`   // of a preference, whose text is "key: value"
}

// A view is a read on its way: for whom, and what it was asked for.
type view struct {
	owner kept.Owner
	zone  *time.Location
	rein.Invocation
}

// reading makes an internal read of one moment.
func reading(tables store.Snapshots, name, text string, read func(context.Context, store.Query, view) (any, error)) rein.Tool {
	return rein.Tool{
		Name: name, Description: text, Effect: rein.Pure, Internal: true, Family: "memory",
		Do: func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			owner, err := kept.OwnerOf(inv.Task)
			if err != nil {
				return rein.Done{}, err
			}
			var found any
			err = tables.Read(ctx, func(ctx context.Context, q store.Query) error {
				found, err = read(ctx, q, view{owner, zoneOf(inv.Task.Zone), inv})
				return err
			})
			if err != nil {
				return rein.Done{}, err
			}
			data, err := json.Marshal(found)
			return rein.Done{Data: data}, err
		},
	}
}

// zoneOf returns the zone of that name; one that does not exist is UTC.
func zoneOf(name string) *time.Location {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return time.UTC
	}
	return zone
}

// at writes a time as the user's clock shows it.
func (v view) at(t time.Time) string { return t.In(v.zone).Format("2006-01-02 15:04") }

// items makes Items of a list.
func items[T any](list []T, item func(T) Item) Items {
	found := Items{Items: make([]Item, len(list))}
	for i, t := range list {
		found.Items[i] = item(t)
	}
	return found
}
