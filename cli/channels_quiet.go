package cli

import (
	"context"
	"strings"

	"rein/api"
	"rein/app"
)

// quietFlags are the flags of rein channels quiet alone.
type quietFlags struct {
	off            bool
	zone, language string
}

func channelsQuietCommand() command {
	var f quietFlags
	return command{
		name: "channels quiet", args: "[HOURS]...", does: "show or set the hours in which messages wait", most: anyNumber,
		more: `HOURS is FROM-TO, as in 22:00-07:00, or DAYS:FROM-TO for the days that you name, as in saturday,sunday:22:00-09:00. They end on the next day if TO is not after FROM. What is given replaces what was set. Without anything the present settings are shown.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{
				on(&f.off, "off", "have no quiet hours"),
				text(&f.zone, "zone NAME", "the time zone of the hours, such as Europe/Amsterdam; by default that of the settings"),
				text(&f.language, "language TAG", "the language of what rein adds to a message, such as nl; by default that of the settings"),
			}, lookFlags(c)...)
		}, run: f.run,
	}
}

func (f *quietFlags) run(ctx context.Context, c *call) error {
	if len(c.args) == 0 && !f.off && f.zone == "" && f.language == "" {
		return f.show(ctx, c)
	}
	if f.off && len(c.args) > 0 {
		return usagef("--off and hours exclude each other: leave out one of them")
	}
	var hours []api.QuietHours
	for _, arg := range c.args {
		q, err := readQuiet(arg)
		if err != nil {
			return err
		}
		hours = append(hours, q)
	}
	return c.linkedTo(ctx, func(l *app.App) error {
		p, err := l.MessagePreferences(ctx)
		if err != nil {
			return err
		}
		if f.off || hours != nil {
			p.Quiet = append([]api.QuietHours{}, hours...)
		}
		if f.zone != "" {
			p.Zone = f.zone
		}
		if f.language != "" {
			p.Language = f.language
		}
		if p, err = l.SetMessagePreferences(ctx, p); err != nil {
			return err
		}
		return c.printQuiet(p)
	})
}

func (f *quietFlags) show(ctx context.Context, c *call) error {
	v, err := c.setup().Look(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer v.Close()
	p, err := v.MessagePreferences(ctx)
	if err != nil {
		return err
	}
	return c.printQuiet(p)
}

func (c *call) printQuiet(p api.MessagePreferences) error {
	if c.json {
		return c.printJSON(p)
	}
	if len(p.Quiet) == 0 {
		c.print("there are no quiet hours: messages come at any time\n")
	}
	for _, q := range p.Quiet {
		on := "every day"
		if len(q.Days) > 0 {
			on = strings.Join(q.Days, ", ")
		}
		c.print("quiet from %s to %s, %s\n", safe(q.From), safe(q.To), safe(on))
	}
	if p.Zone != "" {
		c.print("time zone: %s\n", safe(p.Zone))
	}
	if p.Language != "" {
		c.print("language: %s\n", safe(p.Language))
	}
	return nil
}

// readQuiet reads hours as they are typed.
func readQuiet(arg string) (api.QuietHours, error) {
	var q api.QuietHours
	hours := arg
	if days, rest, ok := strings.Cut(arg, ":"); ok && strings.ContainsAny(days, "abcdefghijklmnopqrstuvwxyz") {
		q.Days, hours = strings.Split(days, ","), rest
	}
	from, to, ok := strings.Cut(hours, "-")
	if !ok {
		return q, usagef("%q is not hours: write them as 22:00-07:00, or saturday,sunday:22:00-09:00", arg)
	}
	q.From, q.To = from, to
	return q, nil
}
