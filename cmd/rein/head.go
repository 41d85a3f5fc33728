package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/store"
)

const headHelp = `Makes a checkpoint: one hash over the ID, length and hash of every run's log, the chain of
people's records and the checkpoint before. Keep the line that it prints somewhere else: on
paper, in a mail, on another machine. rein audit verify --head HASH then proves that each of
these is still there. rein serve makes one every day.`

func runHead(ctx context.Context, c *call) error {
	return c.linkedTo(ctx, func(l *link) error {
		made, err := l.NewHead(ctx)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(made)
		}
		c.print("%s  %s\n", made.Head, describeHead(made))
		return nil
	})
}

func describeHead(c store.Checkpoint) string {
	return fmt.Sprintf("%s, %s, %s about people", c.Made.Format(time.RFC3339), count(c.Runs, "run"), plural(c.People, "entry", "entries"))
}

func plural(n int64, one, many string) string {
	if n == 1 {
		return number(n) + " " + one
	}
	return number(n) + " " + many
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

// auditHead proves that what a checkpoint covers is still there.
func (c *call) auditHead(ctx context.Context, s *data, head rein.Hash) error {
	of, found, err := s.VerifyHead(ctx, head)
	if err != nil {
		return err
	}
	if err := c.printFaults("head", found); err != nil {
		return err
	}
	if len(found) > 0 {
		return errWrong
	}
	if !c.json {
		c.print("head %s: all is there that it covers (%s)\n", head, describeHead(of))
	}
	return nil
}

// checkHead says when the last checkpoint was made.
func (d *doctor) checkHead(ctx context.Context, s store.Store) error {
	last, err := s.LastCheckpoint(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		d.find(wrong, "checkpoint", "restore a backup", "%v", err)
	case last.N == 0:
		d.find(fine, "checkpoint", "", "none was made yet; %s makes one, and rein serve does every day", d.tip("audit head"))
	default:
		d.find(fine, "checkpoint", "", "the last was made %s", when(last.Made))
	}
	return nil
}
