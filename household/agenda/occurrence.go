package agenda

import (
	"slices"
	"time"

	"rein"
	"rein/internal/civil"
)

// An Occurrence is one time that an event happens.
type Occurrence struct {
	Event  Event // with what is changed of this occurrence
	Of     Wall  // names it: when it would be if it were not changed
	Start  time.Time
	End    time.Time
	Fit    civil.Fit // of the start
	Change bool      // it differs from the rest
}

// margin is more than any two zones differ.
const margin = 26 * time.Hour

// Occurrences returns when an event happens between two instants, by the start. Days of an event that lasts all day begin
// and end in the zone of the reader.
func (e Event) Occurrences(from, to time.Time, reader *time.Location, most int) ([]Occurrence, error) {
	found, more, err := e.some(from, to, reader, most, func(o Occurrence) bool { return o.meets(from, to) })
	if err == nil && more {
		err = tooMany(most)
	}
	return found, err
}

// Next returns the first occurrence that starts after an instant, if there is one.
func (e Event) Next(after time.Time, reader *time.Location) (Occurrence, bool, error) {
	found, _, err := e.some(after, farAway, reader, 1, func(o Occurrence) bool { return o.Start.After(after) })
	if err != nil || len(found) == 0 {
		return Occurrence{}, false, err
	}
	return found[0], true, nil
}

// some returns the first occurrences that are to be kept, and whether there are more.
func (e Event) some(from, to time.Time, reader *time.Location, most int, keep func(Occurrence) bool) (found []Occurrence, more bool, err error) {
	zone, err := e.zone()
	if err != nil {
		return nil, false, err
	}
	walls, err := e.walls(WallOf(from.In(zone).Add(-e.Length()-margin)), WallOf(to.In(zone).Add(margin)), most+1)
	if err != nil {
		return nil, false, err
	}
	for _, w := range walls {
		found = append(found, e.at(w, zone, reader))
	}
	for _, c := range e.Changes {
		found = append(found, e.changed(c, zone, reader))
	}
	found = slices.DeleteFunc(found, func(o Occurrence) bool { return !keep(o) })
	slices.SortStableFunc(found, func(a, b Occurrence) int { return a.Start.Compare(b.Start) })
	return found[:min(len(found), most)], len(found) > most, nil
}

func tooMany(most int) error {
	return rein.Errorf(rein.CodeLimit, "there are more than %d occurrences: ask for a shorter time", most)
}

// meets reports whether an occurrence has a part between two instants.
func (o Occurrence) meets(from, to time.Time) bool {
	return o.Start.Before(to) && (o.End.After(from) || !o.Start.Before(from))
}

// walls returns when an event happens by its rule and its dates, without what is skipped or changed: all of it, or at least
// so many.
func (e Event) walls(from, to Wall, enough int) (found []Wall, err error) {
	if e.Rule == "" {
		found = append(found, e.Start)
	} else {
		r, err := e.parseRule()
		if err != nil {
			return nil, err
		}
		// What is before the window, by the margins, is not what was asked for: it comes on top.
		days := int((e.Length()+2*margin).Hours()/24) + 1
		found = r.walls(from, to, enough+len(e.Skips)+len(e.Changes)+days*maxADay)
	}
	found = normalWalls(slices.Concat(found, e.Dates))
	return slices.DeleteFunc(found, func(w Wall) bool {
		return w.Before(from) || to.Before(w) || e.leavesOut(w)
	}), nil
}

// leavesOut reports whether what a rule says does not happen as it says.
func (e Event) leavesOut(w Wall) bool {
	return slices.ContainsFunc(e.Skips, w.Equal) || slices.ContainsFunc(e.Changes, func(c Change) bool { return c.Of.Equal(w) })
}

// at is the occurrence at a wall time.
func (e Event) at(w Wall, zone, reader *time.Location) Occurrence {
	length := e.Length()
	e.Start, e.End = w, w.Add(length)
	o := Occurrence{Event: e, Of: w}
	o.place(zone, reader)
	return o
}

// changed is an occurrence that differs.
func (e Event) changed(c Change, zone, reader *time.Location) Occurrence {
	e.Title, e.Place, e.Notes, e.Start, e.End, e.AllDay, e.Free, e.Alarms = c.Title, c.Place, c.Notes, c.Start, c.End, c.AllDay, c.Free, c.Alarms
	o := Occurrence{Event: e, Of: c.Of, Change: true}
	o.place(zone, reader)
	return o
}

// place finds the instants of an occurrence. Where the clocks jump over the end too, it lasts as long as usual.
func (o *Occurrence) place(zone, reader *time.Location) {
	if o.Event.AllDay {
		zone = reader
	}
	o.Start, o.Fit = o.Event.Start.In(zone)
	o.End, _ = o.Event.End.In(zone)
	if length := o.Event.Length(); length > 0 && !o.End.After(o.Start) {
		o.End = o.Start.Add(length)
	}
}

// Find returns the occurrence that a wall time names.
func (e Event) Find(of Wall, reader *time.Location) (Occurrence, error) {
	zone, err := e.zone()
	if err != nil {
		return Occurrence{}, err
	}
	for _, c := range e.Changes {
		if c.Of.Equal(of) {
			return e.changed(c, zone, reader), nil
		}
	}
	walls, err := e.walls(of, of, 1)
	if err != nil {
		return Occurrence{}, err
	}
	if len(walls) == 0 {
		return Occurrence{}, rein.Errorf(rein.CodeNotFound, "event %q does not happen at %s: list the agenda to see when it does", e.Title, of.Text(e.AllDay))
	}
	return e.at(walls[0], zone, reader), nil
}
