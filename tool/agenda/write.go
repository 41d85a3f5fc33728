package agenda

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"time"

	"rein"
	"rein/household/agenda"
	"rein/internal/speech"
	"rein/tool"
)

// moment is a time as one says it.
func (v voice) moment(t time.Time) string { return speech.When(v.language, t.In(v.zone), v.now) }

type addArgs struct {
	Title   string `json:"title" jsonschema:"what it is, in a few words" min:"1" max:"300"`
	Start   string `json:"start" jsonschema:"when it begins, such as 2026-11-24T09:00; a day such as 2026-11-24 lasts all day"`
	End     string `json:"end,omitempty" jsonschema:"when it ends, the same way; of an event that lasts all day its last day; default: an hour after the start, or the same day"`
	Minutes int    `json:"minutes,omitempty" jsonschema:"how long it lasts, in place of an end" min:"0" max:"527040"`
	Place   string `json:"place,omitempty" jsonschema:"where it is" max:"500"`
	Notes   string `json:"notes,omitempty" jsonschema:"what else is worth knowing" max:"8000"`
	Repeat  string `json:"repeat,omitempty" jsonschema:"how it repeats, as RRULE of RFC 5545, such as FREQ=WEEKLY;BYDAY=TU; it repeats once a day at most" max:"500"`
	Alarms  []int  `json:"alarms,omitempty" jsonschema:"when the user gets a message: minutes before the start" max:"5"`
	Shared  bool   `json:"shared,omitempty" jsonschema:"whether everyone in the household sees it; default: only the user does"`
	Zone    string `json:"zone,omitempty" jsonschema:"the time zone of the times, such as Europe/London; default: the user's"`
	Free    *bool  `json:"free,omitempty" jsonschema:"whether something else can be planned at the same time; default: only if it lasts all day"`
}

//go:embed add_event.md
var addText string

func (k kit) add() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: "agenda.add_event", Text: addText, Effect: rein.Pure, Writes: true, Approval: true}, func(ctx context.Context, inv rein.Invocation, a addArgs) (rein.Done, error) {
		e, o, v, err := k.drafted(inv, a)
		if err != nil {
			return rein.Done{}, err
		}
		conflicts, err := k.Book.Conflicts(ctx, e, v.zone)
		if err != nil {
			return rein.Done{}, err
		}
		text := []string{v.say("added", e.Title, v.when(o))}
		text = append(text, v.remarks(e, o, conflicts)...)
		return v.done(text, e, o, func(ctx context.Context, tx rein.Tx) error { return k.Book.Add(ctx, tx, e) })
	})
	t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		var a addArgs
		if err := json.Unmarshal(inv.Args, &a); err != nil {
			return rein.Shown{}, err
		}
		e, o, v, err := k.drafted(inv, a)
		if err != nil {
			return rein.Shown{}, err
		}
		conflicts, err := k.Book.Conflicts(ctx, e, v.zone)
		return rein.Shown{Say: v.proposal(e, o), Text: v.details(e, o, conflicts)}, err
	}
	return t, err
}

// drafted is the event that a call adds, with its first occurrence.
func (k kit) drafted(inv rein.Invocation, a addArgs) (agenda.Event, agenda.Occurrence, voice, error) {
	owner, v, err := k.reader(inv)
	if err != nil {
		return agenda.Event{}, agenda.Occurrence{}, v, err
	}
	e, err := agenda.Draft{
		Title: a.Title, Place: a.Place, Notes: a.Notes, Start: a.Start, End: a.End, Minutes: a.Minutes, Zone: a.Zone,
		Free: a.Free, Rule: a.Repeat, Alarms: a.Alarms, Shared: a.Shared,
	}.Event(owner, inv.Task.Zone)
	if err != nil {
		return e, agenda.Occurrence{}, v, err
	}
	e.ID = agenda.NewID(inv.Run, inv.Step)
	e.UID = e.ID + "@rein"
	if e, err = e.Wrote(inv.Run).Checked(); err != nil {
		return e, agenda.Occurrence{}, v, err
	}
	o, ok, err := e.Next(time.Time{}, v.zone)
	if err == nil && !ok {
		err = rein.Errorf(rein.CodeInvalid, "the event would never happen: check its start and its rule")
	}
	return e, o, v, err
}

// proposal asks whether to add an event.
func (v voice) proposal(e agenda.Event, o agenda.Occurrence) string {
	if !e.Repeats() {
		return v.say("add", v.when(o), e.Title)
	}
	repeat, _ := v.repeat(e)
	return v.say("add repeating", v.when(o), e.Title, repeat)
}

// details is what a person sees of an event beside the question.
func (v voice) details(e agenda.Event, o agenda.Occurrence, conflicts []agenda.Conflict) string {
	lines := v.remarks(e, o, conflicts)
	if e.AllDay {
		if e.LastDay().Compare(e.Start) > 0 {
			lines = append(lines, v.say("until day", speech.Day(v.language, o.End.In(v.zone).AddDate(0, 0, -1), v.now)))
		}
	} else if o.End.After(o.Start) {
		lines = append(lines, v.say("until", v.endOf(o)))
	}
	if _, whole := v.repeat(e); e.Rule != "" && !whole {
		lines = append(lines, v.say("repeats", e.Rule))
	}
	if e.Place != "" {
		lines = append(lines, v.say("at", e.Place))
	}
	if len(e.Alarms) > 0 {
		lines = append(lines, v.alarms(e.Alarms))
	}
	if e.Shared {
		lines = append(lines, v.say("shared"))
	}
	if e.Notes != "" {
		lines = append(lines, v.say("notes", e.Notes))
	}
	return strings.Join(lines, "\n")
}

// endOf is when an occurrence ends: the time, and the day if it is another one.
func (v voice) endOf(o agenda.Occurrence) string {
	start, end := o.Start.In(v.zone), o.End.In(v.zone)
	if start.YearDay() == end.YearDay() && start.Year() == end.Year() {
		return end.Format("15:04")
	}
	return v.moment(end)
}

// mostRemarks is how many times of an event are looked at for changes of the clocks, and how many conflicts are named.
const mostRemarks = 5

// remarks are what a person should know before they agree: conflicts, changes of the clocks, that it is over.
func (v voice) remarks(e agenda.Event, o agenda.Occurrence, conflicts []agenda.Conflict) (lines []string) {
	if !e.Repeats() && !o.End.After(v.now) && o.Start.Before(v.now) {
		lines = append(lines, v.say("passed"))
	}
	lines = append(lines, v.changes(e, o)...)
	for _, c := range conflicts[:min(len(conflicts), mostRemarks)] {
		lines = append(lines, v.conflict(c))
	}
	return lines
}

// changes says where clocks change at the time of an event within a year.
func (v voice) changes(e agenda.Event, o agenda.Occurrence) (lines []string) {
	if !e.Repeats() {
		if text := v.clocks(o); text != "" {
			return []string{text}
		}
		return nil
	}
	all, _ := e.Occurrences(o.Start, o.Start.AddDate(1, 0, 0), v.zone, agenda.MaxOccurrences)
	for _, o := range all {
		if text := v.clocks(o); text != "" && len(lines) < mostRemarks {
			lines = append(lines, text)
		}
	}
	return lines
}

// done is the result of a call that writes.
func (v voice) done(text []string, e agenda.Event, o agenda.Occurrence, commit func(context.Context, rein.Tx) error) (rein.Done, error) {
	data, err := json.Marshal(v.data(o))
	return rein.Done{Text: strings.Join(text, " "), Data: data, Commit: commit}, err
}
