package cli

import (
	"context"

	"rein/api"
	"rein/app"
)

func notesDiscardCommand() command {
	var n sessionFlags
	return command{
		name: "notes discard", args: "[NOTE ...]", does: "discard staged changes", most: anyNumber,
		more:  `Discards the staged changes of each NOTE, or all that a session has staged. Your notes stay as they are.`,
		flags: n.flags, run: n.discard,
	}
}

func (n *sessionFlags) discard(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		staged, err := n.stagedIn(ctx, l)
		if err != nil {
			return err
		}
		gone, err := l.DiscardNotes(ctx, staged.Session, c.args)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(api.Discarded{Discarded: gone})
		}
		for _, path := range gone {
			c.print("discarded %s\n", safe(path))
		}
		return nil
	})
}
