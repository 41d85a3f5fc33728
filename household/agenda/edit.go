package agenda

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/internal/digest"
)

// A Scope says which occurrences of an event are meant.
type Scope string

const (
	All       Scope = "all"       // the whole event
	One       Scope = "one"       // one occurrence
	Following Scope = "following" // one occurrence and all after it
)

// Scopes lists the scopes.
func Scopes() []Scope { return []Scope{All, One, Following} }

// An Edit is what changes of an event. What is nil stays.
type Edit struct {
	Title, Place, Notes *string
	// Start and End are of the occurrence that is named, or of the first one. Without an end the length stays.
	Start, End *Wall
	AllDay     *bool
	Free       *bool
	Shared     *bool
	Zone       *string
	Rule       *string // empty: it does not repeat
	Alarms     *[]int
}

// IsZero reports whether nothing changes.
func (e Edit) IsZero() bool { return e == (Edit{}) }

// A Result is what an event becomes.
type Result struct {
	Event Event
	// Next is the event that an event is split into from an occurrence on; nil: it is not split.
	Next *Event
}

// choose checks that a scope fits an event, and completes it: of one that happens once all is meant.
func (e Event) choose(s Scope, of *Wall) (Scope, Wall, error) {
	if !e.Repeats() {
		return All, e.Start, nil
	}
	switch {
	case s == "" && of == nil:
		return "", Wall{}, rein.Errorf(rein.CodeInvalid, "event %q repeats: say with scope which is meant: one, following or all. For one and following, name the occurrence too", e.Title)
	case s == "":
		return "", Wall{}, rein.Errorf(rein.CodeInvalid, "event %q repeats: say with scope which is meant: one (only %s), following (that one and all after it) or all", e.Title, of.Text(e.AllDay))
	case !slices.Contains(Scopes(), s):
		return "", Wall{}, rein.Errorf(rein.CodeInvalid, "scope is %.40q; it must be one, following or all", string(s))
	case of == nil && s != All:
		return "", Wall{}, rein.Errorf(rein.CodeInvalid, "scope %s needs the occurrence: its start, as the list of the agenda has it", s)
	case of == nil:
		return s, e.Start, nil
	}
	if _, err := e.Find(*of, time.UTC); err != nil {
		return "", Wall{}, err
	}
	return s, *of, nil
}

// Choose returns the scope that is meant by what somebody said of an event, and refuses what does not fit it.
func (e Event) Choose(s Scope, of *Wall) (Scope, error) {
	s, _, err := e.choose(s, of)
	return s, err
}

// first reports whether an occurrence is the first one of an event.
func (e Event) first(of Wall) bool {
	walls, err := e.walls(Wall{}, of.Add(-time.Second), 1)
	return err == nil && len(walls) == 0 && !slices.ContainsFunc(e.Changes, func(c Change) bool { return c.Of.Before(of) })
}

// Apply returns what an event becomes. It does not change the event that it is called on. key names the change: of two
// with one key the same comes out.
func (e Event) Apply(s Scope, of *Wall, edit Edit, key string) (Result, error) {
	if edit.IsZero() {
		return Result{}, rein.Errorf(rein.CodeInvalid, "nothing would change: say what is different")
	}
	s, at, err := e.choose(s, of)
	if err != nil {
		return Result{}, err
	}
	switch {
	case s == One:
		changed, err := e.applyOne(at, edit)
		return Result{Event: changed}, err
	case s == Following && !e.first(at):
		return e.split(at, edit, key)
	}
	changed, err := e.applyAll(at, edit)
	return Result{Event: changed}, err
}

// applyOne changes one occurrence.
func (e Event) applyOne(of Wall, edit Edit) (Event, error) {
	if edit.Rule != nil || edit.Zone != nil || edit.Shared != nil {
		return e, rein.Errorf(rein.CodeInvalid, "one occurrence cannot have a rule, a zone or a sharing of its own: change all or the following ones, or leave that out")
	}
	o, err := e.Find(of, time.UTC)
	if err != nil {
		return e, err
	}
	c := Change{
		Of: of, Title: o.Event.Title, Place: o.Event.Place, Notes: o.Event.Notes, Start: o.Event.Start, End: o.Event.End,
		AllDay: o.Event.AllDay, Free: o.Event.Free, Alarms: o.Event.Alarms,
	}
	set(&c.Title, edit.Title)
	set(&c.Place, edit.Place)
	set(&c.Notes, edit.Notes)
	set(&c.AllDay, edit.AllDay)
	set(&c.Free, edit.Free)
	set(&c.Alarms, edit.Alarms)
	c.Start, c.End = moved(c.Start, c.End, edit)
	e.Changes = append(slices.DeleteFunc(slices.Clone(e.Changes), func(was Change) bool { return was.Of.Equal(of) }), c)
	return e.Checked()
}

func set[T any](to *T, value *T) {
	if value != nil {
		*to = *value
	}
}

// moved returns the new start and end of what began and ended so.
func moved(start, end Wall, edit Edit) (Wall, Wall) {
	length := end.Sub(start)
	if edit.Start != nil {
		start = *edit.Start
		end = start.Add(length)
	}
	if edit.End != nil {
		end = *edit.End
	}
	return start, end
}

// Checked returns an event in the form in which it is kept, and what is wrong with it, if anything.
func (e Event) Checked() (Event, error) {
	e = e.normal()
	return e, e.check()
}

// applyAll changes a whole event. The times that an edit names are those of one occurrence: the others move as far.
func (e Event) applyAll(at Wall, edit Edit) (Event, error) {
	shift := time.Duration(0)
	was := e
	if edit.Start != nil {
		shift = edit.Start.Sub(at)
	}
	set(&e.Title, edit.Title)
	set(&e.Place, edit.Place)
	set(&e.Notes, edit.Notes)
	set(&e.AllDay, edit.AllDay)
	set(&e.Free, edit.Free)
	set(&e.Shared, edit.Shared)
	set(&e.Zone, edit.Zone)
	set(&e.Alarms, edit.Alarms)
	length := was.Length()
	if edit.End != nil {
		begins := at
		if edit.Start != nil {
			begins = *edit.Start
		}
		length = edit.End.Sub(begins)
	}
	e.Start = was.Start.Add(shift)
	e.End = e.Start.Add(length)
	if edit.Rule != nil {
		e.Rule, e.Dates, e.Skips, e.Changes = *edit.Rule, nil, nil, nil
		return e.Checked()
	}
	rule, err := was.shiftRule(shift)
	if err != nil {
		return was, err
	}
	e.Rule = rule
	e.Dates, e.Skips = shiftWalls(was.Dates, shift), shiftWalls(was.Skips, shift)
	e.Changes = slices.Clone(was.Changes)
	for i, c := range e.Changes {
		e.Changes[i] = c.follow(edit, shift, length, was)
	}
	return e.Checked()
}

// follow changes an occurrence that differs, as far as it does not differ in that.
func (c Change) follow(edit Edit, shift, length time.Duration, was Event) Change {
	same := c.Start.Equal(c.Of) && c.End.Sub(c.Start) == was.Length()
	c.Of = c.Of.Add(shift)
	if same {
		c.Start = c.Of
		c.End = c.Start.Add(length)
	}
	for _, text := range []struct {
		is  *string
		was string
		new *string
	}{{&c.Title, was.Title, edit.Title}, {&c.Place, was.Place, edit.Place}, {&c.Notes, was.Notes, edit.Notes}} {
		if *text.is == text.was {
			set(text.is, text.new)
		}
	}
	if slices.Equal(c.Alarms, was.Alarms) {
		set(&c.Alarms, edit.Alarms)
	}
	set(&c.Free, edit.Free)
	return c
}

func shiftWalls(walls []Wall, by time.Duration) []Wall {
	moved := slices.Clone(walls)
	for i := range moved {
		moved[i] = moved[i].Add(by)
	}
	return moved
}

var weekdays = []string{"MO", "TU", "WE", "TH", "FR", "SA", "SU"}

// shiftRule returns the rule of an event that moves so far. A rule that names days or times must move along, and that can
// be said of weekdays only.
func (e Event) shiftRule(by time.Duration) (string, error) {
	if e.Rule == "" || by == 0 {
		return e.Rule, nil
	}
	day := 24 * time.Hour
	days := int(e.Start.Add(by).Midnight().Sub(e.Start.Midnight()) / day)
	weekly := strings.Contains(e.Rule, "FREQ=WEEKLY")
	var parts []string
	for part := range strings.SplitSeq(e.Rule, ";") {
		name, value, _ := strings.Cut(part, "=")
		switch name {
		case "BYHOUR", "BYMINUTE", "BYSECOND":
			return "", rein.Errorf(rein.CodeInvalid, "event %q repeats by %s: give the new rule too, so that it moves along", e.Title, part)
		case "BYDAY":
			if days%7 == 0 {
				break
			}
			if !weekly {
				return "", cannotMove(e, part)
			}
			var moved []string
			for d := range strings.SplitSeq(value, ",") {
				i := slices.Index(weekdays, d)
				moved = append(moved, weekdays[((i+days)%7+7)%7])
			}
			part = "BYDAY=" + strings.Join(moved, ",")
		case "BYMONTH", "BYMONTHDAY", "BYYEARDAY", "BYWEEKNO", "BYSETPOS":
			if days != 0 {
				return "", cannotMove(e, part)
			}
		case "UNTIL":
			r, err := e.parseRule()
			if err != nil {
				return "", err
			}
			part = "UNTIL=" + e.untilText(Wall{r.option.Until}.Add(by))
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, ";"), nil
}

func cannotMove(e Event, part string) error {
	return rein.Errorf(rein.CodeInvalid, "event %q repeats by %s, which does not fit another day: give the new rule too", e.Title, part)
}

// split ends an event before an occurrence, and makes another that continues from there.
func (e Event) split(at Wall, edit Edit, key string) (Result, error) {
	before := e
	next := e
	next.ID = "ev-" + digest.Listed(10, e.ID, at.String(), key)
	next.UID = next.ID + "@rein"
	next.Sequence = 0
	next.Start, next.End = at, at.Add(e.Length())
	isBefore := func(w Wall) bool { return w.Before(at) }
	isAfter := func(w Wall) bool { return !w.Before(at) }
	before.Dates, next.Dates = slices.DeleteFunc(slices.Clone(e.Dates), isAfter), slices.DeleteFunc(slices.Clone(e.Dates), isBefore)
	before.Skips, next.Skips = slices.DeleteFunc(slices.Clone(e.Skips), isAfter), slices.DeleteFunc(slices.Clone(e.Skips), isBefore)
	before.Changes = slices.DeleteFunc(slices.Clone(e.Changes), func(c Change) bool { return isAfter(c.Of) })
	next.Changes = slices.DeleteFunc(slices.Clone(e.Changes), func(c Change) bool { return isBefore(c.Of) })
	if e.Rule != "" {
		var err error
		if before.Rule, next.Rule, err = e.endedBefore(at); err != nil {
			return Result{}, err
		}
	}
	before, err := before.Checked()
	if err != nil {
		return Result{}, err
	}
	next, err = next.applyAll(at, edit)
	return Result{Event: before, Next: &next}, err
}

// Without returns what an event becomes when occurrences of it are deleted. gone says that nothing is left.
func (e Event) Without(s Scope, of *Wall) (left Event, gone bool, err error) {
	s, at, err := e.choose(s, of)
	if err != nil {
		return e, false, err
	}
	switch {
	case s == All || s == Following && e.first(at):
		return e, true, nil
	case s == Following:
		r, err := e.split(at, Edit{Free: &e.Free}, "")
		return r.Event, false, err
	}
	e.Changes = slices.DeleteFunc(slices.Clone(e.Changes), func(c Change) bool { return c.Of.Equal(at) })
	e.Skips = append(slices.Clone(e.Skips), at)
	left, err = e.Checked()
	if err != nil {
		return left, false, err
	}
	_, more, err := left.Next(time.Time{}, time.UTC)
	return left, !more, err
}

// Wrote notes that a run wrote an event.
func (e Event) Wrote(run rein.RunID) Event {
	if run == "" || slices.Contains(e.Runs, run) {
		return e
	}
	runs := append(slices.Clone(e.Runs), run)
	if len(runs) > maxRuns {
		runs = slices.Delete(runs, 1, len(runs)-maxRuns+1)
	}
	e.Runs = runs
	return e
}

// NewID is the ID of an event that a step makes: the same for the same step.
func NewID(run rein.RunID, step rein.StepKey) string {
	return fmt.Sprintf("ev-%s", digest.Listed(10, string(run), string(step)))
}
