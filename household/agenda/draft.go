package agenda

import (
	"strings"
	"time"

	"rein"
	"rein/internal/civil"
)

// A Draft is an event as people, programs and models write it.
type Draft struct {
	Title, Place, Notes string
	Start, End          string // see Event.written; of an event that lasts all day the end is its last day
	Minutes             int    // how long it lasts, in place of an end
	Zone                string
	AllDay              bool
	Free                *bool // nil: an event that lasts all day takes no time, any other does
	Rule                string
	Alarms              []int
	Shared              bool
}

// usualLength is how long an event lasts that does not say so.
const usualLength = time.Hour

// Event makes the event of a draft, without its ID. zone is where the user lives.
func (d Draft) Event(o Owner, zone string) (Event, error) {
	if d.Zone == "" {
		d.Zone = zone
	}
	place, err := civil.Zone(d.Zone)
	if err != nil {
		return Event{}, err
	}
	if strings.TrimSpace(d.Start) == "" {
		return Event{}, rein.Errorf(rein.CodeInvalid, "start is missing: write it like 2026-11-24T09:00, or like 2026-11-24 for a whole day")
	}
	start, day, err := readWall("start", d.Start, place)
	if err != nil {
		return Event{}, err
	}
	e := Event{
		Household: o.Household, User: o.User, By: o.User, Title: d.Title, Place: d.Place, Notes: d.Notes, Zone: d.Zone,
		AllDay: d.AllDay || day, Rule: d.Rule, Alarms: d.Alarms, Shared: d.Shared, Start: start,
	}
	e.Free = e.AllDay
	set(&e.Free, d.Free)
	e.End, err = endOf(start, d.End, d.Minutes, e.AllDay, usualLength, place)
	return e, err
}

// endOf reads when an event ends that starts then.
func endOf(start Wall, end string, minutes int, allDay bool, usual time.Duration, zone *time.Location) (Wall, error) {
	switch {
	case end != "" && minutes != 0:
		return Wall{}, rein.Errorf(rein.CodeInvalid, "there is both an end and a length in minutes: give one of them")
	case end != "":
		w, day, err := readWall("end", end, zone)
		if err != nil {
			return w, err
		}
		if allDay {
			return w.Midnight().Add(24 * time.Hour), nil // people name the last day
		}
		if day {
			return w, rein.Errorf(rein.CodeInvalid, "end is the day %s, and start is a time: give both as a time, or both as a day", end)
		}
		return w, nil
	case minutes < 0:
		return Wall{}, rein.Errorf(rein.CodeInvalid, "minutes is %d; an event lasts 0 minutes or more", minutes)
	case allDay && minutes != 0:
		return Wall{}, rein.Errorf(rein.CodeInvalid, "an event that lasts all day has no length in minutes: give its last day as the end")
	case allDay:
		return start.Midnight().Add(24 * time.Hour), nil
	case minutes > 0:
		return start.Add(time.Duration(minutes) * time.Minute), nil
	}
	return start.Add(usual), nil
}

// readWall reads a wall time, a day, or an instant with an offset, of which it takes what the clocks of the zone show.
func readWall(field, text string, zone *time.Location) (w Wall, day bool, err error) {
	text = strings.TrimSpace(text)
	if d, err := time.Parse(time.DateOnly, text); err == nil {
		return Wall{d}, true, nil
	}
	if w, err := ParseWall(strings.Replace(text, " ", "T", 1)); err == nil {
		return w, false, nil
	}
	at, _, err := civil.Parse(text, zone)
	if err != nil {
		return w, false, rein.Errorf(rein.CodeInvalid, "%s: %w", field, err)
	}
	return WallOf(at), false, nil
}

// An Amendment is an Edit as people, programs and models write it. What is nil stays.
type Amendment struct {
	Title, Place, Notes *string
	Start, End          *string
	Minutes             *int
	Zone                *string
	AllDay, Free        *bool
	Shared              *bool
	Rule                *string
	Alarms              *[]int
}

// Read returns the edit that an amendment means, to an occurrence of an event.
func (a Amendment) Read(e Event, of *Wall) (Edit, error) {
	zone, err := e.zone()
	if a.Zone != nil {
		zone, err = civil.Zone(*a.Zone)
	}
	if err != nil {
		return Edit{}, err
	}
	edit := Edit{Title: a.Title, Place: a.Place, Notes: a.Notes, Zone: a.Zone, AllDay: a.AllDay, Free: a.Free, Shared: a.Shared, Rule: a.Rule, Alarms: a.Alarms}
	start, end, allDay := e.Start, e.End, e.AllDay
	if of != nil {
		o, err := e.Find(*of, time.UTC)
		if err != nil {
			return edit, err
		}
		start, end, allDay = o.Event.Start, o.Event.End, o.Event.AllDay
	}
	length := end.Sub(start)
	was := allDay
	set(&allDay, a.AllDay)
	if a.Start != nil {
		w, day, err := readWall("start", *a.Start, zone)
		if err != nil {
			return edit, err
		}
		if a.AllDay == nil {
			allDay = day
		}
		start, edit.Start = w, &w
	}
	if allDay != was {
		edit.AllDay, length = &allDay, usualLength
	}
	if a.End != nil || a.Minutes != nil || allDay != was {
		text, minutes := "", 0
		set(&text, a.End)
		set(&minutes, a.Minutes)
		if text == "" && a.Minutes != nil && minutes == 0 {
			length = 0
		}
		w, err := endOf(start, text, minutes, allDay, length, zone)
		if err != nil {
			return edit, err
		}
		edit.End = &w
	}
	return edit, nil
}

// ReadOccurrence reads the name of an occurrence: its start, as the list of the agenda has it. An empty text is none.
func (e Event) ReadOccurrence(text string) (*Wall, error) {
	if text == "" {
		return nil, nil
	}
	zone, err := e.zone()
	if err != nil {
		return nil, err
	}
	w, _, err := readWall("occurrence", text, zone)
	if e.AllDay {
		w = w.Midnight()
	}
	return &w, err
}

// LastDay is the last day of an event that lasts all day.
func (e Event) LastDay() Wall { return e.End.Add(-24 * time.Hour) }

// EndText is the end as people write it: of an event that lasts all day its last day.
func (e Event) EndText() string {
	if e.AllDay {
		return e.LastDay().Text(true)
	}
	return e.End.String()
}
