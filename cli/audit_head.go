package cli

import (
	"context"

	"rein"
	"rein/app"
	"rein/internal/units"
)

func auditHeadCommand() command {
	return command{
		name: "audit head", does: "make a checkpoint, and print its hash",
		more:  `Makes a checkpoint: one hash over the ID, length and hash of every run's log, the record of changes to people, and the checkpoint before. Keep the hash somewhere else: on paper, in a mail, on another machine. rein audit verify --head HASH then proves that each of these is still there. rein serve makes a checkpoint every day.`,
		flags: lookFlags, run: runHead,
	}
}

func runHead(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *app.App) error {
		made, err := l.NewHead(ctx)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(made)
		}
		c.print("%s\n", made.Head)
		c.note("Covers %s. Keep it somewhere else;\n`rein audit verify --head HASH` proves that all of this is still there.", covers(made))
		return nil
	})
}

func covers(c rein.Checkpoint) string {
	entries := units.Count(c.People, "entry")
	if c.People != 1 {
		entries = units.Number(c.People) + " entries"
	}
	return units.Count(c.Runs, "run") + " and " + entries + " about people"
}
