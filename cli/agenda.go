package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"rein/api"
	"rein/app"
)

// maybe is a flag whose value matters even if it is empty.
func maybe(to **string, spec, does string) flagDef {
	name, value, _ := strings.Cut(spec, " ")
	return flagDef{name: name, value: value, does: does, set: func(s string) error {
		*to = &s
		return nil
	}}
}

// maybeOn is a flag that stands alone, or says false.
func maybeOn(to **bool, name, does string) flagDef {
	return flagDef{name: name, does: does, set: func(s string) error {
		is, err := strconv.ParseBool(s)
		if err != nil {
			return fmt.Errorf("it is true or false, and --%s alone is true", name)
		}
		*to = &is
		return nil
	}}
}

// agendaWindow are the flags that say which days are meant.
type agendaWindow struct{ from, to string }

func (w *agendaWindow) flags(days string) []flagDef {
	return []flagDef{
		text(&w.from, "from TIME", "from when, such as 2026-11-24 or 2026-11-24T09:00; default: now"),
		text(&w.to, "to TIME", "until when, the same way; a day counts to its end; default: "+days+" later"),
	}
}

func agendaCommand() command {
	var w agendaWindow
	return command{
		name: "agenda", does: "show what is in your agenda",
		more:  `Shows what happens in the next 7 days, or between --from and --to: your events, and those that others in your household share. An EVENT is named by its ID. Of an event that repeats, --occurrence names one time of it by its start.`,
		flags: func(c *call) []flagDef { return append(w.flags("7 days"), lookFlags(c)...) }, run: w.run,
	}
}

func (w *agendaWindow) run(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		found, err := l.Agenda(ctx, w.from, w.to)
		if err != nil {
			return err
		}
		rows := [][]string{{"WHEN", "ID", "EVENT"}}
		zone, _ := time.LoadLocation(found.Zone)
		for _, o := range found.Occurrences {
			if c.json {
				if err := c.printJSON(o); err != nil {
					return err
				}
				continue
			}
			rows = append(rows, []string{occurrenceSpan(o, zone), o.Event, occurrenceText(o)})
		}
		switch {
		case c.json:
		case len(found.Occurrences) == 0:
			c.print("nothing is in the agenda then; %s adds an event\n", c.tip("agenda add TITLE --start TIME"))
		default:
			c.columns(rows)
		}
		return nil
	})
}

// occurrenceSpan is when an occurrence is, on a clock of the zone.
func occurrenceSpan(o api.AgendaOccurrence, zone *time.Location) string {
	if zone == nil {
		zone = time.UTC
	}
	start, end := o.Start.In(zone), o.End.In(zone)
	if o.AllDay {
		if last := end.AddDate(0, 0, -1); last.After(start) {
			return start.Format("Mon 2006-01-02") + " to " + last.Format("01-02")
		}
		return start.Format("Mon 2006-01-02")
	}
	text := start.Format("Mon 2006-01-02 15:04")
	switch {
	case !end.After(start):
	case start.Format(time.DateOnly) == end.Format(time.DateOnly):
		text += end.Format("-15:04")
	default:
		text += end.Format(" to 01-02 15:04")
	}
	return text
}

func occurrenceText(o api.AgendaOccurrence) string {
	text := o.Title
	if o.Place != "" {
		text += " (" + o.Place + ")"
	}
	var marks []string
	if o.Repeats {
		marks = append(marks, "repeats")
	}
	if o.Shared {
		marks = append(marks, "shared by "+o.User)
	}
	if len(marks) > 0 {
		text += " [" + strings.Join(marks, ", ") + "]"
	}
	return text
}

func agendaShowCommand() command {
	return command{
		name: "agenda show", args: "EVENT", does: "show an event", least: 1, most: 1,
		more:  `Shows everything about an event: how it repeats, its exceptions and its alarms.`,
		flags: lookFlags, run: func(ctx context.Context, c *call) error {
			return c.linked(ctx, func(l *app.App) error {
				e, err := l.AgendaEvent(ctx, c.args[0])
				if err != nil {
					return err
				}
				return c.printEvent(e)
			})
		},
	}
}

// printEvent shows an event, a line for each thing.
func (c *call) printEvent(e api.AgendaEvent) error {
	if c.json {
		return c.printJSON(e)
	}
	var alarms []string
	for _, m := range e.Alarms {
		alarms = append(alarms, fmt.Sprintf("%d minutes before", m))
	}
	shared := "no"
	if e.Shared {
		shared = "yes"
	}
	var rows [][]string
	for _, row := range [][]string{
		{"event", e.ID},
		{"title", e.Title},
		{"start", e.Start},
		{"end", e.End},
		{"zone", e.Zone},
		{"place", e.Place},
		{"notes", e.Notes},
		{"repeats", e.Rule},
		{"also on", strings.Join(e.Dates, ", ")},
		{"not on", strings.Join(e.Skips, ", ")},
		{"alarms", strings.Join(alarms, ", ")},
		{"shared", shared},
		{"user", e.User},
	} {
		if row[1] != "" {
			rows = append(rows, row)
		}
	}
	for _, o := range e.Changes {
		rows = append(rows, []string{"changed", o.Occurrence + " is " + o.Start + " to " + o.End + ": " + o.Title})
	}
	c.advice(rows)
	return nil
}

// written shows an event that was made or changed, and what people should know of it.
func (c *call) written(does string, w api.WrittenAgendaEvent) error {
	if c.json {
		return c.printJSON(w)
	}
	e := w.Event
	if w.Next != nil {
		e = *w.Next
	}
	c.print("%s: %s, %s (%s)\n", does, safe(e.Title), safe(e.Start), safe(e.ID))
	for _, conflict := range w.Conflicts {
		zone, _ := time.LoadLocation(e.Zone)
		c.note("at the same time: %s, %s", safe(conflict.Other.Title), occurrenceSpan(conflict.Other, zone))
	}
	for _, remark := range w.Remarks {
		c.note("%s", safe(remark))
	}
	return nil
}

// agendaFlags are the flags that say what an event is.
type agendaFlags struct {
	edit   api.AgendaEventEdit
	alarms []string
	length string
}

func (f *agendaFlags) flags(start string) []flagDef {
	return []flagDef{
		maybe(&f.edit.Start, "start TIME", start),
		maybe(&f.edit.End, "end TIME", "when it ends; of an event that lasts all day, its last day"),
		text(&f.length, "minutes N", "how long it lasts, in place of an end"),
		maybe(&f.edit.Place, "place TEXT", "where it is"),
		maybe(&f.edit.Notes, "notes TEXT", "what else is worth knowing"),
		maybe(&f.edit.Rule, "repeat RULE", "how it repeats, as RRULE, such as FREQ=WEEKLY;BYDAY=TU"),
		each(&f.alarms, "alarm N", "a message N minutes before the start"),
		maybe(&f.edit.Zone, "zone NAME", "the time zone of its times; default: yours"),
		maybeOn(&f.edit.Shared, "shared", "let your household see it"),
		maybeOn(&f.edit.Free, "free", "it takes no time: nothing conflicts with it"),
	}
}

// read turns the texts of flags into numbers.
func (f *agendaFlags) read() error {
	if f.length != "" {
		n, err := strconv.Atoi(f.length)
		if err != nil {
			return usagef("--minutes %q is not a number", f.length)
		}
		f.edit.Minutes = &n
	}
	if len(f.alarms) == 0 {
		return nil
	}
	minutes := []int{}
	for _, text := range f.alarms {
		n, err := strconv.Atoi(text)
		if err != nil && text != "none" {
			return usagef("--alarm %q is not a number of minutes, nor none", text)
		}
		if text != "none" {
			minutes = append(minutes, n)
		}
	}
	f.edit.Alarms = &minutes
	return nil
}

func agendaAddCommand() command {
	var f agendaFlags
	return command{
		name: "agenda add", args: "TITLE", does: "add an event to your agenda", least: 1, most: 1,
		more: `TIME is a time on the clock, such as 2026-11-24T09:00, or a day such as 2026-11-24 for all of it. An event lasts an hour unless --end or --minutes says otherwise. A time that the clocks jump over means the first moment after the jump.`,
		flags: func(c *call) []flagDef {
			return append(f.flags("when it begins; it is required"), lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			if err := f.read(); err != nil {
				return err
			}
			e := api.NewAgendaEvent{Title: c.args[0], Free: f.edit.Free, Key: onceKey()}
			for _, set := range []struct{ to, value *string }{{&e.Start, f.edit.Start}, {&e.End, f.edit.End}, {&e.Place, f.edit.Place}, {&e.Notes, f.edit.Notes}, {&e.Rule, f.edit.Rule}, {&e.Zone, f.edit.Zone}} {
				if set.value != nil {
					*set.to = *set.value
				}
			}
			if f.edit.Minutes != nil {
				e.Minutes = *f.edit.Minutes
			}
			if f.edit.Alarms != nil {
				e.Alarms = *f.edit.Alarms
			}
			e.Shared = f.edit.Shared != nil && *f.edit.Shared
			return c.linked(ctx, func(l *app.App) error {
				w, err := l.AddAgendaEvent(ctx, e)
				if err != nil {
					return err
				}
				return c.written("added", w)
			})
		},
	}
}

// whichFlags say which occurrences are meant.
func whichFlags(scope, occurrence *string) []flagDef {
	return []flagDef{
		text(scope, "scope WHICH", "of an event that repeats: one, following (it and all later ones) or all"),
		text(occurrence, "occurrence TIME", "which one is meant, by its start; needed for one and following"),
	}
}

func agendaChangeCommand() command {
	var f agendaFlags
	return command{
		name: "agenda change", args: "EVENT", does: "change an event", least: 1, most: 1,
		more: `What no flag names stays. With --scope all or following, the other times move as far as the named one. An empty --place, --notes or --repeat removes it, and --alarm none all alarms.`,
		flags: func(c *call) []flagDef {
			own := append([]flagDef{maybe(&f.edit.Title, "title TEXT", "the new title")}, f.flags("when it begins now; it stays as long as it was")...)
			return append(append(own, whichFlags(&f.edit.Scope, &f.edit.Occurrence)...), lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			if err := f.read(); err != nil {
				return err
			}
			return c.linked(ctx, func(l *app.App) error {
				w, err := l.ChangeAgendaEvent(ctx, c.args[0], f.edit)
				if err != nil {
					return err
				}
				return c.written("changed", w)
			})
		},
	}
}

func agendaRemoveCommand() command {
	var scope, occurrence string
	return command{
		name: "agenda remove", args: "EVENT", does: "delete an event", least: 1, most: 1,
		more:  `Deletes an event of yours, or with --scope some occurrences of one that repeats. Nothing brings it back.`,
		flags: func(c *call) []flagDef { return append(whichFlags(&scope, &occurrence), lookFlags(c)...) },
		run: func(ctx context.Context, c *call) error {
			return c.linked(ctx, func(l *app.App) error {
				e, err := l.AgendaEvent(ctx, c.args[0])
				if err == nil {
					err = l.DeleteAgendaEvent(ctx, c.args[0], scope, occurrence, e.Version)
				}
				if err != nil {
					return err
				}
				if c.json {
					return c.printJSON(e)
				}
				c.print("deleted: %s\n", safe(e.Title))
				return nil
			})
		},
	}
}
