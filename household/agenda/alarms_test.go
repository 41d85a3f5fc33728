package agenda_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"rein"
	"rein/household/agenda"
)

// hourly repeats as often as a rule can, and must be counted from its start.
const hourly = "FREQ=DAILY;COUNT=10000;BYHOUR=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23"

// changed is an event that lasts half an hour every hour, of which so many occurrences have alarms of their own.
func changed(t *testing.T, count int, alarms func(i int) []int) agenda.Event {
	e := draft(t, agenda.Draft{Start: "2026-11-21T00:00", Minutes: 30, Rule: hourly, Alarms: []int{10}, Zone: "UTC"})
	for i := range count {
		of := e.Start.Add(time.Duration(8000+i) * time.Hour)
		e.Changes = append(e.Changes, agenda.Change{Of: of, Title: "changed", Start: of, End: of.Add(30 * time.Minute), Alarms: alarms(i)})
	}
	return e
}

// To keep an event holds up everybody who writes, so it takes a moment, however many occurrences have other alarms.
func TestManyAlarms(t *testing.T) {
	d := newDesk(t)
	e := changed(t, 950, func(i int) []int { return []int{20 + i%40} })
	began := time.Now()
	d.check(d.Write(d.Context(), func(ctx context.Context, tx rein.Tx) error { return d.Add(ctx, tx, e) }))
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %s", took)
	}
	at, err := d.NextAlarm(d.Context())
	if want := "2026-11-20T23:50:00Z"; err != nil || at.Format(time.RFC3339) != want {
		t.Errorf("the first alarm is due at %s, want %s; %v", at, want, err)
	}
	e = changed(t, 900, func(i int) []int { return []int{20 + i} })
	e.ID, e.UID = "other", "other@test"
	err = d.Write(d.Context(), func(ctx context.Context, tx rein.Tx) error { return d.Add(ctx, tx, e) })
	if rein.CodeOf(err) != rein.CodeLimit {
		t.Errorf("with 901 different alarms: %v", err)
	}
}

// Each alarm rings before the occurrences that have it, and before no others.
func TestAlarmsOfChanges(t *testing.T) {
	d := newDesk(t)
	e := draft(t, agenda.Draft{Start: "2026-11-21T09:00", Rule: "FREQ=DAILY;COUNT=4", Alarms: []int{10}, Zone: "UTC"})
	for day, alarms := range map[int][]int{0: nil, 1: {30}, 2: {10, 60}} {
		of := e.Start.Add(time.Duration(day) * 24 * time.Hour)
		e.Changes = append(e.Changes, agenda.Change{Of: of, Title: "changed", Start: of, End: of.Add(time.Hour), Alarms: alarms})
	}
	d.check(d.Write(d.Context(), func(ctx context.Context, tx rein.Tx) error { return d.Add(ctx, tx, e) }))
	var got []string
	for range 10 {
		at, err := d.NextAlarm(d.Context())
		d.check(err)
		if at.IsZero() {
			break
		}
		d.now = at
		_, err = d.Ring(d.Context(), func(_ context.Context, _ rein.Tx, a agenda.Alarm) error {
			got = append(got, fmt.Sprintf("%d before %s%s", a.Minutes, a.Occurrence.Start.Format("02 15:04"), a.Skipped))
			return nil
		})
		d.check(err)
	}
	if text, want := fmt.Sprint(got), "[30 before 22 09:00 60 before 23 09:00 10 before 23 09:00 10 before 24 09:00]"; text != want {
		t.Errorf("%s, want %s", text, want)
	}
}
