package cli

import (
	"context"

	"rein/api"
	"rein/app"
	"rein/internal/units"
)

func notesHistoryCommand() command {
	var n notesListFlags
	return command{
		name: "notes history", does: "list the commits to your notes",
		more: `Lists what was committed, the newest first: when, by whom, by which run, and the ID that rein notes undo takes. Commits are kept for 90 days.`,
		flags: func(c *call) []flagDef {
			return append([]flagDef{on(&n.all, "all", "list all commits, not only the newest")}, n.notesFlags.flags(c)...)
		},
		run: n.history,
	}
}

func (n *notesListFlags) history(ctx context.Context, c *call) error {
	return c.nothing(c.linkedTo(ctx, func(l *app.App) error {
		if _, err := n.sameVault(ctx, c, l); err != nil {
			return err
		}
		count := 0
		for before := ""; ; {
			page, err := l.NoteCommits(ctx, n.workspace, before)
			if err != nil {
				return err
			}
			for _, done := range page.Commits {
				count++
				if err := c.printCommit(done); err != nil {
					return err
				}
			}
			switch before = page.Next; {
			case before != "" && n.all:
				continue
			case before != "" && !c.json:
				c.note("there are more: --all lists them")
			case count == 0 && !c.json:
				c.print("there are no commits\n")
			}
			return nil
		}
	}))
}

func (c *call) printCommit(done api.NoteCommit) error {
	if c.json {
		return c.printJSON(done)
	}
	line := units.When(done.At) + "  " + safe(done.ID) + "  by " + safe(done.By)
	if done.Run != "" {
		line += ", run " + safe(string(done.Run))
	}
	if done.Undoes != "" {
		line += ", undid " + safe(done.Undoes)
	}
	if done.UndoneBy != "" {
		line += ", undone by " + safe(done.UndoneBy)
	}
	c.print("%s\n", line)
	for _, n := range done.Notes {
		c.print("%s\n", writtenLine(n))
	}
	return nil
}
