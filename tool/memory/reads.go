package memory

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/household/branches"
	kept "rein/household/memory"
	"rein/store"
)

func (v view) snapshots(ctx context.Context, q store.Query, now time.Time) (any, error) {
	list, err := kept.Snapshots(ctx, q, v.owner, now)
	return items(list, func(s kept.Snapshot) Item {
		return v.from(s.By, FromNotes, Item{Text: s.Text, At: v.at(s.At), Scope: string(s.Scope), Until: v.at(s.Expires)})
	}), err
}

// from says who says so: another member by name, or how it came from the user.
func (v view) from(user, source string, item Item) Item {
	if user != v.owner.User {
		item.By = user
	} else {
		item.Source = source
	}
	return item
}

func preferences(ctx context.Context, q store.Query, v view) (any, error) {
	list, err := kept.Preferences(ctx, q, v.owner)
	return items(list, v.preference), err
}

func (v view) preference(p kept.Preference) Item {
	item := Item{Text: p.Text(), Key: p.Name, At: v.at(p.At)}
	if p.Wide {
		item.Scope = string(kept.ForHousehold)
		return v.from(p.By, FromUser, item)
	}
	return v.from(v.owner.User, sourceOf(p.By), item)
}

func (v view) memory(m kept.Memory) Item {
	item := Item{Text: m.Text, Kind: m.Kind, At: v.at(m.Since()), About: m.About, ID: m.ID}
	if m.Scope == kept.ForHousehold {
		item.Scope = string(m.Scope)
	}
	return v.from(m.User, sourceOf(m.SaidBy), item)
}

// contextMemories is context.memories: what holds now, what the user's message needs most first.
func (s Source) contextMemories() rein.Tool {
	return rein.Tool{
		Name: "context.memories", Description: "What is remembered of the user.", Effect: rein.Pure, Internal: true, Family: "memory",
		Do: func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			v, all, err := s.current(ctx, inv)
			if err != nil {
				return rein.Done{}, err
			}
			chosen, err := s.Find.Choose(ctx, all, lastSaid(inv.Task), s.Now())
			if err != nil {
				return rein.Done{}, err
			}
			data, err := json.Marshal(items(fitting(chosen), v.memory))
			return rein.Done{Data: data}, err
		},
	}
}

// current returns what holds for the user of a call.
func (s Source) current(ctx context.Context, inv rein.Invocation) (v view, all []kept.Memory, err error) {
	owner, err := kept.OwnerOf(inv.Task)
	if err != nil {
		return v, nil, err
	}
	v = view{owner, zoneOf(inv.Task.Zone), inv}
	err = s.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err = kept.Memories(ctx, q, owner)
		return err
	})
	return v, all, err
}

// lastSaid is what the user said last in a task.
func lastSaid(task *rein.Task) string {
	for _, m := range slices.Backward(task.Messages) {
		if m.Role == rein.User && strings.TrimSpace(m.Text) != "" {
			return m.Text
		}
	}
	return ""
}

// maxContext bounds what is read for a prompt, in bytes: a flow takes as many from the front as fit.
const maxContext = 50_000

func fitting(list []kept.Memory) []kept.Memory {
	left := maxContext
	for i, m := range list {
		if left -= len(m.Text); left < 0 {
			return list[:i]
		}
	}
	return list
}

func summaries(ctx context.Context, q store.Query, v view) (any, error) {
	// The words of its own session are there already. Its branches, and what it is a branch of, went another way.
	without, err := branches.Family(ctx, q, v.Task.Place())
	if err != nil {
		return nil, err
	}
	list, err := kept.Summaries(ctx, q, v.owner, without)
	if err != nil {
		return nil, err
	}
	own, err := kept.Own(ctx, q, v.owner)
	if err != nil {
		return nil, err
	}
	for i := range list {
		list[i].Text = kept.WithoutReplaced(list[i].Text, own)
	}
	list = slices.DeleteFunc(list, func(s kept.Summary) bool { return s.Text == "" })
	return items(list, v.summary), err
}

func (v view) summary(s kept.Summary) Item {
	at := v.at(s.At)
	if s.Kind == kept.OfDay {
		at = s.About
	}
	return Item{Text: s.Text, Kind: string(s.Kind), At: at, Source: FromTalk, Of: s.About}
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
