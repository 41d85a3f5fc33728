package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"rein"
	"rein/api"
	"rein/client"
)

// asking says what to do with what a run asks.
type asking int

const (
	askHere asking = iota // the person at this terminal
	askDeny               // nobody is here: refuse and decline
	askPark               // leave it open for rein answer
)

// A watcher follows a tree of runs for whoever called: it shows what happens, brings asks to the
// person and answers to the run. Everything that can happen meanwhile goes through one loop.
type watcher struct {
	*call
	link     *link
	root     rein.RunID
	asking   asking
	timeline *timeline
	keyboard *keyboard

	cursor  string              // after the last line that was seen
	idle    map[rein.RunID]bool // the runs of the tree that are under way, and whether they wait
	asks    []rein.Ask          // what is to be asked here, in order
	prompt  *prompt             // of the first of them
	left    []rein.Ask          // what stays open
	blocked bool
	end     *rein.RunEnd
	stops   int
}

func (c *call) watch(l *link, root rein.RunID) *watcher {
	w := &watcher{
		call: c, link: l, root: root, timeline: newTimeline(c, root), keyboard: newKeyboard(c.stdin),
		idle: map[rein.RunID]bool{},
	}
	switch {
	case c.park:
		w.asking = askPark
	case !terminal(c.stdin):
		w.asking = askDeny
	}
	return w
}

// follow shows the run until it has ended, waits for someone who is not here, or the person leaves.
func (w *watcher) follow(ctx context.Context) error {
	for {
		err := w.followOnce(ctx)
		if rein.CodeOf(err) != rein.CodeUnavailable {
			return err
		}
		if err := w.takeOver(ctx, err); err != nil {
			return err
		}
	}
}

// takeOver goes on with the run after the process that drove it has gone: through whoever owns the
// data now, which may become this process.
func (w *watcher) takeOver(ctx context.Context, why error) error {
	if w.link.owner != nil {
		return why // it was this process itself
	}
	l, err := w.reach(ctx)
	if err != nil {
		return fmt.Errorf("%w; %w", why, err)
	}
	*w.link = *l
	if l.owner != nil {
		w.timeline.say("", colourQuiet, w.screen.signs.note+" the process that drove the run has gone; this one goes on with it")
	}
	if err := w.link.Resume(ctx, w.root); err != nil && rein.CodeOf(err) != rein.CodeFinished {
		return err
	}
	return nil
}

// arrival is a line of the feed, or why there are no more.
type arrival struct {
	line api.Line
	err  error
}

var errOver = errors.New("the run has ended")

// followOnce follows through one link.
func (w *watcher) followOnce(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	lines := make(chan arrival)
	go func() {
		over := arrival{err: errOver}
		for line, err := range w.link.Follow(ctx, w.root, client.FollowOptions{After: w.cursor, Tree: true}) {
			if err != nil {
				over.err = err
				break
			}
			select {
			case lines <- arrival{line: line}:
			case <-ctx.Done():
				return
			}
		}
		select {
		case lines <- over:
		case <-ctx.Done():
		}
	}()
	return w.loop(ctx, lines)
}

func (w *watcher) loop(ctx context.Context, lines <-chan arrival) error {
	pulse := time.NewTicker(pulsePause)
	defer pulse.Stop()
	for still := false; ; {
		var err error
		select {
		case <-pulse.C:
			if still && w.gone(ctx) {
				err = errGone
			}
			still = true
		case a := <-lines:
			still = false
			if errors.Is(a.err, errOver) {
				return w.result(ctx)
			}
			if err = a.err; err == nil {
				err = w.arrived(ctx, a.line)
			}
		case typed := <-w.typed():
			err = w.entered(ctx, typed)
		case s := <-w.signals:
			err = w.signal(ctx, s)
		}
		if err == nil {
			err = w.rest()
		}
		if err != nil {
			return err
		}
	}
}

// pulsePause is how often the process that drives the run is asked whether it is there. A feed that
// breaks off is mended for some time, because a network may come back; a process does not.
const pulsePause = 250 * time.Millisecond

var errGone = rein.Errorf(rein.CodeUnavailable, "the process that drove the run has gone")

// gone reports whether another process that drove the run is there no more.
func (w *watcher) gone(ctx context.Context) bool {
	if w.link.owner != nil {
		return false
	}
	p, err := w.place()
	return err == nil && dial(ctx, p) == nil
}

// arrived takes note of a line, shows it and sees to what it asks for.
func (w *watcher) arrived(ctx context.Context, line api.Line) error {
	if line.Cursor != "" {
		w.cursor = line.Cursor
	}
	if w.json {
		if err := w.printJSON(line); err != nil {
			return err
		}
		w.stdout.Flush()
		w.timeline.recall(line.Event)
	} else {
		w.timeline.line(line)
	}
	if line.Event == nil {
		return nil
	}
	return w.heed(ctx, *line.Event)
}

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
	case kind == rein.CommandModify || kind.Ends() != "":
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
		t := teller{}
		words = "answered" + by(e.By) + " elsewhere: " + t.answer(command.Answer)
	}
	if !w.json {
		w.timeline.say(e.Run, colourQuiet, w.screen.signs.note+" "+words)
	}
	w.forget(is)
}

// forget takes asks off the list, and the prompt off the screen if it is for one of them.
func (w *watcher) forget(which func(rein.Ask) bool) {
	if w.prompt != nil && which(w.prompt.ask) {
		w.prompt = nil
		w.keyboard.discard()
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
		w.timeline.say("", "", "run "+safe(string(w.root))+" is kept: "+w.tip("resume "+string(w.root))+" tries again, "+w.tip("stop "+string(w.root))+" ends it")
		return errWrong
	}
	return nil
}

// waits tells what is open and how to answer it.
func (w *watcher) waits() error {
	w.timeline.say("", "", "run "+safe(string(w.root))+" waits for a person:")
	for _, ask := range w.left {
		w.timeline.say("", "", "  "+short(ask.Text, 160)+origin(ask, w.root))
		w.timeline.say("", "", "  "+w.tip("answer "+string(ask.ID)+" "+fits(ask)))
	}
	w.timeline.say("", "", "then "+w.tip("resume "+string(w.root)))
	return quiet(exitWaits)
}

// origin says which child asks.
func origin(ask rein.Ask, root rein.RunID) string {
	if ask.Run == root {
		return ""
	}
	return " (asked by run " + safe(string(ask.Run)) + ")"
}

// signal stops the run at the first Ctrl-C and leaves at the second, or at once if the person is
// being asked. Other signals mean that this process must go; the run need not.
func (w *watcher) signal(ctx context.Context, s os.Signal) error {
	if s != os.Interrupt || w.prompt != nil || w.stops > 0 {
		return w.leave(exitLeft)
	}
	w.stops++
	w.timeline.say("", colourAsk, w.screen.signs.note+" stopping it; Ctrl-C again leaves at once")
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, err := w.link.Command(ctx, rein.Command{Kind: rein.CommandStop, Run: w.root, Text: "Ctrl-C"})
	switch rein.CodeOf(err) {
	case "", rein.CodeFinished:
		return nil
	}
	return err
}

// leave goes while the run is under way or waits.
func (w *watcher) leave(code int) error {
	if w.prompt != nil {
		ask := w.prompt.ask
		w.timeline.say("", "", "it stays open: "+w.tip("answer "+string(ask.ID)+" "+fits(ask)))
	}
	w.timeline.say("", "", "run "+safe(string(w.root))+" is kept: "+w.tip("resume "+string(w.root))+" goes on with it")
	return quiet(code)
}

// result tells how the run ended.
func (w *watcher) result(ctx context.Context) error {
	if w.end == nil { // it ended before the place from where it was followed
		run, err := w.link.Run(ctx, w.root)
		if err != nil {
			return err
		}
		end := run.End()
		w.end = &end
	}
	if !w.json {
		w.timeline.ended(*w.end)
	}
	return exitOf(w.end.End)
}

// ended prints the answer, if it is not on the screen yet, and one line about the run.
func (t *timeline) ended(end rein.RunEnd) {
	t.stream.endLine()
	if end.Text != "" && (!t.screen.text || end.Text != t.answer) {
		t.stream.whole("end", end.Text)
	}
	words := t.screen.paint(colourGood, safe(string(end.End)))
	if end.End != rein.EndDone {
		words = t.screen.paint(colourAsk, safe(string(end.End)))
	}
	if end.Failure != nil {
		words += ": " + failure(end.Failure)
	}
	spent := number(t.usage.Input+t.usage.Output) + " tokens"
	if t.usage.Micros > 0 {
		spent += ", cost " + money(t.usage.Micros)
	}
	t.say("", "", words+" ("+spent+"; "+t.tip("show "+string(t.root))+")")
}
