package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"rein"
	"rein/app"
	"rein/terminal"
)

// moment is how long an ask is on the screen before a line for it is read: what someone was typing when
// it appeared was meant for something else.
const moment = 400 * time.Millisecond

// ask puts the first question that is open, if it is not there already.
func (w *watcher) ask() {
	switch {
	case w.prompt == nil:
		w.prompt = &terminal.Prompt{Ask: w.asks[0], Language: w.language()}
		w.timeline.Ask(w.prompt.Ask)
		w.timeline.Own("", terminal.Quiet, "  "+w.prompt.Hint())
		w.settled = w.after(moment)
	case w.settled == nil && !w.timeline.Prompted: // something was shown meanwhile
		w.timeline.Say("", terminal.Quiet, "  still open: "+short(w.prompt.Ask.Text, 160))
		w.sign()
	}
}

// language is that of the settings, if they are there to be read.
func (c *call) language() string {
	settings, err := c.checked()
	if err != nil {
		return ""
	}
	return settings.Language
}

// ready takes a line for the ask that is on the screen from now on.
func (w *watcher) ready() {
	w.settled = nil
	if w.prompt != nil {
		w.want()
	}
}

// want drops what was typed so far and asks for a line.
func (w *watcher) want() {
	w.keys.Discard()
	w.since = w.keys.Now()
	w.sign()
	w.keys.Want()
}

// sign shows that what is typed now counts.
func (w *watcher) sign() {
	w.out.Stdout.Flush()
	fmt.Fprint(w.out.Stderr, "> ")
	w.timeline.Prompted = true
}

// again says what is wrong with a line and asks for another.
func (w *watcher) again(text string) {
	w.timeline.Say("", terminal.Quiet, "  "+text)
	w.want()
}

// entered is a line that was typed. One that was complete before it was asked for answers nothing.
func (w *watcher) entered(ctx context.Context, t terminal.Typed) error {
	w.keys.Taken()
	p := w.prompt
	switch {
	case p == nil || w.settled != nil:
		return nil
	case t.Err == nil && t.At.Before(w.since):
		w.keys.Want()
		return nil
	}
	// A terminal has echoed the line with its end; the end of the input it has not.
	if errors.Is(t.Err, io.EOF) || !terminal.Is(w.out.Stderr) {
		fmt.Fprintln(w.out.Stderr)
	}
	w.timeline.Prompted = false
	switch {
	case errors.Is(t.Err, io.EOF):
		return w.leave(exitWaits)
	case errors.Is(t.Err, terminal.ErrLongLine):
		w.again(t.Err.Error() + "; try again")
		return nil
	case t.Err != nil:
		return fmt.Errorf("read the answer: %w", t.Err)
	}
	answer, again := p.Read(t.Text)
	if again != "" {
		w.again(again)
		return nil
	}
	return w.answer(ctx, p.Ask, answer)
}

// answer sends what the person said.
func (w *watcher) answer(ctx context.Context, ask rein.Ask, answer rein.Answer) error {
	refused, err := w.send(ctx, ask, answer)
	if err != nil {
		return err
	}
	if rein.CodeOf(refused) == rein.CodeForbidden {
		w.timeline.Say("", terminal.Bad, "  "+safe(refused.Error()))
		w.left = append(w.left, ask)
	} else if refused != nil {
		w.again(safe(refused.Error()) + "; try again")
		return nil
	}
	w.prompt, w.asks = nil, w.asks[1:]
	if answer.State == rein.AskDeclined {
		w.timeline.Own("", terminal.Quiet, "  declined")
	}
	return nil
}

// askAlone shows one ask to the person without following its run, and prints what happened to the answer.
func (c *call) askAlone(ctx context.Context, l *app.App, ask rein.Ask) error {
	w := c.watch(l, ask.Run)
	if err := w.put(ctx, ask); err != nil {
		return err
	}
	switch {
	case w.lost != nil:
		return c.refused(ctx, l, ask.Run, w.lost)
	case len(w.left) > 0:
		return errWrong
	}
	return c.told(ctx, l, ask.Run, w.receipt)
}

// put puts one ask to the person until it is answered.
func (w *watcher) put(ctx context.Context, ask rein.Ask) error {
	w.asking, w.asks = askHere, []rein.Ask{ask}
	for len(w.asks) > 0 {
		w.ask()
		var err error
		select {
		case <-w.settled:
			w.ready()
		case t := <-w.keys.Typed():
			err = w.entered(ctx, t)
		case <-ctx.Done():
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// agrees shows a person a text whole and takes a yes or a no. No run asks it.
func (c *call) agrees(ctx context.Context, text string) (yes bool, err error) {
	w := c.watch(nil, "")
	w.decide = func(answer rein.Answer) { yes = answer.State == rein.AskApproved }
	return yes, w.put(ctx, rein.Ask{Kind: rein.AskConfirmation, Effect: rein.Checkable, Text: text})
}
