package cli

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/app"
	"rein/internal/units"
	"rein/terminal"
)

const (
	stopHelp = `The run ends at its next step, or after a short grace. Its work is kept, and the next run of
the session knows what was done.`
	cancelHelp = `The call under way is cut off now. Its work is kept.`
	deleteHelp = `The run and everything below it end now. The log stays, for the audit; rein
erase takes its texts away.`
	steerHelp = `The run reads it before its next step. If it comes too late it starts the next run of the
session.`
	modifyHelp = `What the run is doing is cut off, and it goes on with TEXT instead of its task.`
	answerHelp = `ASK is as rein asks lists it. Alone it shows the ask whole and takes your answer at the
terminal; elsewhere it prints the ask with its digest and exits with 5. To look, a run is
enough if only one thing is open in it; an answer names the ask. What fits depends on what is asked: a question takes TEXT, or
the number of a choice; an approval --yes, --no with a reason, or --edit with other
arguments; an unknown outcome happened, again or skip. What lets something happen (--yes,
--edit, again) must repeat the digest with --shown. Secrets are masked; --reveal shows them to
the person who is asked.`
)

// runEnd sends a command that ends a run, and waits until it has.
func runEnd(kind rein.CommandKind) func(context.Context, *call) error {
	return func(ctx context.Context, c *call) error {
		id, key := rein.RunID(c.args[0]), newKey()
		return c.linkedTo(ctx, func(l *app.App) error {
			if _, err := l.Command(ctx, rein.Command{Kind: kind, Run: id, Text: c.reason, Key: key}); err != nil {
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
			return info, fmt.Errorf("run %s has not ended yet, after %s; it will when its call returns: %s tells", id, units.Span(endPatience), c.tip("show "+string(id)))
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
	return rein.Errorf(rein.CodeFinished, "run %s has ended: %s; %s tells how, rein run starts another", info.ID, terminal.EndWords(info), c.tip("show "+string(info.ID)))
}

// runMail sends a text to a run.
func runMail(kind rein.CommandKind) func(context.Context, *call) error {
	return func(ctx context.Context, c *call) error {
		id, text, key := rein.RunID(c.args[0]), strings.Join(c.args[1:], " "), newKey()
		return c.linkedTo(ctx, func(l *app.App) error {
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
		c.print("recorded for run %s: %s carries it on\n", safe(string(id)), c.tip("resume "+string(id.Root())))
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

func runAnswer(ctx context.Context, c *call) error {
	text, key := strings.Join(c.args[1:], " "), newKey()
	return c.linkedTo(ctx, func(l *app.App) error {
		ask, err := c.theAsk(ctx, l, c.args[0])
		if err != nil {
			return err
		}
		if ask.State != rein.AskPending {
			return closedAsk(ask)
		}
		if !c.yes && !c.no && !c.decline && c.edit == "" && text == "" {
			return c.putAsk(ctx, l, ask)
		}
		if c.reveal {
			return usagef("--reveal shows ask %s; give the answer without it", ask.ID)
		}
		reply, err := c.replyTo(ask, text)
		if err != nil {
			return err
		}
		reply.Key = key
		receipt, err := l.Command(ctx, reply)
		if err != nil {
			return c.refused(ctx, l, ask.Run, err)
		}
		return c.told(ctx, l, ask.Run, receipt)
	})
}

// replyTo makes a command of flags and a text. It names the ask, since a run may ask something else by
// now; and what lets something happen says what was seen.
func (c *call) replyTo(ask rein.Ask, text string) (rein.Command, error) {
	answer, err := c.answerOf(ask, text)
	how := c.tip("answer " + string(ask.ID))
	switch {
	case err != nil:
		return rein.Command{}, err
	case c.args[0] != string(ask.ID):
		return rein.Command{}, usagef("an answer names the ask it is to: run %s asks %s; %s shows it whole", ask.Run, ask.ID, how)
	case ask.Shown != "" && c.shown == "" && approves(answer):
		return rein.Command{}, usagef("ask %s: an answer that lets something happen says what you have seen: %s shows it whole and takes your answer, or prints the --shown to give here", ask.ID, how)
	}
	reply := ask.Reply(answer)
	reply.Answer.Shown = cmp.Or(c.shown, ask.Shown)
	return reply, nil
}

// putAsk shows an ask whole. At a terminal it takes the answer; elsewhere the answer is another command,
// which repeats what was shown.
func (c *call) putAsk(ctx context.Context, l *app.App, ask rein.Ask) (err error) {
	if c.reveal {
		if ask, err = l.Reveal(ctx, ask.ID); err != nil {
			return err
		}
	}
	switch {
	case c.json:
		if err := c.printJSON(ask); err != nil {
			return err
		}
	case terminal.Is(c.stdin) && terminal.Is(c.out.Stderr):
		return c.askAlone(ctx, l, ask)
	default:
		c.printAsk(ask)
	}
	return quiet(exitWaits)
}

// approves reports whether something happens because of the answer.
func approves(answer rein.Answer) bool {
	return answer.State == rein.AskApproved || answer.State == rein.AskEdited || answer.Text == rein.RunAgain && answer.State == rein.AskAnswered
}

// theAsk finds an ask by its ID, or the only one that is open in a run.
func (c *call) theAsk(ctx context.Context, l *app.App, name string) (rein.Ask, error) {
	if strings.Contains(name, ":") {
		ask, err := l.Ask(ctx, rein.AskID(name))
		if rein.CodeOf(err) == rein.CodeNotFound {
			return ask, fmt.Errorf("%w: %s lists what is open", err, c.tip("asks"))
		}
		return ask, err
	}
	info, err := l.Run(ctx, rein.RunID(name))
	if err != nil {
		return rein.Ask{}, c.noRun(err)
	}
	asks, err := l.Asks(ctx, api.AskQuery{Tree: info.ID, State: rein.AskPending})
	switch {
	case err != nil:
		return rein.Ask{}, err
	case len(asks) == 0 && info.Status.Ended():
		return rein.Ask{}, c.finished(info)
	case len(asks) == 0:
		return rein.Ask{}, rein.Errorf(rein.CodeNotFound, "run %s asks nothing now: %s lists what is open", name, c.tip("asks"))
	case len(asks) > 1:
		ids := []string{}
		for _, ask := range asks {
			ids = append(ids, string(ask.ID))
		}
		return rein.Ask{}, usagef("run %s asks more than one thing; say which: %s", name, strings.Join(ids, ", "))
	}
	return asks[0], nil
}

func closedAsk(ask rein.Ask) error {
	return rein.Errorf(rein.CodeClosed, "ask %s is closed: %s%s at %s", ask.ID, ask.State, terminal.By(ask.Answer.By), units.When(ask.Closed))
}
