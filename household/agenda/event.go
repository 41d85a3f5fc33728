// Package agenda keeps the events of users: what, when, how they repeat, and whether the household sees them. It has the
// rules and the SQL.
//
// An event happens at times of the clock on the wall, in a zone. Twice a year clocks change. A time that is missing then,
// because the clocks jump over it, means the first instant after the jump; a time that comes twice means the first of the
// two. A rule is worked out in wall times first, so that a weekly event stays at nine o'clock all year.
package agenda

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rein"
	"rein/internal/civil"
	"rein/internal/digest"
)

// What there is at most.
const (
	MaxEvents      = 5000 // of a user
	MaxOccurrences = 5000 // that one question is answered with
	MaxAlarms      = 5    // of an event
	MaxAlarm       = 4 * 7 * 24 * 60
	MaxTitle       = 300  // bytes
	MaxPlace       = 500  // bytes
	MaxNotes       = 8000 // bytes
	MaxLength      = 366 * 24 * time.Hour
	maxExceptions  = 1000 // of an event: dates that are added, left out or changed
	maxAlarmTimes  = 50   // different alarms of all occurrences of an event
	maxUID         = 500  // bytes
	maxRuns        = 50   // that are remembered to have written an event
)

// An Event is something in the agenda of a user, once or repeatedly.
type Event struct {
	ID        string `json:"-"`
	Household string `json:"-"`
	User      string `json:"-"` // whose it is
	UID       string `json:"-"` // its name in iCalendar
	Shared    bool   `json:"-"` // the whole household sees it

	Title string `json:"title"`
	Place string `json:"place,omitempty"`
	Notes string `json:"notes,omitempty"`

	Start  Wall   `json:"start"`
	End    Wall   `json:"end"` // of an event that lasts all day: the day after its last one
	Zone   string `json:"zone"`
	AllDay bool   `json:"all_day,omitempty"`
	Free   bool   `json:"free,omitempty"` // it takes no time: it conflicts with nothing

	Rule    string   `json:"rule,omitempty"`    // how it repeats, as RRULE of RFC 5545; empty: it does not
	Dates   []Wall   `json:"dates,omitempty"`   // when it happens too
	Skips   []Wall   `json:"skips,omitempty"`   // when it does not happen, although the rule says so
	Changes []Change `json:"changes,omitempty"` // occurrences that differ

	Alarms   []int        `json:"alarms,omitempty"` // minutes before the start
	By       string       `json:"by"`               // who made it
	Runs     []rein.RunID `json:"runs,omitempty"`   // that wrote it, the first one first
	Sequence int          `json:"sequence,omitempty"`
	Created  time.Time    `json:"-"`
	Updated  time.Time    `json:"-"`
}

// A Change is one occurrence that differs from the rest.
type Change struct {
	Of     Wall   `json:"of"` // when it would have been
	Title  string `json:"title"`
	Place  string `json:"place,omitempty"`
	Notes  string `json:"notes,omitempty"`
	Start  Wall   `json:"start"`
	End    Wall   `json:"end"`
	AllDay bool   `json:"all_day,omitempty"`
	Free   bool   `json:"free,omitempty"`
	Alarms []int  `json:"alarms,omitempty"`
}

// Repeats reports whether an event happens more than once.
func (e Event) Repeats() bool { return e.Rule != "" || len(e.Dates) > 0 }

// Version names what the event says now. It differs as soon as anything of it was changed.
func (e Event) Version() string {
	data, err := json.Marshal(e)
	if err != nil {
		panic(err) // it holds texts, numbers and times only
	}
	return digest.Listed(8, e.ID, e.UID, fmt.Sprint(e.Shared), e.Updated.UTC().Format(time.RFC3339Nano), string(data))
}

// Length is how long an occurrence lasts on the wall.
func (e Event) Length() time.Duration { return e.End.Sub(e.Start) }

// zone is where the event's clock hangs.
func (e Event) zone() (*time.Location, error) { return civil.Zone(e.Zone) }

// normal returns the event in the one form in which it is kept.
func (e Event) normal() Event {
	e.Title, e.Place, e.Notes = oneLine(e.Title), oneLine(e.Place), lines(e.Notes)
	e.Rule = normalRule(e.Rule)
	if e.AllDay {
		e.Start, e.End = e.Start.Midnight(), e.End.Midnight()
	}
	e.Alarms = normalAlarms(e.Alarms)
	e.Dates, e.Skips = normalWalls(e.Dates), normalWalls(e.Skips)
	changes := slices.Clone(e.Changes)
	slices.SortFunc(changes, func(a, b Change) int { return a.Of.Compare(b.Of) })
	for i, c := range changes {
		c.Title, c.Place, c.Notes = oneLine(c.Title), oneLine(c.Place), lines(c.Notes)
		c.Alarms = normalAlarms(c.Alarms)
		changes[i] = c
	}
	e.Changes = changes
	return e
}

func oneLine(text string) string { return strings.Join(strings.Fields(printable(text)), " ") }

// lines is a text of several lines in one form.
func lines(text string) string {
	return strings.TrimSpace(printable(strings.ReplaceAll(text, "\r\n", "\n")))
}

// printable is a text without characters that control a terminal or end a line of a file.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text)
}

func normalAlarms(minutes []int) []int {
	sorted := slices.Clone(minutes)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

func normalWalls(walls []Wall) []Wall {
	sorted := slices.Clone(walls)
	slices.SortFunc(sorted, Wall.Compare)
	return slices.CompactFunc(sorted, Wall.Equal)
}

// check says what is wrong with an event in its normal form, if anything.
func (e Event) check() error {
	if e.ID == "" || e.Household == "" || e.User == "" || e.UID == "" {
		return rein.Errorf(rein.CodeInvalid, "an event needs an ID, a UID, a household and a user")
	}
	if len(e.UID) > maxUID || !utf8.ValidString(e.UID) {
		return rein.Errorf(rein.CodeInvalid, "the UID of an event has at most %d bytes; this one has %d", maxUID, len(e.UID))
	}
	if err := checkTexts(e.Title, e.Place, e.Notes); err != nil {
		return err
	}
	if err := checkTimes(e.Start, e.End, e.AllDay); err != nil {
		return err
	}
	if _, err := e.zone(); err != nil {
		return err
	}
	if err := checkAlarms(e.Alarms); err != nil {
		return err
	}
	if n := len(e.Dates) + len(e.Skips) + len(e.Changes); n > maxExceptions {
		return rein.Errorf(rein.CodeLimit, "event %q has %d exceptions; at most %d are kept: split it into two events", e.Title, n, maxExceptions)
	}
	for _, c := range e.Changes {
		if err := c.check(); err != nil {
			return err
		}
	}
	if n := len(e.alarmMinutes()); n > maxAlarmTimes {
		return rein.Errorf(rein.CodeLimit, "the occurrences of event %q have %d different alarms; at most %d are kept: use the same ones", e.Title, n, maxAlarmTimes)
	}
	return e.checkRule()
}

func (c Change) check() error {
	if err := checkTexts(c.Title, c.Place, c.Notes); err != nil {
		return err
	}
	if err := checkTimes(c.Start, c.End, c.AllDay); err != nil {
		return err
	}
	return checkAlarms(c.Alarms)
}

func checkTexts(title, place, notes string) error {
	for _, t := range []struct {
		name, text string
		most       int
	}{{"title", title, MaxTitle}, {"place", place, MaxPlace}, {"notes", notes, MaxNotes}} {
		if len(t.text) > t.most || !utf8.ValidString(t.text) {
			return rein.Errorf(rein.CodeInvalid, "the %s of an event is text of at most %d bytes; this one has %d", t.name, t.most, len(t.text))
		}
	}
	if title == "" {
		return rein.Errorf(rein.CodeInvalid, "an event needs a title: say what it is, such as dentist")
	}
	return nil
}

// The years that events can be in.
const (
	firstYear = 1900
	lastYear  = 2200
)

func checkTimes(start, end Wall, allDay bool) error {
	for _, w := range []Wall{start, end} {
		if year := w.t.Year(); year < firstYear || year > lastYear {
			return rein.Errorf(rein.CodeInvalid, "%s is not in the years %d to %d", w.Text(allDay), firstYear, lastYear)
		}
	}
	switch length := end.Sub(start); {
	case allDay && length < 24*time.Hour:
		return rein.Errorf(rein.CodeInvalid, "the event lasts from %s to %s: an event that lasts all day ends on a later day than it starts on, because the end is the day after its last day", start.Text(true), end.Text(true))
	case length < 0:
		return rein.Errorf(rein.CodeInvalid, "the event would end at %s, before its start at %s", end.Text(allDay), start.Text(allDay))
	case length > MaxLength:
		return rein.Errorf(rein.CodeInvalid, "the event would last %d days; at most %d are possible", int(length.Hours()/24), int(MaxLength.Hours()/24))
	}
	return nil
}

func checkAlarms(minutes []int) error {
	if len(minutes) > MaxAlarms {
		return rein.Errorf(rein.CodeLimit, "an event has at most %d alarms; this one has %d", MaxAlarms, len(minutes))
	}
	for _, m := range minutes {
		if m < 0 || m > MaxAlarm {
			return rein.Errorf(rein.CodeInvalid, "an alarm is from 0 to %d minutes before the start (4 weeks); this one is %d", MaxAlarm, m)
		}
	}
	return nil
}
