package agenda

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rein"
	"rein/internal/digest"
	"rein/store"
)

// Stale is how late an alarm may come. One that is later is skipped.
const Stale = 24 * time.Hour

// An Alarm is an alarm that is due.
type Alarm struct {
	ID         string // the same for the same alarm, whoever finds it
	Occurrence Occurrence
	Minutes    int // before the start
	Due        time.Time
	Skipped    string // why nobody is to get it; empty: its user gets it
}

// The states of alarms.
const (
	waiting = "waiting"
	sent    = "sent"
	skipped = "skipped"
)

// planAlarms writes the next alarms of an event that was changed: one for each number of minutes.
func (b Book) planAlarms(ctx context.Context, tx rein.Tx, e Event) error {
	return b.planAfter(ctx, tx, e, b.Time())
}

// planAfter writes the next alarms of an event that are due after an instant.
func (b Book) planAfter(ctx context.Context, tx rein.Tx, e Event, after time.Time) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM agenda_alarms WHERE event = ? AND state = ?`, e.ID, waiting); err != nil {
		return err
	}
	for _, minutes := range e.alarmMinutes() {
		if err := b.planNext(ctx, tx, e, minutes, after); err != nil {
			return err
		}
	}
	return nil
}

// alarmMinutes are all that any occurrence has.
func (e Event) alarmMinutes() []int {
	all := slices.Clone(e.Alarms)
	for _, c := range e.Changes {
		all = append(all, c.Alarms...)
	}
	return normalAlarms(all)
}

// planNext writes the next alarm that is due after an instant, and that nobody got yet.
func (b Book) planNext(ctx context.Context, tx rein.Tx, e Event, minutes int, after time.Time) error {
	before := time.Duration(minutes) * time.Minute
	at := after.Add(before)
	ringing := e.ringing(minutes)
	for range maxExceptions + 2 { // alarms that were sent are passed over
		o, ok, err := ringing.Next(at, ZoneOf(e.Zone))
		if err != nil || !ok {
			return err
		}
		at = o.Start
		done, err := tx.ExecContext(ctx, `INSERT INTO agenda_alarms (event, minutes, due, occurrence, state, why, noted) VALUES (?, ?, ?, ?, ?, '', ?) ON CONFLICT DO NOTHING`,
			e.ID, minutes, o.Start.Add(-before).UnixMicro(), o.Of.String(), waiting, b.Time().UnixMicro())
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n > 0 {
			return err
		}
	}
	return nil
}

// ringing is an event without the occurrences that have no such alarm. To work a rule out once for each of these would take
// hours for an event with a thousand of them, while nobody else can write.
func (e Event) ringing(minutes int) Event {
	var changes []Change
	skips := slices.Clone(e.Skips)
	for _, c := range e.Changes {
		if slices.Contains(c.Alarms, minutes) {
			changes = append(changes, c)
		} else {
			skips = append(skips, c.Of)
		}
	}
	if !slices.Contains(e.Alarms, minutes) {
		e.Rule, e.Dates, skips = "", nil, []Wall{e.Start}
	}
	e.Skips, e.Changes = skips, changes
	return e
}

// A slot is a row of agenda_alarms.
type slot struct {
	event, occurrence string
	minutes           int
	due               time.Time
}

// NextAlarm returns when the next alarm is due; the zero time: none is.
func (b Book) NextAlarm(ctx context.Context) (at time.Time, err error) {
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		found, err := slots(ctx, q, "state = ? ORDER BY due LIMIT 1", waiting)
		if len(found) > 0 {
			at = found[0].due
		}
		return err
	})
	return at, err
}

// alarmsAtOnce is how many alarms one transaction settles.
const alarmsAtOnce = 100

// Ring settles alarms that are due, in one transaction: each is given to tell, which writes what its user gets, and the next
// one is planned. It returns how many there were: the next ones may be due too, so it is called until there are none. Two
// processes that do this at once settle each alarm once.
func (b Book) Ring(ctx context.Context, tell func(context.Context, rein.Tx, Alarm) error) (n int, err error) {
	now := b.Time()
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		n = 0
		due, err := slots(ctx, tx, "state = ? AND due <= ? ORDER BY due LIMIT ?", waiting, now.UnixMicro(), alarmsAtOnce)
		if err != nil {
			return err
		}
		for _, s := range due {
			if err := b.ring(ctx, tx, s, now, tell); err != nil {
				return err
			}
		}
		n = len(due)
		return nil
	})
	return n, err
}

// ring settles one alarm.
func (b Book) ring(ctx context.Context, tx rein.Tx, s slot, now time.Time, tell func(context.Context, rein.Tx, Alarm) error) error {
	a, e, err := s.alarm(ctx, tx)
	if err != nil {
		return err
	}
	state := sent
	if late := now.Sub(s.due); a.Skipped == "" && late > Stale {
		a.Skipped = fmt.Sprintf("it came %s late: nothing ran at %s", late.Round(time.Minute), s.due.Format(time.RFC3339))
	}
	if a.Skipped != "" {
		state = skipped
	}
	if err := tell(ctx, tx, a); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE agenda_alarms SET state = ?, why = ?, noted = ? WHERE event = ? AND minutes = ? AND due = ?`,
		state, a.Skipped, now.UnixMicro(), s.event, s.minutes, s.due.UnixMicro()); err != nil {
		return err
	}
	if e.ID == "" {
		return nil
	}
	after := s.due
	if longAgo := now.Add(-Stale); after.Before(longAgo) {
		after = longAgo.Add(-time.Microsecond) // those between are as stale as this one
	}
	return b.planNext(ctx, tx, e, s.minutes, after)
}

// alarm is the alarm of a row, with its event. An event or an occurrence that is gone skips it.
func (s slot) alarm(ctx context.Context, q store.Query) (Alarm, Event, error) {
	a := Alarm{ID: alarmID(s.event, s.minutes, s.due), Minutes: s.minutes, Due: s.due}
	found, err := list(ctx, q, "id = ?", s.event)
	if err != nil {
		return a, Event{}, err
	}
	if len(found) == 0 {
		a.Skipped = "the event is gone"
		return a, Event{}, nil
	}
	of, err := ParseWall(s.occurrence)
	if err == nil {
		a.Occurrence, err = found[0].Find(of, ZoneOf(found[0].Zone))
	}
	if err != nil {
		a.Skipped = "the occurrence is gone: " + err.Error()
	}
	return a, found[0], nil
}

// alarmID names an alarm. An event that is moved has another one.
func alarmID(event string, minutes int, due time.Time) string {
	return "alarm-" + digest.Listed(12, event, fmt.Sprint(minutes), due.UTC().Format(time.RFC3339))
}

// Rewind plans alarms again after the clock went back: what was noted later than now was noted by a wrong clock. What was
// sent is not sent again; what was skipped is due again.
func (b Book) Rewind(ctx context.Context) (n int, err error) {
	now := b.Time()
	err = b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		future, err := slots(ctx, tx, "noted > ?", now.Add(time.Minute).UnixMicro())
		if err != nil || len(future) == 0 {
			return err
		}
		var events []string
		for _, s := range future {
			events = append(events, s.event)
		}
		slices.Sort(events)
		events = slices.Compact(events)
		n = len(events)
		return b.rewind(ctx, tx, events, now)
	})
	return n, err
}

func (b Book) rewind(ctx context.Context, tx rein.Tx, events []string, now time.Time) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM agenda_alarms WHERE state = ? AND noted > ?`, skipped, now.UnixMicro()); err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE agenda_alarms SET noted = ? WHERE state = ? AND noted > ?`, now.UnixMicro(), sent, now.UnixMicro()); err != nil {
		return err
	}
	for _, id := range events {
		found, err := list(ctx, tx, "id = ?", id)
		if err != nil {
			return err
		}
		for _, e := range found {
			// Nobody may have been there for what was due before: all that is not stale counts, since the event was written.
			after := now.Add(-Stale)
			if e.Updated.After(after) && e.Updated.Before(now) {
				after = e.Updated
			}
			if err := b.planAfter(ctx, tx, e, after); err != nil {
				return err
			}
		}
	}
	return nil
}

func slots(ctx context.Context, q store.Query, where string, args ...any) (all []slot, err error) {
	rows, err := q.QueryContext(ctx, `SELECT event, occurrence, minutes, due FROM agenda_alarms WHERE `+where, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s slot
		var due int64
		if err := rows.Scan(&s.event, &s.occurrence, &s.minutes, &due); err != nil {
			return nil, err
		}
		s.due = time.UnixMicro(due).UTC()
		all = append(all, s)
	}
	return all, rows.Err()
}

// Prune removes the rows of alarms that were over long ago.
func (b Book) Prune(ctx context.Context) error {
	return b.Tables.Write(ctx, func(ctx context.Context, tx rein.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM agenda_alarms WHERE state <> ? AND due < ?`, waiting, b.Time().Add(-90*24*time.Hour).UnixMicro())
		return err
	})
}
