package alarms_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	_ "time/tzdata"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/follow/alarms"
	"rein/household/agenda"
	"rein/store"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

var ann = agenda.Owner{Household: "home", User: "ann"}

// A desk is an agenda over a real store, with a clock.
type desk struct {
	*testing.T
	store *sqlite.Store
	book  agenda.Book
	mu    sync.Mutex
	now   time.Time
}

func newDesk(t *testing.T) *desk {
	t.Helper()
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{})
	d := &desk{T: t, store: s, now: time.Date(2026, 11, 20, 11, 0, 0, 0, time.UTC)}
	d.check(err)
	t.Cleanup(func() { s.Close() })
	d.book = agenda.Book{Tables: s, Now: d.clock}
	return d
}

func (d *desk) clock() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now
}

func (d *desk) set(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.now = now
}

func (d *desk) check(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *desk) ringer() *alarms.Ringer {
	return &alarms.Ringer{Book: d.book, Where: func(string, string) (string, string) { return "nl", "Europe/Amsterdam" }}
}

func (d *desk) add(id string, draft agenda.Draft) agenda.Event {
	d.Helper()
	e, err := draft.Event(ann, "Europe/Amsterdam")
	d.check(err)
	e.ID, e.UID, e.Runs = id, id, []rein.RunID{"r1"}
	d.check(d.book.Write(d.Context(), func(ctx context.Context, tx rein.Tx) error { return d.book.Add(ctx, tx, e) }))
	return e
}

// texts are all columns of a query as lines.
func (d *desk) texts(query string) (lines []string) {
	d.Helper()
	d.check(d.store.Read(d.Context(), func(ctx context.Context, q store.Query) error {
		rows, err := q.QueryContext(ctx, query)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var text string
			if err := rows.Scan(&text); err != nil {
				return err
			}
			lines = append(lines, text)
		}
		return rows.Err()
	}))
	return lines
}

func (d *desk) messages() []string {
	return d.texts(`SELECT household || ' ' || user_name || ' ' || kind || ' ' || run || ': ' || text FROM messages ORDER BY created, id`)
}

func (d *desk) at(text string) time.Time {
	d.Helper()
	t, err := agenda.Instant(text, agenda.ZoneOf("Europe/Amsterdam"))
	d.check(err)
	return t
}

// An alarm becomes a message to the user of the event, in their language, when it is due and not before.
//
// Covers: NEU-57
func TestAlarm(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.add("dentist", agenda.Draft{Title: "tandarts", Place: "Kerkstraat 1", Start: "2026-11-24T09:00", Alarms: []int{30, 0}, Shared: true})
	d.add("market", agenda.Draft{Title: "kerstmarkt", Start: "2026-11-24", Alarms: []int{300}})
	d.add("over", agenda.Draft{Title: "voorbij", Start: "2026-11-19T09:00", Alarms: []int{10}})
	for _, step := range []struct {
		at   string
		want []string
	}{
		{"2026-11-23T18:59", nil},
		{"2026-11-23T19:00", []string{"home ann alarm r1: In je agenda: 'kerstmarkt', dinsdag 24 november, hele dag."}},
		{"2026-11-24T08:29", nil},
		{"2026-11-24T08:30", []string{"home ann alarm r1: In je agenda: 'tandarts', dinsdag 24 november, 09:00 (Kerkstraat 1)."}},
		{"2026-11-24T08:31", nil},
		{"2026-11-24T10:00", []string{"home ann alarm r1: In je agenda: 'tandarts', dinsdag 24 november, 09:00 (Kerkstraat 1)."}},
		{"2026-12-24T10:00", nil},
	} {
		before := len(d.messages())
		d.set(d.at(step.at))
		d.check(d.ringer().Ring(t.Context()))
		if diff := cmp.Diff(step.want, d.messages()[before:], cmp.Transformer("empty", func(l []string) string { return strings.Join(l, "\n") })); diff != "" {
			t.Errorf("at %s:\n%s", step.at, diff)
		}
	}
}

// An event that is moved after its alarm has another one; one that is deleted has none any more.
func TestMovedAndDeleted(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	e := d.add("dentist", agenda.Draft{Title: "tandarts", Start: "2026-11-24T09:00", Alarms: []int{30}})
	d.add("gone", agenda.Draft{Title: "weg", Start: "2026-11-24T16:00", Alarms: []int{30}})
	d.set(d.at("2026-11-24T08:40"))
	d.check(d.ringer().Ring(t.Context()))
	start := "2026-11-24T15:00"
	edit, err := agenda.Amendment{Start: &start}.Read(e, nil)
	d.check(err)
	moved, err := e.Apply("", nil, edit, "")
	d.check(err)
	d.check(d.book.Write(t.Context(), func(ctx context.Context, tx rein.Tx) error {
		if err := d.book.Replace(ctx, tx, ann, "", moved.Event); err != nil {
			return err
		}
		return d.book.Delete(ctx, tx, ann, "", "gone")
	}))
	d.set(d.at("2026-11-24T16:40"))
	d.check(d.ringer().Ring(t.Context()))
	want := []string{"home ann alarm r1: In je agenda: 'tandarts', dinsdag 24 november, 09:00.", "home ann alarm r1: In je agenda: 'tandarts', dinsdag 24 november, 15:00."}
	if diff := cmp.Diff(want, d.messages()); diff != "" {
		t.Error(diff)
	}
}

// What nobody was there for is sent if it is not older than a day; older alarms are skipped, and the row says why.
func TestStale(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.add("daily", agenda.Draft{Title: "pil", Start: "2026-11-21T09:00", Rule: "FREQ=DAILY", Alarms: []int{0}})
	d.set(d.at("2027-01-10T10:00"))
	d.check(d.ringer().Ring(t.Context()))
	if diff := cmp.Diff([]string{"home ann alarm r1: In je agenda: 'pil', zondag 10 januari, 09:00."}, d.messages()); diff != "" {
		t.Error(diff)
	}
	rows := d.texts(`SELECT state || ' ' || occurrence || ' ' || why FROM agenda_alarms ORDER BY due`)
	want := []string{"skipped 2026-11-21T09:00 it came 1201h0m0s late: nothing ran at 2026-11-21T08:00:00Z", "sent 2027-01-10T09:00 ", "waiting 2027-01-11T09:00 "}
	if diff := cmp.Diff(want, rows); diff != "" {
		t.Error(diff)
	}
}

// Months with two processes, restarts, and clocks that jump: each alarm is sent once, at its time or up to a day late.
//
// Covers: NEU-57
func TestOncePerAlarm(t *testing.T) {
	t.Parallel()
	const days = 85 // rows are forgotten after 90
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			d := newDesk(t)
			random := rand.New(rand.NewPCG(seed, 7))
			d.set(d.at("2026-10-01T00:00")) // over a change of the clocks
			d.add("daily", agenda.Draft{Title: "pil", Start: "2026-10-01T02:30", Rule: "FREQ=DAILY", Alarms: []int{0, 90}})
			first := d.clock()
			end := first.Add(days * 24 * time.Hour)
			for d.clock().Before(end) {
				d.set(d.clock().Add(time.Duration(random.IntN(20*60)) * time.Minute))
				if random.IntN(10) == 0 { // a clock is years ahead for a moment, and then right again
					right := d.clock()
					d.set(right.AddDate(3, 0, 0))
					d.check(d.ringer().Ring(t.Context()))
					d.set(right)
					d.check(d.ringer().Sweep(t.Context()))
				}
				var both sync.WaitGroup
				for range 2 {
					both.Go(func() {
						if err := d.ringer().Ring(t.Context()); err != nil {
							t.Error(err)
						}
					})
				}
				both.Wait()
			}
			d.compare(first)
		})
	}
}

// compare wants every alarm from the first day to now to be sent once.
func (d *desk) compare(first time.Time) {
	d.Helper()
	want := map[string]int{}
	for day := first.In(agenda.ZoneOf("Europe/Amsterdam")); ; day = day.AddDate(0, 0, 1) {
		start := d.at(day.Format(time.DateOnly) + "T02:30")
		if start.After(d.clock()) {
			break
		}
		want[start.UTC().Format(time.RFC3339)] += 1
		want[start.Add(-90*time.Minute).UTC().Format(time.RFC3339)] += 1
	}
	got := map[string]int{}
	for _, due := range d.texts(`SELECT CAST(due AS TEXT) FROM agenda_alarms WHERE state = 'sent'`) {
		var micros int64
		_, err := fmt.Sscan(due, &micros)
		d.check(err)
		got[time.UnixMicro(micros).UTC().Format(time.RFC3339)]++
	}
	for at, n := range got {
		if t, _ := time.Parse(time.RFC3339, at); t.After(d.clock().Add(-2*time.Hour)) || t.After(d.clock()) {
			continue // the alarm of an event that is to come
		} else if n != want[at] {
			d.Errorf("%s was sent %d times", at, n)
		}
	}
	for at := range want {
		if t, _ := time.Parse(time.RFC3339, at); got[at] != 1 && t.After(first) && !t.After(d.clock()) {
			d.Errorf("%s was sent %d times", at, got[at])
		}
	}
	all := d.messages()
	sent := d.texts(`SELECT event || minutes || due FROM agenda_alarms WHERE state = 'sent'`)
	ids := d.texts(`SELECT id FROM messages`)
	slices.Sort(ids)
	if len(all) < 150 || len(slices.Compact(ids)) != len(all) || len(sent) > len(all) {
		d.Errorf("%d messages of %d alarms", len(all), len(sent))
	}
}

// The service finds what others write while it runs, sends it when it is due, and ends with its context.
func TestServe(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	heard := heard{d.store, make(chan struct{}, 1)}
	r := d.ringer()
	r.Every, r.Book.Tables = time.Millisecond, heard
	ended := make(chan error, 1)
	go func() { ended <- r.Serve(ctx) }()
	d.add("dentist", agenda.Draft{Title: "tandarts", Start: "2026-11-24T09:00", Alarms: []int{30}})
	d.set(d.at("2026-11-24T08:30"))
	for len(d.messages()) == 0 {
		select {
		case <-heard.wrote:
		case <-ctx.Done():
			t.Fatal("no message was written")
		}
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

// heard is a store that says when something was written.
type heard struct {
	*sqlite.Store
	wrote chan struct{}
}

func (h heard) Write(ctx context.Context, do func(context.Context, rein.Tx) error) error {
	err := h.Store.Write(ctx, do)
	select {
	case h.wrote <- struct{}{}:
	default:
	}
	return err
}
