package tree

import (
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/internal/units"
	"rein/journal/timeline"
	"rein/terminal/tui/look"
)

// A state is how a run is: a sign and a word of rein's, and what others said about it, which is never between them.
type state struct {
	sign, word string
	paint      func(string) string
	mark, said string // the mark says whose words follow it
	calls      bool   // a person should see it
}

// stateOf says how a run is now.
func (p pen) stateOf(n node) state {
	if !n.Ended.IsZero() {
		return p.ended(n.Timeline)
	}
	doing, _ := n.Doing()
	s := state{sign: p.Signs.Dot, word: "running", paint: p.Runs, said: look.SafeLine(doing.Text)}
	switch doing.Kind {
	case timeline.Starting:
		s.word, s.said = "starting", ""
	case timeline.OnAsk:
		ask, _ := own(n.Timeline)
		s = state{sign: p.Signs.Unsure, word: "waiting for you", paint: p.Waits, mark: p.Signs.Unsure, said: flat(ask.Text), calls: true}
	case timeline.OnPause:
		s = state{sign: p.Signs.Ring, word: look.SafeLine(doing.Text), paint: p.Waits, said: flat(n.Paused.Why)}
	case timeline.OnBlocked:
		s = state{sign: p.Signs.Fail, word: "blocked: the program changed", paint: p.Bad, calls: true}
	case timeline.OnParked, timeline.OnWait, timeline.OnChild:
		s.sign = p.Signs.Ring
		s.word, s.said = p.waiting(n.Timeline, doing)
	}
	if n.Ending != "" {
		s = state{sign: p.Signs.Ring, word: ending[n.Ending], paint: p.Waits}
	}
	if waits := hidden(n); waits > 0 && !s.calls {
		s.mark, s.said, s.calls = p.Signs.Unsure, units.Count(int64(waits), "run")+" below "+wait(waits)+" for you", true
	}
	return s
}

var ending = map[rein.CommandKind]string{rein.CommandStop: "stopping", rein.CommandCancel: "cancelling", rein.CommandDelete: "being deleted"}

func wait(n int) string {
	if n == 1 {
		return "waits"
	}
	return "wait"
}

// waiting says what a run waits for that is not a person: other runs, its turn, a time.
func (p pen) waiting(t *timeline.Timeline, doing timeline.Doing) (word, said string) {
	until := ""
	if left := doing.Until.Sub(p.now); left > 0 {
		until = ", " + look.Span(left.Truncate(time.Second)+time.Second)
	}
	switch n := awaited(t, doing.Text); {
	case n == 1:
		return "waiting for a run" + until, ""
	case n > 1:
		return "waiting for " + strconv.Itoa(n) + " runs" + until, ""
	case doing.Kind == timeline.OnChild:
		return "waiting for a run" + until, look.SafeLine(doing.Text)
	case doing.Kind == timeline.OnParked:
		return look.SafeLine(doing.Text) + until, ""
	}
	why := ""
	if w, ok := newest(t, func(w *timeline.Wait) bool { return w.Live }); ok {
		why = flat(w.Why)
	}
	return "waiting" + until, why
}

// awaited counts the runs that a text names: their IDs tell nobody anything.
func awaited(t *timeline.Timeline, text string) (n int) {
	for word := range strings.FieldsSeq(text) {
		if t.Children[rein.RunID(strings.TrimSuffix(word, ","))] != nil {
			n++
		}
	}
	return n
}

// ended says how a run ended, and who ended it, or what it found.
func (p pen) ended(t *timeline.Timeline) state {
	end := rein.End(t.Status)
	s := state{sign: p.Signs.Ring, word: look.SafeLine(string(end)), paint: p.Dim}
	switch {
	case end == rein.EndDone:
		s.sign, s.paint = p.Signs.OK, p.Good
	case end == rein.EndLimit:
		s.word = "reached its limit"
	case end == rein.EndFailed:
		s.sign, s.paint, s.said = p.Signs.Fail, p.Bad, flat(failure(t))
		return s
	case !end.Completed():
		s.word += by(t)
		return s
	}
	s.mark, s.said = p.Signs.Gutter, flat(found(t))
	return s
}
