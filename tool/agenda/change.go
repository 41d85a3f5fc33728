package agenda

import (
	"context"
	_ "embed"
	"encoding/json"
	"strings"
	"time"

	"rein"
	"rein/household/agenda"
	"rein/tool"
)

// updateArgs name an event and what changes of it. The version is pinned: an approval is of the event as it was shown.
type updateArgs struct {
	ID         string  `json:"id" jsonschema:"the id of the event, from agenda.list_events"`
	Scope      string  `json:"scope,omitempty" jsonschema:"of an event that repeats: one (only the occurrence), following (it and all later ones) or all" enum:"one,following,all"`
	Occurrence string  `json:"occurrence,omitempty" jsonschema:"the name of the occurrence, from agenda.list_events; needed for one and following"`
	Title      *string `json:"title,omitempty" jsonschema:"the new title" max:"300"`
	Start      *string `json:"start,omitempty" jsonschema:"when it begins now, such as 2026-11-24T09:00; without an end it stays as long as it was"`
	End        *string `json:"end,omitempty" jsonschema:"when it ends now, the same way"`
	Minutes    *int    `json:"minutes,omitempty" jsonschema:"how long it lasts now, in place of an end" min:"0" max:"527040"`
	Place      *string `json:"place,omitempty" jsonschema:"the new place; empty removes it" max:"500"`
	Notes      *string `json:"notes,omitempty" jsonschema:"the new notes; empty removes them" max:"8000"`
	Repeat     *string `json:"repeat,omitempty" jsonschema:"how it repeats now, as RRULE of RFC 5545; empty: it does not repeat any more" max:"500"`
	Alarms     *[]int  `json:"alarms,omitempty" jsonschema:"all alarms that it has now: minutes before the start" max:"5"`
	Shared     *bool   `json:"shared,omitempty" jsonschema:"whether everyone in the household sees it"`
	Free       *bool   `json:"free,omitempty" jsonschema:"whether something else can be planned at the same time"`
	Version    string  `json:"version" pinned:"true"`
}

//go:embed update_event.md
var updateText string

func (k kit) update() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: "agenda.update_event", Text: updateText, Effect: rein.Pure, Writes: true, Approval: true}, func(ctx context.Context, inv rein.Invocation, a updateArgs) (rein.Done, error) {
		c, err := k.amended(ctx, inv, a)
		if err != nil {
			return rein.Done{}, err
		}
		if err := c.pinned(a.Version); err != nil {
			return rein.Done{}, err
		}
		conflicts, err := k.Book.Conflicts(ctx, c.becomes, c.zone)
		if err != nil {
			return rein.Done{}, err
		}
		text := append([]string{c.say("changed", c.after.Event.Title, c.when(c.after))}, c.remarks(c.becomes, c.after, conflicts)...)
		return c.done(text, c.becomes, c.after, func(ctx context.Context, tx rein.Tx) error {
			if err := k.Book.Replace(ctx, tx, c.owner, a.Version, c.result.Event); err != nil || c.result.Next == nil {
				return err
			}
			return k.Book.Add(ctx, tx, *c.result.Next)
		})
	})
	t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		var a updateArgs
		if err := json.Unmarshal(inv.Args, &a); err != nil {
			return rein.Shown{}, err
		}
		c, err := k.amended(ctx, inv, a)
		if err != nil {
			return rein.Shown{}, err
		}
		conflicts, err := k.Book.Conflicts(ctx, c.becomes, c.zone)
		return rein.Shown{Say: c.question(), Text: c.differences(conflicts), Pin: map[string]string{"version": c.was.Version()}}, err
	}
	return t, err
}

// A change is what a call does to an event.
type change struct {
	voice
	owner   agenda.Owner
	was     agenda.Event
	scope   agenda.Scope
	before  agenda.Occurrence // that was named, or the next one
	after   agenda.Occurrence
	result  agenda.Result
	becomes agenda.Event // the event in which the occurrence is afterwards
}

// find finds the event and the occurrence that a call names.
func (k kit) find(ctx context.Context, inv rein.Invocation, id, scope, name string) (c change, of *agenda.Wall, err error) {
	if c.owner, c.voice, err = k.reader(inv); err != nil {
		return c, nil, err
	}
	if c.was, err = k.Book.Own(ctx, c.owner, id); err != nil {
		return c, nil, err
	}
	if of, err = c.was.ReadOccurrence(name); err != nil {
		return c, nil, err
	}
	if c.scope, err = c.was.Choose(agenda.Scope(scope), of); err != nil {
		return c, nil, err
	}
	if c.before, err = c.named(c.was, of); err != nil {
		return c, nil, err
	}
	if !c.was.Repeats() {
		of = nil
	}
	return c, of, nil
}

// named is an occurrence by its name, or the next one, or the first one if all are over.
func (v voice) named(e agenda.Event, of *agenda.Wall) (agenda.Occurrence, error) {
	if of != nil && e.Repeats() {
		return e.Find(*of, v.zone)
	}
	for _, after := range []time.Time{v.now, {}} {
		o, ok, err := e.Next(after, v.zone)
		if ok || err != nil {
			return o, err
		}
	}
	return agenda.Occurrence{}, rein.Errorf(rein.CodeNotFound, "event %q never happens: delete it", e.Title)
}

// amended works out what a call changes.
func (k kit) amended(ctx context.Context, inv rein.Invocation, a updateArgs) (change, error) {
	c, of, err := k.find(ctx, inv, a.ID, a.Scope, a.Occurrence)
	if err != nil {
		return c, err
	}
	edit, err := agenda.Amendment{
		Title: a.Title, Place: a.Place, Notes: a.Notes, Start: a.Start, End: a.End, Minutes: a.Minutes, Free: a.Free, Shared: a.Shared, Rule: a.Repeat, Alarms: a.Alarms,
	}.Read(c.was, of)
	if err != nil {
		return c, err
	}
	if c.result, err = c.was.Wrote(inv.Run).Apply(c.scope, of, edit, string(inv.Run)+"/"+string(inv.Step)); err != nil {
		return c, err
	}
	c.becomes = c.result.Event
	if c.result.Next != nil {
		c.becomes = *c.result.Next
	}
	c.after, err = c.successor(of, edit)
	return c, err
}

// successor is the occurrence that the one before becomes.
func (c change) successor(of *agenda.Wall, edit agenda.Edit) (agenda.Occurrence, error) {
	name := c.before.Of
	if edit.Start != nil && c.scope != agenda.One {
		base := c.was.Start
		if of != nil {
			base = *of
		}
		name = name.Add(edit.Start.Sub(base))
	}
	o, err := c.becomes.Find(name, c.zone)
	if rein.CodeOf(err) == rein.CodeNotFound { // it has another rule now
		return c.named(c.becomes, nil)
	}
	return o, err
}

// pinned refuses to change an event that is not as it was shown.
func (c change) pinned(version string) error {
	if version == c.was.Version() {
		return nil
	}
	return rein.Errorf(rein.CodeConflict, "event %q was changed meanwhile: list the agenda again", c.was.Title)
}

// meant says which occurrences of an event that repeats are meant.
func (c change) meant() string {
	if !c.was.Repeats() {
		return ""
	}
	return c.say(string(c.scope))
}

// question asks whether to make the change.
func (c change) question() string {
	if c.before.Start.Equal(c.after.Start) && c.before.Event.AllDay == c.after.Event.AllDay {
		return c.say("change", c.was.Title, c.when(c.before), c.meant())
	}
	return c.say("move", c.was.Title, c.when(c.before), c.when(c.after), c.meant())
}

// differences is what a person sees of a change beside the question.
func (c change) differences(conflicts []agenda.Conflict) string {
	lines := c.remarks(c.becomes, c.after, conflicts)
	was, is := c.before.Event, c.after.Event
	for _, text := range []struct{ key, was, is string }{{"title", was.Title, is.Title}, {"place", was.Place, is.Place}, {"new notes", was.Notes, is.Notes}} {
		if text.was != text.is {
			lines = append(lines, c.say(text.key, c.or(text.was), c.or(text.is)))
		}
	}
	if c.after.End.Sub(c.after.Start) != c.before.End.Sub(c.before.Start) && !is.AllDay {
		lines = append(lines, c.say("until", c.endOf(c.after)))
	}
	if c.was.Rule != c.becomes.Rule && c.result.Next == nil {
		repeat, whole := c.repeat(c.becomes)
		switch {
		case c.becomes.Rule == "":
			lines = append(lines, c.say("no repeat"))
		case !whole:
			lines = append(lines, c.say("repeats", c.becomes.Rule))
		default:
			lines = append(lines, c.say("repeat", repeat))
		}
	}
	return strings.Join(append(lines, c.switches(was, is)...), "\n")
}

// switches says what else differs.
func (c change) switches(was, is agenda.Event) (lines []string) {
	if c.alarms(was.Alarms) != c.alarms(is.Alarms) {
		if len(is.Alarms) == 0 {
			lines = append(lines, c.say("no alarm"))
		} else {
			lines = append(lines, c.alarms(is.Alarms))
		}
	}
	if was.Shared != is.Shared {
		lines = append(lines, c.say(map[bool]string{true: "shared", false: "private"}[is.Shared]))
	}
	if was.Free != is.Free {
		lines = append(lines, c.say(map[bool]string{true: "free", false: "busy"}[is.Free]))
	}
	return lines
}

type deleteArgs struct {
	ID         string `json:"id" jsonschema:"the id of the event, from agenda.list_events"`
	Scope      string `json:"scope,omitempty" jsonschema:"of an event that repeats: one (only the occurrence), following (it and all later ones) or all" enum:"one,following,all"`
	Occurrence string `json:"occurrence,omitempty" jsonschema:"the name of the occurrence, from agenda.list_events; needed for one and following"`
	Version    string `json:"version" pinned:"true"`
}

//go:embed delete_event.md
var deleteText string

func (k kit) remove() (rein.Tool, error) {
	t, err := tool.New(tool.Spec{Name: "agenda.delete_event", Text: deleteText, Effect: rein.Pure, Writes: true, Approval: true}, func(ctx context.Context, inv rein.Invocation, a deleteArgs) (rein.Done, error) {
		c, of, err := k.find(ctx, inv, a.ID, a.Scope, a.Occurrence)
		if err != nil {
			return rein.Done{}, err
		}
		if err := c.pinned(a.Version); err != nil {
			return rein.Done{}, err
		}
		left, gone, err := c.was.Wrote(inv.Run).Without(c.scope, of)
		if err != nil {
			return rein.Done{}, err
		}
		text := []string{c.say("deleted", c.before.Event.Title, c.when(c.before), c.meant())}
		return c.done(text, c.was, c.before, func(ctx context.Context, tx rein.Tx) error {
			if gone {
				return k.Book.Delete(ctx, tx, c.owner, a.Version, a.ID)
			}
			return k.Book.Replace(ctx, tx, c.owner, a.Version, left)
		})
	})
	t.Show = func(ctx context.Context, inv rein.Invocation) (rein.Shown, error) {
		var a deleteArgs
		if err := json.Unmarshal(inv.Args, &a); err != nil {
			return rein.Shown{}, err
		}
		c, of, err := k.find(ctx, inv, a.ID, a.Scope, a.Occurrence)
		if err != nil {
			return rein.Shown{}, err
		}
		_, _, err = c.was.Without(c.scope, of)
		text := ""
		if c.was.Place != "" {
			text = c.say("at", c.was.Place)
		}
		say := c.say("delete", c.before.Event.Title, c.when(c.before), c.meant())
		return rein.Shown{Say: say, Text: text, Pin: map[string]string{"version": c.was.Version()}}, err
	}
	return t, err
}
