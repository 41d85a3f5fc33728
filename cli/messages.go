package cli

import (
	"context"
	"strings"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/internal/visible"
)

// messagesFlags are the flags of rein messages alone.
type messagesFlags struct {
	unread, seen bool
	limit        int
}

func messagesCommand() command {
	var f messagesFlags
	return command{
		name: "messages", does: "list what rein told you: reminders, alarms, notices, questions",
		more: `Lists your messages, the newest first, with what happened to each in your channels. --seen marks all of them as read. rein channels shows where messages go.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{
				on(&f.unread, "unread", "only messages that you have not read"),
				on(&f.seen, "seen", "mark all messages as read"),
				number(&f.limit, "limit N", "how many at most, by default 100"),
			}, lookFlags(c)...)
		}, run: f.run,
	}
}

func (f *messagesFlags) run(ctx context.Context, c *call) error {
	if f.seen {
		return c.linkedTo(ctx, func(l *app.App) error {
			if err := l.SeeMessages(ctx); err != nil {
				return err
			}
			if c.json {
				return c.printJSON(map[string]bool{"seen": true})
			}
			c.print("all messages are marked as read\n")
			return nil
		})
	}
	v, err := c.setup().Look(ctx)
	if err != nil {
		return c.nothing(err)
	}
	defer v.Close()
	list, err := v.Messages(ctx, api.MessageQuery{Unread: f.unread, Limit: f.limit})
	if err != nil {
		return err
	}
	return c.listMessages(list)
}

func (c *call) listMessages(list api.Messages) error {
	rows := [][]string{{"WHEN", "KIND", "READ", "SENT", "TEXT"}}
	for _, m := range list.Messages {
		if c.json {
			if err := c.printJSON(m); err != nil {
				return err
			}
			continue
		}
		read := "no"
		if !m.Seen.IsZero() {
			read = "yes"
		}
		rows = append(rows, []string{units.Day(m.At), m.Kind, read, sentWords(m.Sent), visible.Line(m.Text)})
	}
	switch {
	case c.json:
	case len(list.Messages) == 0:
		c.print("there are no messages; %s shows where they would go\n", c.tip("channels"))
	default:
		c.advice(rows)
	}
	return nil
}

// sentWords says what became of a message in its reader's channels.
func sentWords(sent []api.Sent) string {
	counts := map[rein.DeliveryState]int{}
	for _, s := range sent {
		counts[s.State]++
	}
	var all []string
	for _, state := range []rein.DeliveryState{rein.Delivered, rein.DeliveryWaiting, rein.DeliveryDropped, rein.DeliveryGivenUp} {
		if n := counts[state]; n > 0 {
			all = append(all, units.Number(int64(n))+" "+string(state))
		}
	}
	return strings.Join(all, ", ")
}
