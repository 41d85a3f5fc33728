package agenda

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"time"

	"rein"
	"rein/internal/civil"
	"rein/store"
)

// A Book keeps events.
type Book struct {
	Tables store.Tables
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Time is what the clock shows.
func (b Book) Time() time.Time {
	if b.Now != nil {
		return b.Now().UTC().Truncate(time.Microsecond)
	}
	return time.Now().UTC().Truncate(time.Microsecond)
}

// An Owner is a user of a household.
type Owner struct{ Household, User string }

// Sees reports whether a user sees an event: their own, or one that is shared with their household.
func (o Owner) Sees(e Event) bool {
	return e.Household == o.Household && (e.User == o.User || e.Shared)
}

// notFound says that there is no such event, or that it is not for the asker to see.
func notFound(id string) error {
	return rein.Errorf(rein.CodeNotFound, "there is no event %.80q: list the agenda to see the IDs", id)
}

// Get returns an event that a user sees.
func (b Book) Get(ctx context.Context, o Owner, id string) (e Event, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		e, err = get(ctx, q, o, id)
		return err
	})
	return e, err
}

func get(ctx context.Context, q store.Query, o Owner, id string) (Event, error) {
	found, err := list(ctx, q, "household = ? AND id = ?", o.Household, id)
	if err != nil {
		return Event{}, err
	}
	if len(found) == 0 || !o.Sees(found[0]) {
		return Event{}, notFound(id)
	}
	return found[0], nil
}

// own returns an event that a user may change.
func own(ctx context.Context, q store.Query, o Owner, id string) (Event, error) {
	e, err := get(ctx, q, o, id)
	if err == nil && e.User != o.User {
		err = rein.Errorf(rein.CodeForbidden, "the event belongs to %s: only they can change it", e.User)
	}
	return e, err
}

// A Window says which occurrences are asked for.
type Window struct {
	From, To time.Time
	Zone     *time.Location // of the reader
	// With are other users whose shared events count too; nil: all of the household.
	With []string
}

// maxWindow is the longest time that is looked through at once.
const maxWindow = 5 * 366 * 24 * time.Hour

func (w Window) check() error {
	switch {
	case !w.From.Before(w.To):
		return rein.Errorf(rein.CodeInvalid, "the time from %s to %s is empty: the end must come after the start", w.From.Format(time.RFC3339), w.To.Format(time.RFC3339))
	case w.To.Sub(w.From) > maxWindow:
		return rein.Errorf(rein.CodeInvalid, "the time from %s to %s is too long: at most 5 years are looked through at once", w.From.Format(time.RFC3339), w.To.Format(time.RFC3339))
	}
	return nil
}

// List returns what happens in a window: the user's events, and those that the household sees.
func (b Book) List(ctx context.Context, o Owner, w Window) (all []Occurrence, err error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err = occurrences(ctx, q, o, w)
		return err
	})
	return all, err
}

func occurrences(ctx context.Context, q store.Query, o Owner, w Window) (all []Occurrence, err error) {
	events, err := list(ctx, q, "household = ? AND (user_name = ? OR shared = 1) AND ends >= ? AND begins <= ? ORDER BY id",
		o.Household, o.User, w.From.UnixMicro(), w.To.UnixMicro())
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if e.User != o.User && w.With != nil && !slices.Contains(w.With, e.User) {
			continue
		}
		found, err := e.Occurrences(w.From, w.To, w.Zone, MaxOccurrences)
		if err != nil {
			return nil, err
		}
		if all = append(all, found...); len(all) > MaxOccurrences {
			return nil, tooMany(MaxOccurrences)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b Occurrence) int { return a.Start.Compare(b.Start) })
	return all, nil
}

// Own returns an event that a user may change.
func (b Book) Own(ctx context.Context, o Owner, id string) (e Event, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		e, err = own(ctx, q, o, id)
		return err
	})
	return e, err
}

// OwnAll returns all events of a user, by their start.
func (b Book) OwnAll(ctx context.Context, o Owner) (all []Event, err error) {
	return b.read(ctx, "household = ? AND user_name = ? ORDER BY begins, id", o.Household, o.User)
}

// Seen returns all events that a user sees, by their start.
func (b Book) Seen(ctx context.Context, o Owner) (all []Event, err error) {
	return b.read(ctx, "household = ? AND (user_name = ? OR shared = 1) ORDER BY begins, id", o.Household, o.User)
}

func (b Book) read(ctx context.Context, where string, args ...any) (all []Event, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		all, err = list(ctx, q, where, args...)
		return err
	})
	return all, err
}

// Write does something in a transaction of its own.
func (b Book) Write(ctx context.Context, do func(context.Context, rein.Tx) error) error {
	return b.Tables.Write(ctx, do)
}

// Add keeps a new event. One that is there already, with the same ID, stays as it is: the same step made it.
func (b Book) Add(ctx context.Context, tx rein.Tx, e Event) error {
	e = e.normal()
	if err := e.check(); err != nil {
		return err
	}
	there, err := list(ctx, tx, "id = ?", e.ID)
	if err != nil || len(there) > 0 {
		return err
	}
	if err := hasRoom(ctx, tx, Owner{e.Household, e.User}, 1); err != nil {
		return err
	}
	e.Created, e.Updated = b.Time(), b.Time()
	return b.put(ctx, tx, e)
}

func hasRoom(ctx context.Context, q store.Query, o Owner, more int) error {
	rows, err := q.QueryContext(ctx, `SELECT count(*) FROM agenda_events WHERE household = ? AND user_name = ?`, o.Household, o.User)
	if err != nil {
		return err
	}
	defer rows.Close()
	n := 0
	for rows.Next() {
		if err := rows.Scan(&n); err != nil {
			return err
		}
	}
	if n+more > MaxEvents {
		return rein.Errorf(rein.CodeLimit, "the agenda of %s has %d events, and %d is the most: delete old ones first", o.User, n, MaxEvents)
	}
	return rows.Err()
}

// put writes an event, in place of what it was.
func (b Book) put(ctx context.Context, tx rein.Tx, e Event) error {
	begins, ends, err := e.bounds()
	if err != nil {
		return err
	}
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	shared := 0
	if e.Shared {
		shared = 1
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO agenda_events (id, household, user_name, uid, shared, begins, ends, event, created, updated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET uid = excluded.uid, shared = excluded.shared, begins = excluded.begins, ends = excluded.ends, event = excluded.event, updated = excluded.updated`,
		e.ID, e.Household, e.User, e.UID, shared, begins.UnixMicro(), ends.UnixMicro(), string(data), e.Created.UnixMicro(), e.Updated.UnixMicro())
	if err != nil {
		return err
	}
	return b.planAlarms(ctx, tx, e)
}

// bounds are instants between which all of an event happens, in every zone.
func (e Event) bounds() (begins, ends time.Time, err error) {
	first, last := e.Start, e.End
	for _, w := range e.Dates {
		first, last = earlier(first, w), later(last, w.Add(e.Length()))
	}
	for _, c := range e.Changes {
		first, last = earlier(first, c.Start), later(last, c.End)
	}
	if e.Rule != "" {
		r, err := e.parseRule()
		if err != nil {
			return begins, ends, err
		}
		last = Wall{farAway}
		switch {
		case !r.option.Until.IsZero():
			last = Wall{r.option.Until}.Add(e.Length())
		case r.option.Count > 0:
			if all := r.walls(Wall{}, Wall{farAway}, r.option.Count); len(all) > 0 {
				last = all[len(all)-1].Add(e.Length())
			}
		}
		for _, w := range e.Dates {
			last = later(last, w.Add(e.Length()))
		}
		for _, c := range e.Changes {
			last = later(last, c.End)
		}
	}
	return first.t.Add(-margin), last.t.Add(margin), nil
}

func earlier(a, b Wall) Wall {
	if b.Before(a) {
		return b
	}
	return a
}

func later(a, b Wall) Wall {
	if a.Before(b) {
		return b
	}
	return a
}

// Replace keeps an event in place of what it was. version is what it was when somebody last looked: if it is different by
// now, it is not replaced.
func (b Book) Replace(ctx context.Context, tx rein.Tx, o Owner, version string, e Event) error {
	was, err := own(ctx, tx, o, e.ID)
	if err != nil {
		return err
	}
	if version != "" && was.Version() != version {
		return errChanged
	}
	e = e.normal()
	e.Household, e.User, e.By, e.Created = was.Household, was.User, was.By, was.Created
	e.Sequence, e.Updated = was.Sequence+1, afterBoth(b.Time(), was.Updated)
	if err := e.check(); err != nil {
		return err
	}
	return b.put(ctx, tx, e)
}

// afterBoth is a time after both: an update is after the one before it, whatever the clock says.
func afterBoth(now, before time.Time) time.Time {
	if now.After(before) {
		return now
	}
	return before.Add(time.Microsecond)
}

var errChanged = rein.Errorf(rein.CodeConflict, "the event was changed meanwhile: look at it again, and then change it")

// Delete removes an event, if it is as it was when somebody last looked.
func (b Book) Delete(ctx context.Context, tx rein.Tx, o Owner, version, id string) error {
	was, err := own(ctx, tx, o, id)
	if err != nil {
		return err
	}
	if version != "" && was.Version() != version {
		return errChanged
	}
	return remove(ctx, tx, id)
}

func remove(ctx context.Context, tx rein.Tx, id string) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM agenda_alarms WHERE event = ?`, id); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM agenda_events WHERE id = ?`, id)
	return err
}

func list(ctx context.Context, q store.Query, where string, args ...any) (all []Event, err error) {
	rows, err := q.QueryContext(ctx, `SELECT id, household, user_name, uid, shared, event, created, updated FROM agenda_events WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		e, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	return all, rows.Err()
}

func scan(rows *sql.Rows) (e Event, err error) {
	var data string
	var shared int
	var created, updated int64
	if err := rows.Scan(&e.ID, &e.Household, &e.User, &e.UID, &shared, &data, &created, &updated); err != nil {
		return e, err
	}
	e.Shared, e.Created, e.Updated = shared == 1, time.UnixMicro(created).UTC(), time.UnixMicro(updated).UTC()
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		return e, rein.Errorf(rein.CodeDamaged, "event %s cannot be read: %w", e.ID, err)
	}
	return e, nil
}

// ZoneOf returns the zone of that name; one that does not exist is UTC.
func ZoneOf(name string) *time.Location {
	zone, err := civil.Zone(name)
	if err != nil {
		return time.UTC
	}
	return zone
}
