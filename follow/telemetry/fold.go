package telemetry

import (
	"slices"
	"time"

	"rein"
	"rein/journal"
)

// A listener is told what has come to an end.
type listener interface {
	runStarted(*history)
	runEnded(*history, rein.RunEnd, time.Time)
	stepEnded(*history, *step)
	askOpened(*history, rein.Ask)
	askClosed(*history, rein.Ask)
	// waited tells that a model call waits: for its turn, or before another try.
	waited(*history, *step, rein.Waiting, time.Time)
}

// fold takes an event of the run in, and tells the listeners what ended with it. Without listeners
// it only remembers.
func (h *history) fold(ev rein.Event, to []listener) {
	h.read = ev.Seq
	for _, ask := range h.asks.See(ev) {
		h.tellAsk(ask, ev.Kind == rein.AskOpened, to)
	}
	switch {
	case ev.Kind == rein.RunStarted:
		h.start(ev, to)
	case ev.Kind.Ends():
		h.end(ev, to)
	case ev.Kind.Command() != "":
		if kind := ev.Kind.Command(); !slices.Contains(quiet, kind) {
			h.moment(string(ev.Kind), ev.At)
		}
	case ev.Kind == rein.AskOpened:
	case ev.Step != "":
		h.foldStep(ev, to)
	default: // parked, blocked, resumed
		h.moment(string(ev.Kind), ev.At)
	}
}

// quiet are the commands that are no moments of a run: asks have spans, and children theirs.
var quiet = []rein.CommandKind{rein.CommandAnswer, rein.CommandExpire, rein.CommandChild, rein.CommandComment}

func (h *history) start(ev rein.Event, to []listener) {
	p, _ := rein.Payload[rein.RunStart](ev) // what was erased is not told
	h.flow, h.session, h.after, h.began, h.task = p.Task.Flow, p.Task.Session, p.After, ev.At, h.keep(p.Task.Messages)
	for _, name := range p.Task.Tools {
		h.tools[name] = true
	}
	for _, l := range to {
		l.runStarted(h)
	}
}

func (h *history) foldStep(ev rein.Event, to []listener) {
	before := "" // the model that was asked
	if s := h.steps[ev.Step]; s != nil {
		before = s.Model
	}
	known := h.log.See(ev)
	if known == nil { // of a newer program
		return
	}
	s := h.step(known)
	s.lighten(h)
	switch ev.Kind {
	case rein.StepAttempt:
		if s.Attempts > 1 {
			s.moment("attempt", ev.At, fact{name: "rein.attempt", count: int64(s.Attempts)})
		}
	case rein.StepWaiting:
		h.wait(s, before, ev.At, to)
	case rein.StepChecked:
		s.moment("checked", ev.At, fact{name: "rein.check.state", text: string(s.Checked.State)})
	case rein.StepDone, rein.SubDone:
		h.done(s, to)
	}
}

// wait tells that a model waits. The listeners hear of the one that was asked before it.
func (h *history) wait(s *step, before string, at time.Time, to []listener) {
	w, next := *s.Waiting, s.Model
	about := []fact{{name: "rein.wait.why", text: waitsFor(w)}, {name: "rein.wait.ms", count: w.Until.Sub(at).Milliseconds()}}
	if w.Failure != nil {
		about = append(about, fact{name: "error.type", text: string(w.Failure.Code)})
	}
	s.moment("wait", at, about...)
	s.Model = before
	for _, l := range to {
		l.waited(h, s, w, at)
	}
	s.Model = next
}

// waitsFor is one word for what a model call waits for.
func waitsFor(w rein.Waiting) string {
	switch {
	case w.Failure == nil:
		return "rate_limit" // its own turn
	case w.Model != "":
		return "fallback"
	}
	return "retry"
}

func (h *history) done(s *step, to []listener) {
	delete(h.steps, s.Key)
	switch {
	case s.Verb == rein.VerbSpawn:
		h.moment("spawn", s.Ended, fact{name: "rein.child", text: string(s.End.Child)})
	case s.Verb == rein.VerbInbox && len(s.End.Items) > 0:
		h.moment("inbox", s.Ended, fact{name: "rein.messages", count: int64(len(s.End.Items))})
	}
	for _, l := range to {
		l.stepEnded(h, s)
	}
}

// tellAsk tells of an ask that has opened or closed. In a run that is ending it does both at once.
func (h *history) tellAsk(ask rein.Ask, opened bool, to []listener) {
	for _, l := range to {
		if opened {
			l.askOpened(h, ask)
		}
		if ask.State != rein.AskPending {
			l.askClosed(h, ask)
		}
	}
}

// end ends the run, and with it what it left open.
func (h *history) end(ev rein.Event, to []listener) {
	h.ended = true
	for _, l := range to {
		l.runEnded(h, journal.EndOf(ev), ev.At)
	}
}
