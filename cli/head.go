package cli

import (
	"context"
	"strings"

	"rein"
	"rein/app"
	"rein/internal/units"
)

const headHelp = `Makes a checkpoint: one hash over the ID, length and hash of every run's log, the chain of
people's records and the checkpoint before. Keep the hash somewhere else: on paper, in a mail,
on another machine. rein audit verify --head HASH then proves that each of these is still there.
rein serve makes a checkpoint every day.`

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

// givenHead reads --head: the hash, or the whole line that was printed with it.
func (c *call) givenHead() (head rein.Hash, err error) {
	fields := strings.Fields(c.head)
	if len(fields) == 0 || head.UnmarshalText([]byte(fields[0])) != nil {
		return head, usagef("--head %.80q is not a head: give the 64 hex digits that rein audit head printed", c.head)
	}
	if len(c.args) > 0 {
		return head, usagef("--head is about everything: name no runs")
	}
	return head, nil
}

// A headVerdict is what was found of what a checkpoint covers.
type headVerdict struct {
	rein.Checkpoint
	Wrong []string `json:"wrong,omitempty"`
}

// auditHead proves that what a checkpoint covers is still there.
func (c *call) auditHead(ctx context.Context, s *app.Data, head rein.Hash, sum *app.Tally) error {
	of, found, err := s.VerifyHead(ctx, head)
	if rein.CodeOf(err) == rein.CodeNotFound {
		of, err = rein.Checkpoint{Head: head}, nil
		found = []string{
			"there is no checkpoint with this head: it belongs to another store, or is",
			"newer than this copy of the store, or somebody took checkpoints out",
		}
	}
	if err != nil {
		return err
	}
	if len(found) > 0 {
		sum.Wrong++
	}
	if c.json {
		return c.printJSON(headVerdict{of, found})
	}
	c.printHead(headVerdict{of, found})
	return nil
}

func (c *call) printHead(v headVerdict) {
	switch {
	case len(v.Wrong) == 0:
		c.print("ok     head %s of %s: all is there\n       (%s)\n", shortHash(v.Head), units.When(v.Made), covers(v.Checkpoint))
	case v.N == 0:
		c.print("wrong  head %s\n", shortHash(v.Head))
	default:
		c.print("wrong  head %s of %s: not all is there\n", shortHash(v.Head), units.When(v.Made))
	}
	for _, what := range v.Wrong {
		c.print("       %s\n", safe(what))
	}
}
