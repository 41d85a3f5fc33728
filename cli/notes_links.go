package cli

import (
	"context"
	"strings"

	"rein/api"
	"rein/app"
)

func notesLinksCommand() command {
	var n notesFlags
	return command{
		name: "notes links", args: "NOTE", does: "show the links of a note", least: 1, most: anyNumber,
		more:  `Shows which notes a note links to, which notes link to it, links that lead nowhere, and which other notes are related by what they say.`,
		flags: n.flags, run: n.links,
	}
}

func (n *notesFlags) links(ctx context.Context, c *call) error {
	return c.linked(ctx, func(l *app.App) error {
		if err := n.indexed(ctx, l); err != nil {
			return err
		}
		if _, err := n.sameVault(ctx, c, l); err != nil {
			return err
		}
		links, err := l.LinkedNotes(ctx, n.workspace, strings.Join(c.args, " "))
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(links)
		}
		for _, part := range []struct {
			title string
			refs  []api.Ref
		}{{"links to", links.Links}, {"linked from", links.Backlinks}, {"related", links.Related}} {
			for _, ref := range part.refs {
				c.print("%-11s  %s\n", part.title, safe(ref.Path))
			}
		}
		for _, target := range links.Missing {
			c.print("%-11s  %s\n", "no note", safe(target))
		}
		return nil
	})
}
