package agenda

import (
	"context"
	"slices"
	"time"

	"rein"
	"rein/internal/civil"
	"rein/store"
)

// A Search is a search for free time.
type Search struct {
	Window
	Length time.Duration
	// DayStart and DayEnd are the time of day in which it must be, in minutes after midnight: 540 is 09:00.
	DayStart, DayEnd int
	Days             []time.Weekday // on which it can be; nil: on all
	Most             int            // how many are returned; 0: 5
}

// A Slot is a time that is free.
type Slot struct{ Start, End time.Time }

// What a search can ask for.
const (
	maxSearch = 92 * 24 * time.Hour
	maxSlots  = 100
	dayLength = 24 * 60
)

func (s Search) check() error {
	if err := s.Window.check(); err != nil {
		return err
	}
	switch {
	case s.To.Sub(s.From) > maxSearch:
		return rein.Errorf(rein.CodeInvalid, "free time is searched for in at most %d days", int(maxSearch.Hours()/24))
	case s.Length < time.Minute || s.Length > 24*time.Hour:
		return rein.Errorf(rein.CodeInvalid, "free time is at least a minute and at most a day long, not %s", s.Length)
	case s.DayStart < 0 || s.DayEnd > dayLength || s.DayStart >= s.DayEnd:
		return rein.Errorf(rein.CodeInvalid, "the day lasts from %s to %s: it must end later than it starts, between 00:00 and 24:00", clock(s.DayStart), clock(s.DayEnd))
	case s.Length > time.Duration(s.DayEnd-s.DayStart)*time.Minute:
		return rein.Errorf(rein.CodeInvalid, "%s do not fit between %s and %s", s.Length, clock(s.DayStart), clock(s.DayEnd))
	case s.Most < 0 || s.Most > maxSlots:
		return rein.Errorf(rein.CodeInvalid, "at most %d times are returned", maxSlots)
	}
	return nil
}

// clock writes minutes after midnight as a time.
func clock(minutes int) string {
	return time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(minutes) * time.Minute).Format("15:04")
}

// Free returns times that are free for the user and for those whose shared events count. Each is a whole gap, and a
// search returns the first ones.
func (b Book) Free(ctx context.Context, o Owner, s Search) (found []Slot, err error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	most := s.Most
	if most == 0 {
		most = 5
	}
	err = b.Tables.Read(ctx, func(ctx context.Context, q store.Query) error {
		taken, err := b.taken(ctx, q, o, s.Window, "")
		if err != nil {
			return err
		}
		for _, part := range s.parts() {
			found = append(found, gaps(part, taken, s.Length)...)
			if len(found) >= most {
				break
			}
		}
		return nil
	})
	return found[:min(len(found), most)], err
}

// parts are the times of the days in which a search looks.
func (s Search) parts() (parts []Slot) {
	first, last := WallOf(s.From.In(s.Zone)).Midnight(), WallOf(s.To.In(s.Zone))
	for day := first; !last.Before(day); day = day.Add(24 * time.Hour) {
		if s.Days != nil && !slices.Contains(s.Days, day.Weekday()) {
			continue
		}
		start, _ := day.Add(time.Duration(s.DayStart) * time.Minute).In(s.Zone)
		end, _ := day.Add(time.Duration(s.DayEnd) * time.Minute).In(s.Zone)
		part := Slot{laterTime(start, s.From), earlierTime(end, s.To)}
		if part.End.Sub(part.Start) >= s.Length {
			parts = append(parts, part)
		}
	}
	return parts
}

// gaps returns what is left of a part beside what is taken, as far as it is long enough.
func gaps(part Slot, taken []Occurrence, length time.Duration) (free []Slot) {
	at := part.Start
	for _, o := range taken { // in the order of their starts
		if !o.Start.Before(part.End) {
			break
		}
		if o.Start.Sub(at) >= length {
			free = append(free, Slot{at, o.Start})
		}
		at = laterTime(at, o.End)
	}
	if part.End.Sub(at) >= length {
		free = append(free, Slot{at, part.End})
	}
	return free
}

func laterTime(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

func earlierTime(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// ParseClock reads a time of day such as 09:00 as minutes after midnight. 24:00 is the end of the day.
func ParseClock(text string) (int, error) {
	if text == "24:00" {
		return dayLength, nil
	}
	t, err := time.Parse("15:04", text)
	if err != nil {
		return 0, rein.Errorf(rein.CodeInvalid, "%.40q is not a time of day: write it like 09:00", text)
	}
	return t.Hour()*60 + t.Minute(), nil
}

// Instant reads a time as people and models write it: with an offset, as a wall time of the zone, or as a day, which
// means its beginning.
func Instant(text string, zone *time.Location) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		at, _ := civil.At(day.Year(), day.Month(), day.Day(), 0, 0, 0, zone)
		return at, nil
	}
	at, _, err := civil.Parse(text, zone)
	return at, err
}
