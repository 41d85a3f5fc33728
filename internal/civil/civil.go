// Package civil finds the instant of a time on a clock on the wall. Twice a year a zone's clocks change, and then a wall
// time can be missing or come twice. The rule, wherever rein plans something: a time that is missing, because the clocks
// jump over it, means the first instant after the jump; a time that comes twice means the first of the two.
package civil

import (
	"strings"
	"time"

	"rein"
)

// Fit says how a wall time fits a day of its zone.
type Fit int

const (
	Once    Fit = iota // as on most days
	Missing            // the clocks jump over it: the instant is the first after the jump
	Twice              // the clocks go back over it: the instant is the first of the two
)

// At returns the instant at which the clocks of a zone show this time, by the rule of this package. Amounts out of
// range are carried, as in time.Date.
func At(year int, month time.Month, day, hour, minute, second int, zone *time.Location) (time.Time, Fit) {
	wall := time.Date(year, month, day, hour, minute, second, 0, time.UTC)
	// The offsets before and after any change that can matter. No zone changes twice within two days.
	_, before := wall.Add(-24 * time.Hour).In(zone).Zone()
	_, after := wall.Add(24 * time.Hour).In(zone).Zone()
	first, last := wall.Add(-time.Duration(before)*time.Second), wall.Add(-time.Duration(after)*time.Second)
	fits := func(t time.Time) bool {
		_, offset := t.In(zone).Zone()
		return t.Add(time.Duration(offset) * time.Second).Equal(wall)
	}
	switch one, other := fits(first), fits(last); {
	case one && other && !first.Equal(last):
		if last.Before(first) {
			first = last
		}
		return first.In(zone), Twice
	case one:
		return first.In(zone), Once
	case other:
		return last.In(zone), Once
	}
	// It is missing: read with the old offset it is after the jump, with the new one before it.
	from, to := last, first
	if to.Before(from) {
		from, to = to, from
	}
	return jump(from, to, zone).In(zone), Missing
}

// jump finds the first instant after the change of the clocks that is between two instants.
func jump(from, to time.Time, zone *time.Location) time.Time {
	_, was := from.In(zone).Zone()
	for to.Sub(from) > time.Second {
		middle := from.Add(to.Sub(from) / 2).Truncate(time.Second)
		if _, offset := middle.In(zone).Zone(); offset == was {
			from = middle
		} else {
			to = middle
		}
	}
	return to
}

// The ways in which a model or a person may write a wall time.
var layouts = []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"}

// Parse reads a time: RFC 3339 with its offset, or a wall time of the zone, such as 2026-03-28T09:00.
func Parse(text string, zone *time.Location) (time.Time, Fit, error) {
	text = strings.TrimSpace(text)
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at.In(zone), Once, nil
	}
	for _, layout := range layouts {
		if wall, err := time.Parse(layout, text); err == nil {
			at, fit := At(wall.Year(), wall.Month(), wall.Day(), wall.Hour(), wall.Minute(), wall.Second(), zone)
			return at, fit, nil
		}
	}
	return time.Time{}, Once, rein.Errorf(rein.CodeInvalid, "%.60q is not a time: write it like 2026-03-28T09:00, or with an offset like 2026-03-28T09:00:00+01:00", text)
}

// Zone returns the time zone of that name, as in the IANA database; an empty name is UTC.
func Zone(name string) (*time.Location, error) {
	zone, err := time.LoadLocation(name)
	if err != nil || name == "Local" {
		return nil, rein.Errorf(rein.CodeInvalid, "there is no time zone %.60q: use a name like Europe/Amsterdam", name)
	}
	return zone, nil
}
