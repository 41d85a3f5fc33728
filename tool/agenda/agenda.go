// Package agenda has the tools with which models read and change the agenda of the user of their run. What changes
// something is approved by a person, who reads one sentence in their language.
package agenda

import (
	"context"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/household/agenda"
	"rein/internal/civil"
	"rein/tool"
)

// Options are what the tools work with.
type Options struct {
	Book agenda.Book
	// Members returns the users of a household; nil: nobody knows them.
	Members func(ctx context.Context, household string) ([]string, error)
}

// Tools returns agenda.list_events, agenda.add_event, agenda.update_event, agenda.delete_event and agenda.find_free_time.
func Tools(o Options) ([]rein.Tool, error) {
	k := kit{o}
	var all []rein.Tool
	for _, made := range []func() (rein.Tool, error){k.list, k.add, k.update, k.remove, k.free} {
		t, err := made()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

// Names lists the tools.
func Names() []string {
	return []string{"agenda.add_event", "agenda.delete_event", "agenda.find_free_time", "agenda.list_events", "agenda.update_event"}
}

// Reading lists the tools that change nothing.
func Reading() []string { return []string{"agenda.find_free_time", "agenda.list_events"} }

type kit struct{ Options }

// reader is who a call is for. Nothing of it comes from the arguments.
func (k kit) reader(inv rein.Invocation) (agenda.Owner, voice, error) {
	if inv.Task == nil || inv.Task.Household == "" || inv.Task.User == "" {
		return agenda.Owner{}, voice{}, rein.Errorf(rein.CodeInvalid, "the run belongs to no user of a household, so it has no agenda")
	}
	zone, err := civil.Zone(inv.Task.Zone)
	return agenda.Owner{Household: inv.Task.Household, User: inv.Task.User}, voice{inv.Task.Language, zone, k.Book.Time().In(zone)}, err
}

// An occurrence is the data of one time that an event happens.
type occurrence struct {
	Event      string `json:"event"`
	Occurrence string `json:"occurrence,omitempty"` // of an event that repeats
	Title      string `json:"title"`
	Place      string `json:"place,omitempty"`
	Start      string `json:"start"`
	End        string `json:"end"`
	AllDay     bool   `json:"all_day,omitempty"`
	Shared     bool   `json:"shared,omitempty"`
	User       string `json:"user"`
}

func (v voice) data(o agenda.Occurrence) occurrence {
	e := o.Event
	d := occurrence{
		Event: e.ID, Title: e.Title, Place: e.Place, Start: o.Start.In(v.zone).Format(time.RFC3339), End: o.End.In(v.zone).Format(time.RFC3339),
		AllDay: e.AllDay, Shared: e.Shared, User: e.User,
	}
	if e.AllDay {
		d.Start, d.End = e.Start.Text(true), e.EndText()
	}
	if e.Repeats() {
		d.Occurrence = o.Of.Text(e.AllDay)
	}
	return d
}

// line is an occurrence in a list for a model: it has the names that other calls need.
func (v voice) line(o agenda.Occurrence, own string) string {
	e := o.Event
	text := "- " + v.span(o) + ": " + e.Title
	if e.Place != "" {
		text += " (" + e.Place + ")"
	}
	text += " [id " + e.ID
	if e.Repeats() {
		text += ", occurrence " + o.Of.Text(e.AllDay)
	}
	if e.User != own {
		text += ", " + e.User
	}
	return text + "]"
}

// between reads the times that a call names; without them it is the present and some days from it.
func (v voice) between(from, to string, days int) (start, end time.Time, err error) {
	start = v.now
	if from != "" {
		if start, err = agenda.Instant(from, v.zone); err != nil {
			return start, end, rein.Errorf(rein.CodeInvalid, "from: %w", err)
		}
	}
	end = start.AddDate(0, 0, days)
	if to != "" {
		if end, err = agenda.Instant(to, v.zone); err != nil {
			return start, end, rein.Errorf(rein.CodeInvalid, "to: %w", err)
		}
		if len(strings.TrimSpace(to)) == len(time.DateOnly) {
			end = end.AddDate(0, 0, 1) // a day is meant to its end
		}
	}
	return start, end, nil
}

type listArgs struct {
	From  string `json:"from,omitempty" jsonschema:"from when, such as 2026-11-24 or 2026-11-24T09:00; default: now"`
	To    string `json:"to,omitempty" jsonschema:"until when, the same way; a day counts to its end; default: 7 days after from"`
	Query string `json:"query,omitempty" jsonschema:"only events with this text in their title, place or notes" max:"200"`
}

//go:embed list_events.md
var listText string

// mostListed is how many events a model reads at once.
const mostListed = 100

func (k kit) list() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "agenda.list_events", Text: listText, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, a listArgs) (rein.Done, error) {
		owner, v, err := k.reader(inv)
		if err != nil {
			return rein.Done{}, err
		}
		from, to, err := v.between(a.From, a.To, 7)
		if err != nil {
			return rein.Done{}, err
		}
		all, err := k.Book.List(ctx, owner, agenda.Window{From: from, To: to, Zone: v.zone})
		if err != nil {
			return rein.Done{}, err
		}
		all = slices.DeleteFunc(all, func(o agenda.Occurrence) bool { return !has(o.Event, a.Query) })
		if len(all) > mostListed {
			return rein.Done{}, rein.Errorf(rein.CodeLimit, "there are %d events from %s to %s, and %d can be listed at once: ask for a shorter time, or for a query", len(all), from.Format(time.DateOnly), to.Format(time.DateOnly), mostListed)
		}
		return v.listed(all, from, to, owner.User)
	})
}

// has reports whether an event is about a text.
func has(e agenda.Event, query string) bool {
	query = strings.ToLower(strings.TrimSpace(query))
	return strings.Contains(strings.ToLower(e.Title+"\n"+e.Place+"\n"+e.Notes), query)
}

func (v voice) listed(all []agenda.Occurrence, from, to time.Time, own string) (rein.Done, error) {
	key := "list"
	if len(all) == 0 {
		key = "none"
	}
	lines := []string{v.say(key, v.moment(from), v.moment(to))}
	list := []occurrence{}
	for _, o := range all {
		lines, list = append(lines, v.line(o, own)), append(list, v.data(o))
	}
	data, err := json.Marshal(map[string]any{"events": list})
	return rein.Done{Text: strings.Join(lines, "\n"), Data: data}, err
}
