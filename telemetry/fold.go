package telemetry

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"rein"
)

// A listener is told what has come to an end.
type listener interface {
	runStarted(*history)
	runEnded(*history, runEnd, time.Time)
	stepEnded(*history, *step)
	askOpened(*history, *ask)
	askClosed(*history, *ask)
	// waited tells that a model call waits: for its turn, or before another try.
	waited(*history, *step, rein.Waiting, time.Time)
}

// fold takes an event of the run in, and tells the listeners what ended with it. Without listeners
// it only remembers.
func (h *history) fold(ev rein.Event, to []listener) {
	h.read = ev.Seq
	switch {
	case ev.Kind == rein.RunStarted:
		h.start(payload[runStart](ev), ev.At, to)
	case ev.Kind.Ends():
		h.end(payload[runEnd](ev), ev, to)
	case ev.Kind.Command() != "":
		h.command(payload[rein.Command](ev), ev, to)
	case ev.Kind == rein.AskOpened:
		h.open(payload[rein.Ask](ev), ev, to)
	case ev.Step != "":
		h.foldStep(ev, to)
	default: // parked, blocked, resumed
		h.moment(string(ev.Kind), ev.At)
	}
}

func (h *history) start(p runStart, at time.Time, to []listener) {
	h.flow, h.session, h.after, h.began, h.task = p.Task.Flow, p.Task.Session, p.After, at, h.keep(p.Task.Messages)
	for _, name := range p.Task.Tools {
		h.tools[name] = true
	}
	for _, l := range to {
		l.runStarted(h)
	}
}

func (h *history) foldStep(ev rein.Event, to []listener) {
	switch ev.Kind {
	case rein.StepStarted, rein.SubStarted:
		s := h.step(ev.Step, ev.At)
		s.start, s.sub = payload[stepStart](ev), ev.Kind == rein.SubStarted
		if p := s.start.Prompt; p != nil {
			p.Add = h.keep(p.Add)
		}
		if s.kind = kindOf(s.start.Sig); s.sub {
			s.kind = modelStep // the signature is that of the step around it
		}
		s.mend = s.start.Mend
		s.lighten()
		s.model = cmp.Or(s.model, s.requested())
	case rein.StepAttempt:
		p := payload[rein.Attempt](ev)
		s := h.step(ev.Step, ev.At)
		s.mend = p.Mend
		s.lighten()
		if s.tries = max(p.N, 1); p.N > 1 {
			s.moment("attempt", ev.At, fact{name: "rein.attempt", count: int64(p.N)})
		}
	case rein.StepWaiting:
		h.wait(payload[rein.Waiting](ev), ev, to)
	case rein.StepIntent:
		s := h.step(stepOf(ev.Step), ev.At)
		s.args = payload[rein.Intent](ev).Args
		s.lighten()
	case rein.StepChecked:
		h.step(stepOf(ev.Step), ev.At).moment("checked", ev.At, fact{name: "rein.check.state", text: string(payload[rein.Checked](ev).State)})
	case rein.StepDone, rein.SubDone:
		h.done(payload[stepEnd](ev), ev, to)
	}
}

func (h *history) wait(w rein.Waiting, ev rein.Event, to []listener) {
	s := h.step(ev.Step, ev.At)
	s.kind = modelStep
	about := []fact{{name: "rein.wait.why", text: waitsFor(w)}, {name: "rein.wait.ms", count: w.Until.Sub(ev.At).Milliseconds()}}
	if w.Failure != nil {
		about = append(about, fact{name: "error.type", text: string(w.Failure.Code)})
	}
	s.moment("wait", ev.At, about...)
	for _, l := range to {
		l.waited(h, s, w, ev.At)
	}
	s.model = cmp.Or(w.Model, s.model)
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

func (h *history) done(p stepEnd, ev rein.Event, to []listener) {
	s := h.steps[ev.Step]
	if s == nil { // it was over as soon as it began
		s = h.step(ev.Step, ev.At.Add(-p.Duration))
		s.kind = kindOf(p.Sig)
	}
	delete(h.steps, ev.Step)
	s.over, s.ended = p, ev.At
	switch s.kind {
	case spawnStep:
		h.moment("spawn", ev.At, fact{name: "rein.child", text: string(p.Child)})
	case inboxStep:
		if len(p.Items) > 0 {
			h.moment("inbox", ev.At, fact{name: "rein.messages", count: int64(len(p.Items))})
		}
	}
	for _, l := range to {
		l.stepEnded(h, s)
	}
}

func (h *history) open(p rein.Ask, ev rein.Event, to []listener) {
	p.ID, p.Opened = rein.NewAskID(ev.Run, ev.Step), ev.At
	a := &ask{Ask: rein.Ask{ID: p.ID, Kind: p.Kind, Opened: p.Opened}, step: h.steps[stepOf(ev.Step)]}
	if h.content && len(p.Text) <= maxKept {
		a.Text = p.Text
	}
	h.asks[p.ID] = a
	for _, l := range to {
		l.askOpened(h, a)
	}
}

// command takes in what someone sent: it may close asks.
func (h *history) command(c rein.Command, ev rein.Event, to []listener) {
	switch kind := ev.Kind.Command(); kind {
	case rein.CommandAnswer:
		h.close(c.Ask, cmp.Or(c.Answer.State, rein.AskAnswered), c.Answer.Text, ev.At, to)
	case rein.CommandExpire:
		h.close(c.Ask, rein.AskExpired, "", ev.At, to)
	case rein.CommandChild, rein.CommandComment:
	default:
		h.moment(string(ev.Kind), ev.At)
		if kind.Ends() != "" || kind == rein.CommandModify {
			h.withdraw(ev.At, to)
		}
	}
}

func (h *history) withdraw(at time.Time, to []listener) {
	for _, id := range slices.SortedFunc(maps.Keys(h.asks), func(a, b rein.AskID) int { return strings.Compare(string(a), string(b)) }) {
		h.close(id, rein.AskWithdrawn, "", at, to)
	}
}

func (h *history) close(id rein.AskID, state rein.AskState, text string, at time.Time, to []listener) {
	a := h.asks[id]
	if a == nil {
		return
	}
	delete(h.asks, id)
	a.State, a.Answer.Text, a.closed = state, text, at
	for _, l := range to {
		l.askClosed(h, a)
	}
}

// end ends the run, and with it what it left open.
func (h *history) end(p runEnd, ev rein.Event, to []listener) {
	h.withdraw(ev.At, to)
	h.ended = true
	if p.End == "" { // its payload was erased
		p.End = map[rein.Kind]rein.End{rein.RunCompleted: rein.EndDone, rein.RunStopped: rein.EndStopped, rein.RunFailed: rein.EndFailed}[ev.Kind]
	}
	for _, l := range to {
		l.runEnded(h, p, ev.At)
	}
}
