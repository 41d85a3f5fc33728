package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"rein"
)

// moment is how long an ask is on the screen before a line for it is read: what someone was typing when
// it appeared was meant for something else.
const moment = 400 * time.Millisecond

// ask puts the first question that is open, if it is not there already.
func (w *watcher) ask() {
	switch {
	case w.prompt == nil:
		w.prompt = &prompt{ask: w.asks[0], language: w.language()}
		w.showAsk(w.prompt.ask)
		w.timeline.own("", colourQuiet, "  "+w.prompt.hint())
		w.settled = w.after(moment)
	case w.settled == nil && !w.timeline.prompted: // something was shown meanwhile
		w.timeline.say("", colourQuiet, "  still open: "+short(w.prompt.ask.Text, 160))
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
	w.keyboard.discard()
	w.prompt.since = w.keyboard.now()
	w.sign()
	w.keyboard.want()
}

// sign shows that what is typed now counts.
func (w *watcher) sign() {
	w.stdout.Flush()
	fmt.Fprint(w.stderr, "> ")
	w.timeline.prompted = true
}

// again says what is wrong with a line and asks for another.
func (w *watcher) again(text string) {
	w.timeline.say("", colourQuiet, "  "+text)
	w.want()
}

// typed is where lines come from while one is wanted.
func (w *watcher) typed() <-chan typed {
	if !w.keyboard.busy {
		return nil
	}
	return w.keyboard.lines
}

// entered is a line that was typed. One that was complete before it was asked for answers nothing.
func (w *watcher) entered(ctx context.Context, t typed) error {
	w.keyboard.busy = false
	p := w.prompt
	switch {
	case p == nil || w.settled != nil:
		return nil
	case t.err == nil && t.at.Before(p.since):
		w.keyboard.want()
		return nil
	}
	// A terminal has echoed the line with its end; the end of the input it has not.
	if errors.Is(t.err, io.EOF) || !terminal(w.stderr) {
		fmt.Fprintln(w.stderr)
	}
	w.timeline.prompted = false
	switch {
	case errors.Is(t.err, io.EOF):
		return w.leave(exitWaits)
	case errors.Is(t.err, errLongLine):
		w.again(t.err.Error() + "; try again")
		return nil
	case t.err != nil:
		return fmt.Errorf("read the answer: %w", t.err)
	}
	answer, again := p.read(t.text)
	if again != "" {
		w.again(again)
		return nil
	}
	return w.answer(ctx, p.ask, answer)
}

// answer sends what the person said.
func (w *watcher) answer(ctx context.Context, ask rein.Ask, answer rein.Answer) error {
	refused, err := w.send(ctx, ask, answer)
	if err != nil {
		return err
	}
	if rein.CodeOf(refused) == rein.CodeForbidden {
		w.timeline.say("", colourBad, "  "+safe(refused.Error()))
		w.left = append(w.left, ask)
	} else if refused != nil {
		w.again(safe(refused.Error()) + "; try again")
		return nil
	}
	w.prompt, w.asks = nil, w.asks[1:]
	if answer.State == rein.AskDeclined {
		w.timeline.own("", colourQuiet, "  declined")
	}
	return nil
}

// askAlone puts one ask to the person without following its run, and tells what became of the answer.
func (w *watcher) askAlone(ctx context.Context, ask rein.Ask) error {
	if err := w.put(ctx, ask); err != nil {
		return err
	}
	switch {
	case w.lost != nil:
		return w.refused(ctx, w.link, ask.Run, w.lost)
	case len(w.left) > 0:
		return errWrong
	}
	return w.told(ctx, w.link, ask.Run, w.receipt)
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
		case t := <-w.typed():
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
