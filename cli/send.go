package cli

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

// endFlags are the flags of the commands that end or pause a run.
type endFlags struct {
	kind   rein.CommandKind
	reason string
}

func (e *endFlags) flags(c *call) []flagDef {
	return append([]flagDef{text(&e.reason, "reason TEXT", "say why, in the log")}, lookFlags(c)...)
}

// endCommand returns a command that ends a run.
func endCommand(kind rein.CommandKind, does, more string) command {
	e := &endFlags{kind: kind}
	return command{name: string(kind), args: "RUN", does: does, more: more, least: 1, most: 1, flags: e.flags, run: e.run}
}

// run sends a command that ends a run, and waits until it has.
func (e *endFlags) run(ctx context.Context, c *call) error {
	key := newKey()
	return c.linkedTo(ctx, func(l *app.App) error {
		id, err := c.theRun(ctx, l, c.args[0])
		if err != nil {
			return err
		}
		if _, err := l.Command(ctx, rein.Command{Kind: e.kind, Run: id, Text: e.reason, Key: key}); err != nil {
			return c.refused(ctx, l, id, err)
		}
		info, err := c.untilEnd(ctx, l, id)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(info)
		}
		c.print("run %s: %s\n", safe(string(id)), terminal.EndWords(info))
		return nil
	})
}

// newKey makes a command one command, however often it is sent.
func newKey() string { return "cli-" + rand.Text() }

// now reads a run, from its owner or, if that has gone meanwhile, from the data.
func (c *call) now(ctx context.Context, l *app.App, id rein.RunID) (rein.RunInfo, error) {
	info, err := l.Run(ctx, id)
	if rein.CodeOf(err) != rein.CodeUnavailable {
		return info, err
	}
	s, err := c.setup().Read(ctx)
	if err != nil {
		return info, err
	}
	defer s.Close()
	return s.Run(ctx, id)
}

// How long an end is waited for.
const (
	endPatience = time.Minute
	endPause    = 10 * time.Millisecond
)

func (c *call) untilEnd(ctx context.Context, l *app.App, id rein.RunID) (info rein.RunInfo, err error) {
	ctx, cancel := context.WithTimeout(ctx, endPatience)
	defer cancel()
	for {
		info, err = c.now(ctx, l, id)
		if err != nil || info.Status.Ended() {
			return info, err
		}
		select {
		case <-time.After(endPause):
		case <-ctx.Done():
			return info, fmt.Errorf("run %s has not ended after %s; it ends when its call returns: %s shows how", id, units.Span(endPatience), c.tip("show "+string(id)))
		}
	}
}

// refused explains why a run does not take a command.
func (c *call) refused(ctx context.Context, l *app.App, id rein.RunID, err error) error {
	switch rein.CodeOf(err) {
	case rein.CodeFinished:
		if info, err := l.Run(ctx, id); err == nil {
			return c.finished(info)
		}
	case rein.CodeNotFound:
		return c.noRun(err)
	}
	return err
}

func (c *call) noRun(err error) error {
	if rein.CodeOf(err) == rein.CodeNotFound {
		return fmt.Errorf("%w: %s lists the runs", err, c.tip("runs --all"))
	}
	return err
}

func (c *call) finished(info rein.RunInfo) error {
	return rein.Errorf(rein.CodeFinished, "run %s has ended: %s; %s shows how, rein run starts another", info.ID, terminal.EndWords(info), c.tip("show "+string(info.ID)))
}

// runMail sends a text to a run.
func runMail(kind rein.CommandKind) func(context.Context, *call) error {
	return func(ctx context.Context, c *call) error {
		text, key := strings.Join(c.args[1:], " "), newKey()
		return c.linkedTo(ctx, func(l *app.App) error {
			id, err := c.theRun(ctx, l, c.args[0])
			if err != nil {
				return err
			}
			receipt, err := l.Command(ctx, rein.Command{Kind: kind, Run: id, Text: text, Key: key})
			if err != nil {
				return c.refused(ctx, l, id, err)
			}
			return c.told(ctx, l, id, receipt)
		})
	}
}

// told prints what became of a command: it is recorded in any case, and read now if someone drives
// the run.
func (c *call) told(ctx context.Context, l *app.App, id rein.RunID, receipt rein.Receipt) error {
	if c.json {
		return c.printJSON(receipt)
	}
	switch {
	case receipt.State == rein.ReceiptStarted:
		c.print("it came too late for run %s and started run %s\n", safe(string(id)), safe(string(receipt.Started)))
	case !l.Owns() && c.driven(ctx, l, id, receipt):
		c.print("sent to run %s\n", safe(string(id)))
	default:
		c.print("recorded for run %s: %s continues it\n", safe(string(id)), c.tip("resume "+string(id.Root())))
	}
	return nil
}

// drivenPatience is how long a run may take to show that someone drives it.
const drivenPatience = time.Second

// driven reports whether the owner drives the run. It need not: it may be there for other runs.
func (c *call) driven(ctx context.Context, l *app.App, id rein.RunID, receipt rein.Receipt) bool {
	ctx, cancel := context.WithTimeout(ctx, drivenPatience)
	defer cancel()
	for {
		info, err := c.now(ctx, l, id)
		if err != nil {
			return false
		}
		if info.Status.Ended() || info.Status == rein.StatusRunning && info.WakeAt.IsZero() || info.Seq > receipt.Command.Seq() {
			return true
		}
		select {
		case <-time.After(endPause):
		case <-ctx.Done():
			return false
		}
	}
}
