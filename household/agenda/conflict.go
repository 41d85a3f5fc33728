package agenda

import (
	"context"
	"slices"
	"time"

	"rein/store"
)

// How far conflicts are looked for.
const (
	conflictHorizon = 366 * 24 * time.Hour
	conflictsShown  = 10
	conflictsTried  = 400 // occurrences of the event itself
)

// A Conflict is two things at once.
type Conflict struct {
	Own   Occurrence // of the event that was asked about
	Other Occurrence
}

// Conflicts returns what an event overlaps with, among its user's events and those that the household sees, within a year
// from now or from its start, whichever is later. It returns the first few. Events that take no time conflict with nothing.
func (b Book) Conflicts(ctx context.Context, e Event, reader *time.Location) (found []Conflict, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err = b.conflicts(ctx, q, e.normal(), reader)
		return err
	})
	return found, err
}

func (b Book) conflicts(ctx context.Context, q store.Query, e Event, reader *time.Location) ([]Conflict, error) {
	from := b.Time()
	if first, _ := e.Start.In(ZoneOf(e.Zone)); first.After(from) || !e.Repeats() {
		from = first.Add(-margin)
	}
	own, _, err := e.some(from, from.Add(conflictHorizon+e.Length()), reader, conflictsTried, func(o Occurrence) bool {
		return !o.Event.Free && o.End.After(from)
	})
	if err != nil || len(own) == 0 {
		return nil, err
	}
	last := own[len(own)-1].End
	others, err := b.taken(ctx, q, Owner{e.Household, e.User}, Window{From: own[0].Start, To: last.Add(time.Second), Zone: reader}, e.ID)
	if err != nil {
		return nil, err
	}
	var found []Conflict
	for _, o := range own {
		for _, other := range others {
			if !other.Start.Before(o.End) {
				break // they are in the order of their starts
			}
			if o.overlaps(other) {
				if found = append(found, Conflict{o, other}); len(found) == conflictsShown {
					return found, nil
				}
			}
		}
	}
	return found, nil
}

// overlaps reports whether two occurrences take the same time.
func (o Occurrence) overlaps(other Occurrence) bool {
	return o.Start.Before(other.End) && other.Start.Before(o.End)
}

// taken returns what takes time in a window, but for one event.
func (b Book) taken(ctx context.Context, q store.Query, o Owner, w Window, without string) ([]Occurrence, error) {
	all, err := occurrences(ctx, q, o, w)
	return slices.DeleteFunc(all, func(o Occurrence) bool { return o.Event.Free || o.Event.ID == without || !o.End.After(o.Start) }), err
}
