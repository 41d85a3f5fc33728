package cli

import (
	"context"
	"fmt"
	"io"
	"os"

	"rein"
	"rein/api"
	"rein/app"
)

func agendaFreeCommand() command {
	var w agendaWindow
	q := api.AgendaFreeQuery{Minutes: 60}
	return command{
		name: "agenda free", does: "find free time",
		more: `Finds times at which nothing is in your agenda. Of others in the household only the events count that they share.`,
		flags: func(c *call) []flagDef {
			own := append([]flagDef{number(&q.Minutes, "minutes N", "how long it must be; default: 60")}, w.flags("7 days")...)
			return append(append(own,
				text(&q.DayStart, "day-start TIME", "the earliest time of a day; default: 09:00"),
				text(&q.DayEnd, "day-end TIME", "the latest time of a day; default: 18:00"),
				list(&q.Days, "days DAYS", "the days on which it can be, such as mo,tu; default: all"),
				list(&q.With, "with NAMES", "members of the household who must be free too; default: what anyone shares counts"),
				number(&q.Limit, "limit N", "how many times at most; default: 5"),
			), lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			q.From, q.To = w.from, w.to
			return c.linked(ctx, func(l *app.App) error {
				found, err := l.FreeTime(ctx, q)
				if err != nil {
					return err
				}
				if len(found) == 0 && !c.json {
					c.print("no free time was found\n")
				}
				for _, f := range found {
					if c.json {
						if err := c.printJSON(f); err != nil {
							return err
						}
						continue
					}
					c.print("%s to %s\n", f.Start.Format("Mon 2006-01-02 15:04"), f.End.Format("15:04"))
				}
				return nil
			})
		},
	}
}

func agendaImportCommand() command {
	return command{
		name: "agenda import", args: "FILE", does: "add the events of an iCalendar file", least: 1, most: 1,
		more:  `Reads a file that Google, Outlook, Apple or another program exported; - is the standard input. Events that are in your agenda already, by their UID, are updated, so the same file can be imported again. What cannot be read is left out, and the reason is shown.`,
		flags: lookFlags, run: runAgendaImport,
	}
}

func runAgendaImport(ctx context.Context, c *call) error {
	in := c.stdin
	if name := c.args[0]; name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return usagef("the file cannot be read: %v", err)
		}
		defer file.Close()
		in = file
	}
	if in == nil {
		return usagef("there is no standard input to read the file from")
	}
	data, err := io.ReadAll(io.LimitReader(in, maxCalendar+1))
	if err != nil {
		return fmt.Errorf("read %s: %w", c.args[0], err)
	}
	return c.linked(ctx, func(l *app.App) error {
		done, err := l.ImportAgenda(ctx, data)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(done)
		}
		c.print("%d added, %d updated, %d unchanged, %d left out\n", done.Added, done.Updated, done.Unchanged, len(done.Skipped))
		for _, s := range done.Skipped {
			c.note("%s: %s", short(s.Title, 60), safe(s.Why))
		}
		for _, remark := range done.Remarks {
			c.note("%s", safe(remark))
		}
		return nil
	})
}

// maxCalendar is more than a server reads: it says so.
const maxCalendar = 10 << 20

func agendaExportCommand() command {
	var force bool
	return command{
		name: "agenda export", args: "[FILE]", does: "write your events as an iCalendar file", most: 1,
		more: `Writes all your own events to FILE, or to the standard output. Google, Outlook and Apple read it.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{on(&force, "force", "replace FILE if it exists")}, placeFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			if len(c.args) == 1 && !force {
				if err := vacant(c.args[0]); err != nil {
					return err
				}
			}
			return c.linked(ctx, func(l *app.App) error {
				data, err := l.ExportAgenda(ctx)
				if err != nil {
					return err
				}
				if len(c.args) == 0 {
					_, err := c.out.Stdout.Write(data)
					return err
				}
				return writeWhole(c.args[0], force, func(w io.Writer) error {
					_, err := w.Write(data)
					return err
				})
			})
		},
	}
}

func agendaFeedCommand() command {
	var again, end bool
	return command{
		name: "agenda feed", does: "let another program read your agenda at a secret address",
		more: `Shows since when there is an address, or creates one with --new and shows it once. Whoever has the address reads your events, and those that your household shares, without logging in: give it to your own programs only. --end revokes it.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{on(&again, "new", "create an address; the one before stops working"), on(&end, "end", "revoke the address")}, lookFlags(c)...)
		},
		run: func(ctx context.Context, c *call) error {
			if again && end {
				return usagef("--new and --end say the opposite: give one of them")
			}
			return c.linked(ctx, func(l *app.App) error { return c.agendaFeed(ctx, l, again, end) })
		},
	}
}

func (c *call) agendaFeed(ctx context.Context, l *app.App, again, end bool) error {
	if end {
		if err := l.EndAgendaFeed(ctx); err != nil {
			return err
		}
		c.print("no address shows your agenda any more\n")
		return nil
	}
	show := l.AgendaFeed
	if again {
		show = l.NewAgendaFeed
	}
	f, err := show(ctx)
	switch {
	case rein.CodeOf(err) == rein.CodeNotFound && !c.json:
		c.print("no address shows your agenda to other programs; %s creates one\n", c.tip("agenda feed --new"))
		return nil
	case err != nil:
		return err
	case c.json:
		return c.printJSON(f)
	case f.URL != "":
		c.print("%s\n", safe(f.URL))
	case f.Path != "":
		c.print("%s\n", safe(f.Path))
		c.note("this is the path at the address of rein serve, which does not run")
	default:
		c.print("an address shows your agenda since %s; %s replaces it\n", f.Created.Local().Format("2006-01-02"), c.tip("agenda feed --new"))
	}
	return nil
}
