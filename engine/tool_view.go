package engine

import (
	"context"

	"rein"
	"rein/engine/guard"
	"rein/engine/work/args"
	"rein/internal/logtext"
	"rein/internal/visible"
)

// A view is an order as a person is shown it, at one moment. What a tool shows may be different a moment
// later, so the view that is shown and the order that is sent must be one: see pin and heed.
type view struct {
	order order    // with what pins it
	ask   rein.Ask // that would be put to a person
	size  int      // of the text that a tool shows, before it was clipped

	ruling rein.Ruling // of a tool that rules on its calls
	hazard string      // why no mode lets it through
}

// isOf reports whether a recorded digest, of an approval that offered this, is of this view. What is offered may be
// different by now, because somebody has allowed it: that does not change the call. Nor do the words that a program puts
// around what the tool shows.
func (v *view) isOf(shown string, offers rein.Offers) bool {
	older := v.ask
	older.Text = logtext.Older(older.Text, v.order.tool.Name, subjectOf(&v.order))
	for _, ask := range []rein.Ask{v.ask, older} {
		then := ask
		then.Offers = offers
		if isOf(shown, then, &v.order, ask.Text) || isOf(shown, ask, &v.order, ask.Text) {
			return true
		}
	}
	return false
}

// send makes the order that of the view.
func (o *order) send(v *view) { o.args, o.shown = v.order.args, v.ask.Shown }

// maxShown is the most that a person is shown in the text of an approval; all arguments are in its
// call. Both must be able to grow when they are written as JSON; see maxText.
const maxShown = maxText / 4

// maxGuess is the most that is repeated of arguments which rein guessed the call from: they take no room
// from what the call would do.
const maxGuess = 8 << 10

// look makes what a person is shown of an order now. The tool is asked once, so that the text and what
// pins it are of the same moment. An error means that it cannot be shown, or is an interruption.
//
// What the text holds was written by a model or comes from outside. Characters that cannot be seen are made
// visible, so that nobody agrees to something else than they read.
func (s *toolStep) look(o *order) (*view, error) {
	v := &view{order: *o}
	var shown rein.Shown
	if o.tool.Show != nil {
		var err error
		if shown, err = s.show(o); err != nil {
			return nil, err
		}
		v.ruling, v.hazard = shown.Ruling, shown.Hazard
		if v.order.args, err = args.Pin(o.tool, o.args, shown.Pin); err != nil {
			return nil, err
		}
	}
	words := s.wordsOf(o, shown)
	if o.mended != "" {
		language := s.run.task.Language
		words.text += logtext.Guessed(language) + o.mended + sentenceWords.Say(language, "from what") + o.call.Name + " " + guard.Clip(string(o.call.Args), maxGuess)
	}
	if o.tool.Show != nil {
		v.size = len(visible.Lines(words.text))
	}
	v.ask = s.approvalOf(&v.order, words, s.offersOf(o, v.ruling))
	v.ask.Foreign = shown.Foreign
	v.ask.InPerson = o.tool.Rules && !v.ruling.Contained
	return v, nil
}

// whole says why a person cannot be shown all that the tool shows, if so. Nobody is asked to agree to a
// part; arguments that the text has no room for are in the call.
func (v *view) whole() error {
	if v.size <= maxShown {
		return nil
	}
	return rein.Errorf(rein.CodeInvalid, "it has %d bytes, and a person is shown %d at most: do it in smaller parts", v.size, maxShown)
}

// lookAnyway is look for an ask that needs no words of the tool: if it has none, the order is as it is.
func (s *toolStep) lookAnyway(o *order) *view {
	if v, err := s.look(o); err == nil {
		return v
	}
	return &view{order: *o, ask: s.approvalOf(o, worded{}, rein.Offers{})}
}

// show asks the tool what a person is to be shown. It is a call like any, so it has a deadline and is cut
// when the run is interrupted; but it has no effect and costs no budget.
func (s *toolStep) show(o *order) (rein.Shown, error) {
	ctx, release := s.run.beginTimed(s.run.opts.Worker.ToolLimit(o.tool))
	defer release()
	inv := s.invocation(o, s.callKey())
	inv.Args = args.Unpinned(o.tool, o.args)
	shown, err := s.run.opts.Worker.Show(ctx, o.tool, inv)
	cause := context.Cause(ctx)
	switch {
	case err == nil:
		return shown, nil
	case cause == errLetGo:
		exit()
	case interrupts(cause):
		return shown, cause
	}
	return shown, rein.Errorf(rein.CodeUnavailable, "%s", s.redacted(firstLine(err.Error()))) // its code is not the run's
}
