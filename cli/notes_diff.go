package cli

import (
	"context"
	"fmt"

	"rein"
	"rein/app"
)

func notesDiffCommand() command {
	var n sessionFlags
	return command{
		name: "notes diff", args: "[COMMIT]", does: "show staged changes, or those of a commit", most: 1,
		more:  `Shows all that a session has staged as unified diffs; with COMMIT, what that commit changed. Characters that cannot be seen are written as their numbers.`,
		flags: n.flags, run: n.diff,
	}
}

func (n *sessionFlags) diff(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		if len(c.args) == 1 {
			if _, err := n.sameVault(ctx, c, l); err != nil {
				return err
			}
			done, err := l.NoteCommit(ctx, n.workspace, c.args[0])
			if err != nil {
				return c.noCommit(err)
			}
			return c.printDiff(done, done.Diff)
		}
		staged, err := n.stagedIn(ctx, l)
		if err != nil {
			return err
		}
		return c.printDiff(staged, staged.Diff)
	})
}

func (c *call) printDiff(value any, diff string) error {
	if c.json {
		return c.printJSON(value)
	}
	c.verbatim(safeLines(diff))
	return nil
}

func (c *call) noCommit(err error) error {
	if rein.CodeOf(err) == rein.CodeNotFound {
		return fmt.Errorf("%w: %s lists the commits", err, c.tip("notes history"))
	}
	return err
}
