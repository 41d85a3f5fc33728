package schedule

import (
	"time"

	"rein/internal/civil"
)

// Location is the zone of the schedule. One that this machine does not know any more is UTC.
func (s Schedule) Location() *time.Location {
	zone, err := civil.Zone(s.Zone)
	if err != nil {
		return time.UTC
	}
	return zone
}

// NextAfter returns the first slot after an instant; zero: there is none.
func (s Schedule) NextAfter(after time.Time) time.Time {
	switch s.Kind {
	case At:
		if s.At.After(after) {
			return s.At.UTC()
		}
	case Every:
		n := time.Duration(0)
		if after.After(s.At) {
			n = after.Sub(s.At) / s.Every
		}
		return s.At.Add((n + 1) * s.Every).UTC()
	case Cron:
		if e, err := parseCron(s.Expression); err == nil {
			if next := e.next(after, s.Location()); !next.IsZero() {
				return next.UTC()
			}
		}
	}
	return time.Time{}
}

// Between returns the newest slots after an instant and up to another, the oldest first, and whether there are more than
// that many.
func (s Schedule) Between(after, until time.Time, most int) (slots []time.Time, more bool) {
	switch s.Kind {
	case At:
		if s.At.After(after) && !s.At.After(until) {
			slots = append(slots, s.At.UTC())
		}
	case Every:
		first := s.NextAfter(after)
		if until.Before(first) {
			return nil, false
		}
		count := int64(until.Sub(first)/s.Every) + 1
		if more = count > int64(most); more {
			first = first.Add(time.Duration(count-int64(most)) * s.Every)
		}
		for at := first; !at.After(until); at = at.Add(s.Every) {
			slots = append(slots, at)
		}
	case Cron:
		e, err := parseCron(s.Expression)
		if err != nil {
			return nil, false
		}
		slots, more = e.between(after, until, s.Location(), most)
		for i := range slots {
			slots[i] = slots[i].UTC()
		}
	}
	return slots, more
}

// Coming lists the next slots after an instant, at most so many.
func (s Schedule) Coming(after time.Time, most int) (slots []time.Time) {
	for len(slots) < most {
		next := s.NextAfter(after)
		if next.IsZero() {
			break
		}
		slots, after = append(slots, next), next
	}
	return slots
}
