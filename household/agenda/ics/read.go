// Package ics reads and writes iCalendar files, in the shapes that Google, Outlook and Apple write them. What cannot be
// read of a file is left out and listed with the reason; the rest is read.
package ics

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	ical "github.com/emersion/go-ical"

	"rein"
	"rein/household/agenda"
	"rein/internal/digest"
)

// A File is what was read.
type File struct {
	Events  []agenda.Event // with a UID, and without an ID or a user
	Skipped []Skipped
	Remarks []string
}

// Skipped is an event that was not taken.
type Skipped struct{ UID, Title, Why string }

// Read reads a file. zone is where its user lives: times without a zone are of a clock there.
func Read(ctx context.Context, data []byte, zone string) (File, error) {
	parts, err := split(data)
	if err != nil {
		return File{}, err
	}
	r := &reader{zones: zones{home: zone, known: map[string]string{}}, masters: map[string]*found{}}
	for _, p := range parts {
		if p.name == "VTIMEZONE" && p.wrong == "" {
			r.zones.learn(p)
		}
	}
	for _, p := range parts {
		if err := ctx.Err(); err != nil {
			return File{}, rein.Errorf(rein.CodeTimeout, "reading the file took too long: split it: %w", err)
		}
		if p.name == "VEVENT" {
			r.take(p)
		}
	}
	return r.file(), nil
}

// A found event is one of a file before its changes are put together.
type found struct {
	event   agenda.Event
	changes []*found
	of      agenda.Wall
	after   bool // it changes all later occurrences too
	gone    bool // it is cancelled
}

type reader struct {
	zones   zones
	masters map[string]*found
	order   []string
	changes []*found
	out     File
	long    int
	clipped int
	alarms  int
}

func (r *reader) skip(f *found, format string, args ...any) {
	r.out.Skipped = append(r.out.Skipped, Skipped{f.event.UID, f.event.Title, fmt.Sprintf(format, args...)})
}

// take reads one event.
func (r *reader) take(p part) {
	f := &found{}
	r.long += p.long
	if p.wrong != "" {
		r.skip(f, "%s", p.wrong)
		return
	}
	c, err := component(p)
	if err != nil {
		r.skip(f, "it cannot be read: %s", err)
		return
	}
	f.event.UID, f.event.Title = strings.TrimSpace(textOf(c, ical.PropUID)), textOf(c, ical.PropSummary)
	if err := r.read(f, c); err != nil {
		r.skip(f, "%s", err)
		return
	}
	if c.Props.Get(ical.PropRecurrenceID) != nil {
		r.changes = append(r.changes, f)
		return
	}
	uid := f.event.UID
	before, twice := r.masters[uid]
	switch {
	case f.gone:
		r.skip(f, "it is cancelled")
	case twice && before.event.Sequence > f.event.Sequence:
		r.skip(f, "another event of the file has the same UID, and is newer")
	case twice:
		r.skip(before, "another event of the file has the same UID, and is newer")
		r.masters[uid] = f
	default:
		r.order = append(r.order, uid)
		r.masters[uid] = f
	}
}

// component reads the lines of a part. The library stops the program at some lines that are wrong: that is an error here.
func component(p part) (c *ical.Component, err error) {
	defer func() {
		if recover() != nil {
			err = fmt.Errorf("a line of it is not NAME:VALUE")
		}
	}()
	text := "BEGIN:VCALENDAR\r\n" + strings.Join(p.lines, "\r\n") + "\r\nEND:VCALENDAR\r\n"
	calendar, err := ical.NewDecoder(strings.NewReader(text)).Decode()
	if err != nil {
		return nil, fmt.Errorf("%s", strings.TrimPrefix(err.Error(), "ical: "))
	}
	for _, c := range calendar.Children {
		if c.Name == p.name {
			return c, nil
		}
	}
	return nil, fmt.Errorf("there is no %s in it", p.name)
}

// textOf is the text of a property. Programs do not always escape what they should, so whatever is not an escape stays.
func textOf(c *ical.Component, name string) string {
	prop := c.Props.Get(name)
	if prop == nil {
		return ""
	}
	return strings.NewReplacer(`\\`, `\`, `\;`, `;`, `\,`, `,`, `\n`, "\n", `\N`, "\n").Replace(prop.Value)
}

// clip cuts a text to what is kept of it.
func (r *reader) clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	r.clipped++
	return strings.ToValidUTF8(text[:most-len("…")], "") + "…"
}

// read reads the properties of an event.
func (r *reader) read(f *found, c *ical.Component) error {
	e := &f.event
	e.Title = r.clip(strings.Join(strings.Fields(e.Title), " "), agenda.MaxTitle)
	if e.Title == "" {
		e.Title = "(no title)"
	}
	e.Place = r.clip(strings.Join(strings.Fields(textOf(c, ical.PropLocation)), " "), agenda.MaxPlace)
	e.Notes = r.clip(strings.TrimSpace(textOf(c, ical.PropDescription)), agenda.MaxNotes)
	e.Sequence, _ = strconv.Atoi(textOf(c, ical.PropSequence))
	e.Sequence = min(max(e.Sequence, 0), 1_000_000)
	e.Free = strings.EqualFold(textOf(c, ical.PropTransparency), "TRANSPARENT") || strings.EqualFold(textOf(c, "X-MICROSOFT-CDO-BUSYSTATUS"), "FREE")
	f.gone = strings.EqualFold(textOf(c, ical.PropStatus), "CANCELLED")
	if err := r.readTimes(e, c); err != nil {
		return err
	}
	if e.UID == "" {
		e.UID = "import-" + digest.Listed(12, e.Title, e.Start.String(), e.Place)
	}
	if prop := c.Props.Get(ical.PropRecurrenceID); prop != nil {
		at, err := r.zones.moment(*prop)
		if err != nil {
			return fmt.Errorf("RECURRENCE-ID: %w", err)
		}
		f.of, f.after = r.zones.in(at, *e), strings.EqualFold(prop.Params.Get("RANGE"), "THISANDFUTURE")
	}
	if err := r.readRule(e, c); err != nil {
		return err
	}
	e.Alarms = r.readAlarms(*e, c)
	return nil
}

// readTimes reads when an event begins and ends.
func (r *reader) readTimes(e *agenda.Event, c *ical.Component) error {
	prop := c.Props.Get(ical.PropDateTimeStart)
	if prop == nil {
		return fmt.Errorf("it has no start (DTSTART)")
	}
	start, err := r.zones.moment(*prop)
	if err != nil {
		return fmt.Errorf("DTSTART: %w", err)
	}
	e.AllDay, e.Zone, e.Start = start.day, start.zone, start.wall
	if start.zone == "UTC" && c.Props.Get(ical.PropRecurrenceRule) == nil && c.Props.Get(ical.PropRecurrenceID) == nil {
		r.zones.atHome(e, start)
	}
	end, duration := c.Props.Get(ical.PropDateTimeEnd), c.Props.Get(ical.PropDuration)
	switch {
	case end != nil:
		at, err := r.zones.moment(*end)
		if err != nil {
			return fmt.Errorf("DTEND: %w", err)
		}
		if e.End = r.zones.in(at, *e); e.AllDay && e.End.Equal(e.Start) {
			e.End = e.Start.Add(24 * time.Hour)
		}
	case duration != nil:
		d, err := duration.Duration()
		if err != nil || d < 0 || d > agenda.MaxLength {
			return fmt.Errorf("DURATION is %.40q; write it like PT1H30M or P1D", duration.Value)
		}
		e.End = e.Start.Add(d)
	case e.AllDay:
		e.End = e.Start.Add(24 * time.Hour)
	default:
		e.End = e.Start
	}
	return nil
}

// readRule reads how an event repeats.
func (r *reader) readRule(e *agenda.Event, c *ical.Component) error {
	rules := c.Props.Values(ical.PropRecurrenceRule)
	switch {
	case len(rules) > 1:
		return fmt.Errorf("it has %d rules (RRULE); one is possible", len(rules))
	case len(c.Props.Values("EXRULE")) > 0:
		return fmt.Errorf("it has a rule for exceptions (EXRULE), which RFC 5545 does not have any more")
	case len(rules) == 1:
		e.Rule = rules[0].Value
	}
	var err error
	if e.Dates, err = r.dates(*e, c, ical.PropRecurrenceDates); err != nil {
		return err
	}
	e.Skips, err = r.dates(*e, c, ical.PropExceptionDates)
	return err
}

// mostDates is how many dates are read of one event; it is refused for more anyway.
const mostDates = 5000

// dates reads a list of dates. A day means the occurrence on it.
func (r *reader) dates(e agenda.Event, c *ical.Component, name string) (all []agenda.Wall, err error) {
	for _, prop := range c.Props.Values(name) {
		for value := range strings.SplitSeq(prop.Value, ",") {
			value, _, _ = strings.Cut(value, "/") // a period begins then
			one := prop
			one.Value = strings.TrimSpace(value)
			at, err := r.zones.moment(one)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			w := r.zones.in(at, e)
			if at.day && !e.AllDay {
				w = at.wall.Add(e.Start.Sub(e.Start.Midnight()))
			}
			if all = append(all, w); len(all) > mostDates {
				return nil, fmt.Errorf("%s has more than %d dates", name, mostDates)
			}
		}
	}
	return all, nil
}

// readAlarms reads when an event rings, in minutes before its start.
func (r *reader) readAlarms(e agenda.Event, c *ical.Component) (all []int) {
	for _, child := range c.Children {
		trigger := child.Props.Get(ical.PropTrigger)
		if child.Name != ical.CompAlarm || trigger == nil || strings.EqualFold(textOf(child, ical.PropAction), "NONE") {
			continue
		}
		minutes, ok := r.before(e, *trigger)
		if !ok || minutes < 0 || minutes > agenda.MaxAlarm {
			r.alarms++
			continue
		}
		all = append(all, minutes)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) > agenda.MaxAlarms {
		r.alarms += len(all) - agenda.MaxAlarms
		all = all[:agenda.MaxAlarms]
	}
	return all
}

// before is how many minutes before the start of an event a trigger is.
func (r *reader) before(e agenda.Event, trigger ical.Prop) (int, bool) {
	if trigger.ValueType() == ical.ValueDateTime {
		at, err := r.zones.moment(trigger)
		if err != nil || e.Rule != "" {
			return 0, false
		}
		start, _ := e.Start.In(agenda.ZoneOf(e.Zone))
		return int(start.Sub(at.instant()) / time.Minute), !start.Before(at.instant())
	}
	d, err := trigger.Duration()
	if err != nil || d < -agenda.MaxLength || d > agenda.MaxLength {
		return 0, false
	}
	if strings.EqualFold(trigger.Params.Get("RELATED"), "END") {
		d += e.Length()
	}
	return int(-d / time.Minute), d <= 0
}

// file puts together what was read.
func (r *reader) file() File {
	for _, f := range r.changes {
		if f.after {
			r.skip(f, "it changes an occurrence and all later ones at once (RANGE=THISANDFUTURE), which cannot be kept")
			continue
		}
		if m := r.masters[f.event.UID]; m != nil {
			m.changes = append(m.changes, f)
			continue
		}
		r.alone(f)
	}
	for _, uid := range r.order {
		f := r.masters[uid]
		e, err := f.whole(r).Checked()
		if err != nil {
			r.skip(f, "%s", err)
			continue
		}
		r.out.Events = append(r.out.Events, e)
	}
	for _, remark := range []struct {
		n    int
		text string
	}{
		{r.long, "%d lines that are too long were left out, such as attachments"},
		{r.clipped, "%d texts that are too long were cut"},
		{r.alarms, "%d alarms were left out: an event has at most 5, at fixed times from 4 weeks before the start to the start"},
	} {
		if remark.n > 0 {
			r.out.Remarks = append(r.out.Remarks, fmt.Sprintf(remark.text, remark.n))
		}
	}
	slices.SortStableFunc(r.out.Skipped, func(a, b Skipped) int { return cmp.Compare(a.UID, b.UID) })
	return r.out
}

// alone keeps a change of an event that the file does not have as an event of its own.
func (r *reader) alone(f *found) {
	if f.gone {
		r.skip(f, "it is cancelled")
		return
	}
	f.event.UID += "/" + f.of.String()
	f.event.Rule = ""
	if _, twice := r.masters[f.event.UID]; twice {
		r.skip(f, "another event of the file has the same UID and RECURRENCE-ID")
		return
	}
	r.order = append(r.order, f.event.UID)
	r.masters[f.event.UID] = f
}

// whole is an event with its changes.
func (f *found) whole(r *reader) agenda.Event {
	e := f.event
	e.ID, e.Household, e.User = "import", "import", "import" // for the check: whoever keeps it says whose it is
	for _, c := range f.changes {
		// The times of a change may be of another zone.
		of := r.zones.between(c.of, c.event, e)
		if c.gone {
			e.Skips = append(e.Skips, of)
			continue
		}
		change := agenda.Change{
			Of: of, Title: c.event.Title, Place: c.event.Place, Notes: c.event.Notes, AllDay: c.event.AllDay, Free: c.event.Free, Alarms: c.event.Alarms,
			Start: r.zones.between(c.event.Start, c.event, e), End: r.zones.between(c.event.End, c.event, e),
		}
		e.Changes = append(slices.DeleteFunc(e.Changes, func(was agenda.Change) bool { return was.Of.Equal(of) }), change)
	}
	return e
}
