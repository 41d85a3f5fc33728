package agenda

import (
	"context"
	"time"

	"rein"
	"rein/internal/digest"
)

// Imported is what became of events that came from a file.
type Imported struct {
	Added, Updated, Unchanged int
	Refused                   []Refused
}

// Refused is an event that was not kept.
type Refused struct {
	Event Event
	Why   string
}

// importBatch is how many events one transaction keeps: others write in between.
const importBatch = 100

// Import keeps events of a file for a user. One whose UID the user has already is updated, so that the same file can be
// imported again and again. It stays as it is if it was changed here since.
func (b Book) Import(ctx context.Context, o Owner, events []Event) (done Imported, err error) {
	for len(events) > 0 && err == nil {
		n := min(importBatch, len(events))
		var part Imported
		err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
			part = Imported{}
			return b.importSome(ctx, tx, o, events[:n], &part)
		})
		done.Added, done.Updated, done.Unchanged = done.Added+part.Added, done.Updated+part.Updated, done.Unchanged+part.Unchanged
		done.Refused = append(done.Refused, part.Refused...)
		events = events[n:]
		if err == nil {
			err = ctx.Err()
		}
	}
	return done, err
}

func (b Book) importSome(ctx context.Context, tx rein.Tx, o Owner, events []Event, done *Imported) error {
	for _, e := range events {
		refuse := func(why string) { done.Refused = append(done.Refused, Refused{e, why}) }
		e.Household, e.User, e.By = o.Household, o.User, o.User
		e.ID = "ev-" + digest.Listed(10, o.Household, o.User, e.UID)
		before, err := list(ctx, tx, "household = ? AND user_name = ? AND uid = ?", o.Household, o.User, e.UID)
		if err != nil {
			return err
		}
		if len(before) == 0 {
			if err := hasRoom(ctx, tx, o, 1); err != nil {
				refuse(err.Error())
				continue
			}
			e.Created, e.Updated = b.Time(), b.Time()
			done.Added++
		} else {
			was := before[0]
			e.ID, e.By, e.Shared, e.Runs, e.Created = was.ID, was.By, was.Shared, was.Runs, was.Created
			switch {
			case same(e, was):
				done.Unchanged++
				continue
			case e.Sequence < was.Sequence:
				refuse("it was changed in the agenda since, so the agenda's stays")
				continue
			}
			e.Updated = afterBoth(b.Time(), was.Updated)
			done.Updated++
		}
		if e, err = e.Checked(); err != nil {
			return err // ics has checked it
		}
		if err := b.put(ctx, tx, e); err != nil {
			return err
		}
	}
	return nil
}

// same reports whether two events say the same.
func same(a, b Event) bool {
	text := func(e Event) string {
		e = e.normal()
		e.ID, e.Sequence, e.By, e.Runs = "", 0, "", nil
		e.Created, e.Updated = time.Time{}, time.Time{}
		return e.Version()
	}
	return a.UID == b.UID && text(a) == text(b)
}
