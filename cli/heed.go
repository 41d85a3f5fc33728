package cli

import (
	"context"
	"slices"

	"rein"
	"rein/terminal"
)

// heed keeps account of what waits for whom.
func (w *watcher) heed(ctx context.Context, e rein.Event) error {
	switch kind := e.Kind.Command(); {
	case e.Kind == rein.RunParked:
		w.idle[e.Run] = true
	case e.Kind == rein.RunBlocked:
		w.idle[e.Run] = true
		w.blocked = true
	case e.Kind.Ends():
		delete(w.idle, e.Run)
		w.forget(func(a rein.Ask) bool { return a.Run == e.Run })
		if e.Run == w.root {
			end := payload[rein.RunEnd](e)
			w.end = &end
		}
	case kind == rein.CommandAnswer || kind == rein.CommandExpire:
		command := payload[rein.Command](e)
		w.closed(e, command)
	case kind == rein.CommandMessage:
		w.mail = w.mail || e.Run == w.root && payload[rein.Command](e).From == ""
	case kind == rein.CommandModify || kind.Ends() != "":
		w.ending = w.ending || kind.Ends() != "" && e.Run == w.root
		w.forget(func(a rein.Ask) bool { return a.Run == e.Run })
	case kind == "":
		w.idle[e.Run], w.blocked = false, false
	}
	if e.Kind == rein.AskOpened {
		return w.opened(ctx, payload[rein.Ask](e))
	}
	return nil
}

// closed tells that someone else answered what is open here, or that it was too late.
func (w *watcher) closed(e rein.Event, command rein.Command) {
	is := func(a rein.Ask) bool { return a.ID == command.Ask }
	if !slices.ContainsFunc(w.asks, is) && !slices.ContainsFunc(w.left, is) {
		return
	}
	words := "nobody answered in time"
	if e.Kind.Command() == rein.CommandAnswer {
		words = "answered" + terminal.By(e.By) + " elsewhere: " + new(terminal.Teller).Answer(command.Answer)
	}
	if !w.json {
		w.timeline.Remark(e.Run, terminal.Quiet, words)
	}
	w.forget(is)
}

// forget takes asks off the list, and the prompt off the screen if it is for one of them.
func (w *watcher) forget(which func(rein.Ask) bool) {
	if w.prompt != nil && which(w.prompt.Ask) {
		w.prompt, w.settled = nil, nil
		w.keys.Discard()
	}
	w.asks = slices.DeleteFunc(w.asks, which)
	w.left = slices.DeleteFunc(w.left, which)
}

// rest reports whether there is nothing to do here but wait for a person who is elsewhere, or for a
// program that can carry the run on; and puts the next question.
func (w *watcher) rest() error {
	if len(w.asks) > 0 {
		w.ask()
		return nil
	}
	idle, known := w.idle[w.root]
	for _, waits := range w.idle {
		idle = idle && waits
	}
	switch {
	case !idle || !known:
		return nil
	case len(w.left) > 0:
		return w.waits()
	case w.blocked:
		w.timeline.Own("", "", "run "+safe(string(w.root))+" is kept: "+w.tip("resume "+string(w.root))+" tries again, "+w.tip("stop "+string(w.root))+" ends it")
		return errWrong
	}
	return nil
}
