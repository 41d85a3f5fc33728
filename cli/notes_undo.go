package cli

import (
	"context"

	"rein"
	"rein/app"
)

// undoFlags are the flags of rein notes undo alone.
type undoFlags struct {
	notesFlags
	agreeFlags
}

func notesUndoCommand() command {
	var n undoFlags
	return command{
		name: "notes undo", args: "COMMIT", does: "undo a commit", least: 1, most: 1,
		more:  `Undoes a commit, if its notes are still as it left them. It shows what that changes and asks, as rein notes commit does.`,
		flags: func(c *call) []flagDef { return append(n.agreeFlags.flags(), n.notesFlags.flags(c)...) }, run: n.run,
	}
}

func (n *undoFlags) run(ctx context.Context, c *call) error {
	key, shown, id := newKey(), "", c.args[0] // the same if it must be sent again
	return c.linkedTo(ctx, func(l *app.App) error {
		if _, err := n.sameVault(ctx, c, l); err != nil {
			return err
		}
		if shown == "" {
			found, err := l.NoteCommit(ctx, n.workspace, id)
			if err != nil {
				return c.noCommit(err)
			}
			if found.Shown == "" {
				return rein.Errorf(rein.CodeConflict, "commit %s was undone before, by %s", found.ID, found.UndoneBy)
			}
			shown, err = n.agree(ctx, c, agreement{
				question: "Undo this commit?", diff: found.Undo, shown: found.Shown, value: found,
				command: "notes undo " + id + after(" --workspace ", n.workspace),
			})
			if err != nil || shown == "" {
				return c.unwritten(err)
			}
		}
		done, err := l.UndoNotes(ctx, n.workspace, id, shown, key)
		if err != nil {
			return err
		}
		return c.committed("undid "+id+" with", n.workspace, done)
	})
}
