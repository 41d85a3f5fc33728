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
	"rein/tool"
)

type freeArgs struct {
	Minutes  int      `json:"minutes" jsonschema:"how long it must be" min:"1" max:"1440"`
	From     string   `json:"from,omitempty" jsonschema:"from when, such as 2026-11-24; default: now"`
	To       string   `json:"to,omitempty" jsonschema:"until when, the same way; a day counts to its end; default: 14 days after from"`
	DayStart string   `json:"day_start,omitempty" jsonschema:"the earliest time of a day, such as 09:00" default:"09:00"`
	DayEnd   string   `json:"day_end,omitempty" jsonschema:"the latest time of a day, such as 17:30" default:"18:00"`
	Days     []string `json:"days,omitempty" jsonschema:"the days of the week on which it can be; default: all" enum:"mo,tu,we,th,fr,sa,su" max:"7"`
	With     []string `json:"with,omitempty" jsonschema:"names of others in the household who must be free too, as far as they share their events; default: what anyone shares counts" max:"20"`
}

//go:embed find_free_time.md
var freeText string

func (k kit) free() (rein.Tool, error) {
	return tool.New(tool.Spec{Name: "agenda.find_free_time", Text: freeText, Effect: rein.Pure}, func(ctx context.Context, inv rein.Invocation, a freeArgs) (rein.Done, error) {
		owner, v, err := k.reader(inv)
		if err != nil {
			return rein.Done{}, err
		}
		if err := k.known(ctx, owner.Household, a.With); err != nil {
			return rein.Done{}, err
		}
		s := agenda.Search{Window: agenda.Window{Zone: v.zone, With: a.With}, Length: time.Duration(a.Minutes) * time.Minute}
		if s.From, s.To, err = v.between(a.From, a.To, 14); err != nil {
			return rein.Done{}, err
		}
		s.From = later(s.From, v.now.Truncate(time.Minute))
		if s.DayStart, err = agenda.ParseClock(a.DayStart); err != nil {
			return rein.Done{}, rein.Errorf(rein.CodeInvalid, "day_start: %w", err)
		}
		if s.DayEnd, err = agenda.ParseClock(a.DayEnd); err != nil {
			return rein.Done{}, rein.Errorf(rein.CodeInvalid, "day_end: %w", err)
		}
		for _, name := range a.Days {
			s.Days = append(s.Days, weekdays[strings.ToUpper(name)])
		}
		found, err := k.Book.Free(ctx, owner, s)
		if err != nil {
			return rein.Done{}, err
		}
		return v.slots(found, s, len(a.With) > 0)
	})
}

func later(a, b time.Time) time.Time {
	if a.Before(b) {
		return b
	}
	return a
}

// known refuses names that nobody in the household has: whoever is not there would be free all the time.
func (k kit) known(ctx context.Context, household string, names []string) error {
	if len(names) == 0 || k.Members == nil {
		return nil
	}
	members, err := k.Members(ctx, household)
	if err != nil {
		return err
	}
	for _, name := range names {
		if !slices.Contains(members, name) {
			return rein.Errorf(rein.CodeInvalid, "with: there is no %.60q in the household; available: %s", name, strings.Join(members, ", "))
		}
	}
	return nil
}

type slot struct {
	Start string `json:"start"`
	End   string `json:"end"`
}

func (v voice) slots(found []agenda.Slot, s agenda.Search, others bool) (rein.Done, error) {
	length, list := v.length(s.Length), []slot{}
	lines := []string{v.say("free time", length)}
	if len(found) == 0 {
		lines = []string{v.say("no free", length, v.moment(s.From), v.moment(s.To))}
	}
	for _, f := range found {
		lines = append(lines, "- "+v.moment(f.Start)+"–"+f.End.In(v.zone).Format("15:04"))
		list = append(list, slot{f.Start.In(v.zone).Format(time.RFC3339), f.End.In(v.zone).Format(time.RFC3339)})
	}
	if others {
		lines = append(lines, v.say("only shared"))
	}
	data, err := json.Marshal(map[string]any{"free": list})
	return rein.Done{Text: strings.Join(lines, "\n"), Data: data}, err
}
