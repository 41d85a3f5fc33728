// Package memory lets flows and models read and write what rein knows about the user of their run. Each tool works only for
// the user of the task, and for what others of their household said for everyone.
package memory

import (
	"context"
	"encoding/json"
	"time"

	"rein"
	kept "rein/household/memory"
	"rein/household/recall"
	"rein/store"
)

// A Source is where the tools read, and what they find memories with.
type Source struct {
	Tables store.Snapshots
	Find   *recall.Finder   // nil: by words alone
	Now    func() time.Time // nil is time.Now
}

func (s Source) filled() Source {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Find == nil {
		s.Find = &recall.Finder{}
	}
	return s
}

// Tools returns the tools of flows, which no model is offered: the reads context.snapshots, context.preferences,
// context.memories, context.summaries and summary.day, and the writes memory.save and summary.save.
func Tools(tables store.Snapshots, now func() time.Time) []rein.Tool {
	return Source{Tables: tables, Now: now}.Internal()
}

// Internal is Tools with all that a source has.
func (s Source) Internal() []rein.Tool {
	s = s.filled()
	return []rein.Tool{
		reading(s.Tables, "context.snapshots", "What holds now.", func(ctx context.Context, q store.Query, v view) (any, error) {
			return v.snapshots(ctx, q, s.Now())
		}),
		reading(s.Tables, "context.preferences", "How the user wants things.", preferences),
		s.contextMemories(),
		reading(s.Tables, "context.summaries", "What earlier sessions and days were about.", summaries),
		reading(s.Tables, "summary.day", "What the sessions of one day were about.", day),
		s.saveMemories(),
		saveSummary(s.Now),
	}
}

// Household returns the tools of models: memory.remember, memory.forget, memory.search, preferences.set and
// preferences.get.
func (s Source) Household() (all []rein.Tool, err error) {
	s = s.filled()
	for _, made := range []func() (rein.Tool, error){s.remember, s.forget, s.search, s.setPreference, s.getPreferences} {
		t, err := made()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// Names lists the tools of Household.
func Names() []string {
	return []string{forgetName, rememberName, searchName, getName, setName}
}

// Reading lists those that change nothing.
func Reading() []string { return []string{searchName, getName} }

// Items is what a read returns, what is worth most first.
type Items struct {
	Items []Item `json:"items"`
}

// An Item is one thing that is known.
type Item struct {
	Text   string `json:"text"`
	At     string `json:"at,omitempty"`     // when it was said, in the user's zone: 2006-01-02 15:04
	Kind   string `json:"kind,omitempty"`   // of a memory, or of a summary: session or day
	Scope  string `json:"scope,omitempty"`  // of a snapshot or a memory: user or household
	By     string `json:"by,omitempty"`     // the other member of the household who said so; empty: the user
	Source string `json:"source,omitempty"` // who says so, if it is the user's own: one of the Sources
	Until  string `json:"until,omitempty"`  // of a snapshot
	Key    string `json:"key,omitempty"`    // of a preference, whose text is "key: value"
	About  string `json:"about,omitempty"`  // of a memory: its subject
	ID     string `json:"id,omitempty"`     // of a memory
	Of     string `json:"of,omitempty"`     // of a summary: the session's ID, or the day; its text may lack lines that do not hold any more
}

// Where something that is known of the user comes from, as a prompt says it.
const (
	FromUser  = "the user"
	FromNotes = "your notes"
	FromTalk  = "summary"
)

// sourceOf says where the user's own comes from.
func sourceOf(saidBy string) string {
	if saidBy == "" {
		return FromNotes
	}
	return FromUser
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
