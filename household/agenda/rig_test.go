package agenda_test

import (
	"context"
	"path/filepath"
	"testing"
	"time"
	_ "time/tzdata"

	"rein"
	"rein/household/agenda"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// amsterdam is where most tests are.
var amsterdam = agenda.ZoneOf("Europe/Amsterdam")

var ann = agenda.Owner{Household: "home", User: "ann"}

// A desk is a book over a real store, with a clock.
type desk struct {
	*testing.T
	agenda.Book
	store *sqlite.Store
	now   time.Time
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	d := &desk{T: t, store: s, now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}
	d.Book = agenda.Book{Tables: s, Now: func() time.Time { return d.now }}
	return d
}

func (d *desk) check(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

// draft is the event of a draft, without a store.
func draft(t testing.TB, d agenda.Draft) agenda.Event {
	t.Helper()
	if d.Title == "" {
		d.Title = "event"
	}
	e, err := d.Event(ann, "Europe/Amsterdam")
	if err != nil {
		t.Fatal(err)
	}
	e.ID, e.UID = "e", "e@test"
	return e
}

func at(text string) time.Time {
	t, err := agenda.Instant(text, amsterdam)
	if err != nil {
		panic(err)
	}
	return t
}

// starts writes the starts of occurrences as the clock shows them.
func starts(list []agenda.Occurrence) (all []string) {
	for _, o := range list {
		text := o.Start.In(amsterdam).Format("2006-01-02 15:04")
		if o.Event.Title != "event" {
			text += " " + o.Event.Title
		}
		all = append(all, text)
	}
	return all
}

// write keeps an event.
func (d *desk) write(e agenda.Event) error {
	return d.Write(d.Context(), func(ctx context.Context, tx rein.Tx) error { return d.Add(ctx, tx, e) })
}
