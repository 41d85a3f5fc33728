package ics

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"time"

	ical "github.com/emersion/go-ical"

	"rein/household/agenda"
)

// product names what wrote a file.
const product = "-//rein//agenda//EN"

// Write writes events as a file that Google, Outlook and Apple read. name is what they call the calendar.
func Write(events []agenda.Event, name string) ([]byte, error) {
	var b bytes.Buffer
	if len(events) == 0 { // the library writes no empty file
		b.WriteString("BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:" + product + "\r\nEND:VCALENDAR\r\n")
		return b.Bytes(), nil
	}
	calendar, err := Calendar(events...)
	if err != nil {
		return nil, err
	}
	if name != "" {
		prop := ical.NewProp("X-WR-CALNAME")
		prop.SetText(name)
		prop.Params.Del(ical.ParamValue) // programs look for the name without it
		calendar.Props.Set(prop)
	}
	if err := ical.NewEncoder(&b).Encode(calendar); err != nil {
		return nil, err
	}
	return fold(b.Bytes()), nil
}

// Calendar is events as the library has them, with the time zones that they need.
func Calendar(events ...agenda.Event) (*ical.Calendar, error) {
	calendar := ical.NewCalendar()
	calendar.Props.SetText(ical.PropVersion, "2.0")
	calendar.Props.SetText(ical.PropProductID, product)
	var zones []string
	first := 3000
	for _, e := range events {
		if !e.AllDay && e.Zone != "UTC" {
			zones = append(zones, e.Zone)
		}
		year, _ := strconv.Atoi(e.Start.Format("2006"))
		first = min(first, year)
	}
	slices.Sort(zones)
	for _, name := range slices.Compact(zones) {
		calendar.Children = append(calendar.Children, timezone(name, first))
	}
	for _, e := range events {
		calendar.Children = append(calendar.Children, master(e))
		for _, c := range e.Changes {
			calendar.Children = append(calendar.Children, changed(e, c))
		}
	}
	return calendar, nil
}

// master is an event without its changes.
func master(e agenda.Event) *ical.Component {
	c := body(e, e.Title, e.Place, e.Notes, e.Start, e.End, e.AllDay, e.Free, e.Alarms)
	if e.Rule != "" {
		prop := ical.NewProp(ical.PropRecurrenceRule)
		prop.Value = e.WholeRule()
		c.Props.Set(prop)
	}
	for _, w := range e.Dates {
		c.Props.Add(timeProp(ical.PropRecurrenceDates, w, e.Zone, e.AllDay))
	}
	for _, w := range e.Skips {
		c.Props.Add(timeProp(ical.PropExceptionDates, w, e.Zone, e.AllDay))
	}
	return c
}

// changed is one occurrence that differs.
func changed(e agenda.Event, change agenda.Change) *ical.Component {
	c := body(e, change.Title, change.Place, change.Notes, change.Start, change.End, change.AllDay, change.Free, change.Alarms)
	c.Props.Set(timeProp(ical.PropRecurrenceID, change.Of, e.Zone, e.AllDay))
	return c
}

// body is what an event and its changes have in common.
func body(e agenda.Event, title, place, notes string, start, end agenda.Wall, allDay, free bool, alarms []int) *ical.Component {
	c := ical.NewComponent(ical.CompEvent)
	text := func(name, value string) {
		if value != "" {
			prop := ical.NewProp(name)
			prop.SetText(value)
			c.Props.Set(prop)
		}
	}
	text(ical.PropUID, e.UID)
	text(ical.PropSummary, title)
	text(ical.PropLocation, place)
	text(ical.PropDescription, notes)
	for name, at := range map[string]time.Time{ical.PropDateTimeStamp: e.Updated, ical.PropLastModified: e.Updated, ical.PropCreated: e.Created} {
		prop := ical.NewProp(name)
		prop.SetDateTime(at.UTC().Truncate(time.Second))
		c.Props.Set(prop)
	}
	sequence := ical.NewProp(ical.PropSequence)
	sequence.Value = strconv.Itoa(e.Sequence)
	c.Props.Set(sequence)
	if free {
		text(ical.PropTransparency, "TRANSPARENT")
	}
	c.Props.Set(timeProp(ical.PropDateTimeStart, start, e.Zone, allDay))
	if end.Compare(start) > 0 {
		c.Props.Set(timeProp(ical.PropDateTimeEnd, end, e.Zone, allDay))
	}
	for _, minutes := range alarms {
		c.Children = append(c.Children, alarm(title, minutes))
	}
	return c
}

func alarm(title string, minutes int) *ical.Component {
	a := ical.NewComponent(ical.CompAlarm)
	a.Props.SetText(ical.PropAction, "DISPLAY")
	description := ical.NewProp(ical.PropDescription)
	description.SetText(title)
	a.Props.Set(description)
	trigger := ical.NewProp(ical.PropTrigger)
	trigger.Value = fmt.Sprintf("-PT%dM", minutes)
	a.Props.Set(trigger)
	return a
}

// timeProp is a wall time of a zone.
func timeProp(name string, w agenda.Wall, zone string, allDay bool) *ical.Prop {
	prop := ical.NewProp(name)
	switch {
	case allDay:
		prop.Params.Set(ical.ParamValue, string(ical.ValueDate))
		prop.Value = w.Format("20060102")
	case zone == "UTC":
		prop.Value = w.Format("20060102T150405Z")
	default:
		prop.Params.Set(ical.ParamTimezoneID, zone)
		prop.Value = w.Format("20060102T150405")
	}
	return prop
}

// until is the last year for which changes of the clocks are written.
const until = 2037

// timezone says when the clocks of a zone change, each time.
func timezone(name string, first int) *ical.Component {
	c := ical.NewComponent(ical.CompTimezone)
	c.Props.SetText(ical.PropTimezoneID, name)
	zone := agenda.ZoneOf(name)
	at := time.Date(max(first-1, 1970), 1, 1, 0, 0, 0, 0, time.UTC)
	before := at.In(zone)
	observe(c, before, before)
	for at.Year() < until {
		change, ok := nextChange(at, zone)
		if !ok {
			break
		}
		observe(c, change.Add(-time.Second).In(zone), change.In(zone))
		at = change
	}
	return c
}

// nextChange is when the clocks of a zone change next.
func nextChange(after time.Time, zone *time.Location) (time.Time, bool) {
	_, end := after.In(zone).ZoneBounds()
	return end.UTC(), !end.IsZero() && end.Year() <= until
}

// observe adds what clocks show from a moment on.
func observe(c *ical.Component, before, after time.Time) {
	kind := ical.CompTimezoneStandard
	if after.IsDST() {
		kind = ical.CompTimezoneDaylight
	}
	name, to := after.Zone()
	_, from := before.Zone()
	o := ical.NewComponent(kind)
	o.Props.SetText(ical.PropTimezoneName, name)
	o.Props.Set(&ical.Prop{Name: ical.PropTimezoneOffsetFrom, Params: ical.Params{}, Value: offsetText(from)})
	o.Props.Set(&ical.Prop{Name: ical.PropTimezoneOffsetTo, Params: ical.Params{}, Value: offsetText(to)})
	// A change is written as the clock before it shows it.
	start := after.UTC().Add(time.Duration(from) * time.Second)
	o.Props.Set(&ical.Prop{Name: ical.PropDateTimeStart, Params: ical.Params{}, Value: start.Format("20060102T150405")})
	c.Children = append(c.Children, o)
}

func offsetText(seconds int) string {
	sign := '+'
	if seconds < 0 {
		sign, seconds = '-', -seconds
	}
	return fmt.Sprintf("%c%02d%02d", sign, seconds/3600, seconds%3600/60)
}
