package channels

import (
	"slices"
	"strings"
	"time"

	"rein"
	"rein/internal/civil"
)

// Quiet is a time of the day at which messages wait, unless they are urgent. It begins on its days, and ends on the next
// day if To is not after From.
type Quiet struct {
	Days []string `json:"days,omitempty"` // of days; empty: every day
	From string   `json:"from"`           // as 22:00
	To   string   `json:"to"`             // as 07:30
}

// days are the names of weekdays, as time.Weekday counts them.
var days = []string{"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"}

// maxQuiet is how many quiet hours a user may have.
const maxQuiet = 14

func (q Quiet) check() error {
	for _, d := range q.Days {
		if !slices.Contains(days, d) {
			return rein.Errorf(rein.CodeInvalid, "quiet hours: there is no day %.40q: write one of %s", d, strings.Join(days, ", "))
		}
	}
	for _, clock := range []string{q.From, q.To} {
		if _, err := clockOf(clock); err != nil {
			return err
		}
	}
	if q.From == q.To {
		return rein.Errorf(rein.CodeInvalid, "quiet hours: from and to are both %s, so they would never end or never begin", q.From)
	}
	return nil
}

// clockOf reads a time of the day.
func clockOf(text string) (time.Time, error) {
	clock, err := time.Parse("15:04", text)
	if err != nil || len(text) != len("15:04") {
		return clock, rein.Errorf(rein.CodeInvalid, "quiet hours: %.40q is not a time of the day: write it like 22:00", text)
	}
	return clock, nil
}

// on returns when it begins and ends, if it begins on this day of its zone.
func (q Quiet) on(day time.Time, zone *time.Location) (from, to time.Time, ok bool) {
	if len(q.Days) > 0 && !slices.Contains(q.Days, days[day.Weekday()]) {
		return from, to, false
	}
	begins, err := clockOf(q.From)
	if err != nil {
		return from, to, false
	}
	ends, err := clockOf(q.To)
	if err != nil {
		return from, to, false
	}
	from, _ = civil.At(day.Year(), day.Month(), day.Day(), begins.Hour(), begins.Minute(), 0, zone)
	last := day.Day()
	if !ends.After(begins) {
		last++
	}
	to, _ = civil.At(day.Year(), day.Month(), last, ends.Hour(), ends.Minute(), 0, zone)
	return from, to, true
}

// week is how long quiet hours may follow each other without a break.
const week = 7 * 24 * time.Hour

// quietUntil returns when the quiet hours that now is in are over; now, if it is in none. Quiet hours that follow each
// other are one.
func quietUntil(all []Quiet, now time.Time, zone *time.Location) time.Time {
	end := now
	for moved := true; moved && end.Sub(now) < week; {
		moved = false
		local := end.In(zone)
		for _, q := range all {
			for back := range 2 { // those that began yesterday may last
				day := time.Date(local.Year(), local.Month(), local.Day()-back, 12, 0, 0, 0, time.UTC)
				if from, to, ok := q.on(day, zone); ok && !end.Before(from) && end.Before(to) {
					end, moved = to, true
				}
			}
		}
	}
	return end
}
