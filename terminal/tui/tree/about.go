package tree

import (
	"slices"
	"strconv"
	"time"

	"rein"
	"rein/internal/units"
	"rein/journal/timeline"
	"rein/terminal/tui/look"
)

// facts is what else is said of a run, the most important first.
func (p pen) facts(n node) (facts []string) {
	add := func(fact string, is bool) {
		if is {
			facts = append(facts, fact)
		}
	}
	live := n.Ended.IsZero()
	below, _ := runs(n.Timeline)
	add(units.Number(int64(below-1))+" below", n.folded)
	add(turn(n.Timeline), live && n.Step.N > 0)
	add(p.took(n.Timeline), !n.Started.IsZero())
	used := n.TreeUsage()
	add(look.Count(used.Input+used.Output)+" tok", used.Input+used.Output > 0)
	add(p.Money(used.Micros), used.Micros > 0)
	comments, changed := remarks(n.Timeline)
	add("changed", changed)
	add(units.Count(int64(comments), "comment"), comments > 0)
	return facts
}

func turn(t *timeline.Timeline) string {
	if t.Step.Of > 0 {
		return "step " + strconv.Itoa(t.Step.N) + "/" + strconv.Itoa(t.Step.Of)
	}
	return "step " + strconv.Itoa(t.Step.N)
}

// took is how long a run took; of one that has not ended, in whole seconds.
func (p pen) took(t *timeline.Timeline) string {
	if t.Ended.IsZero() {
		return look.Span(max(time.Second, p.now.Sub(t.Started).Truncate(time.Second)))
	}
	return look.Span(t.Ended.Sub(t.Started))
}

// remarks counts what people noted at a run, and says whether they changed what it works on.
func remarks(t *timeline.Timeline) (comments int, changed bool) {
	for _, item := range t.Items {
		if said, ok := item.(*timeline.Person); ok {
			comments += btoi(said.Sub == timeline.SaidComment)
			changed = changed || said.Sub == timeline.SaidModify
		}
	}
	return comments, changed
}

// newest returns the newest item of a type that is looked for.
func newest[T timeline.Item](t *timeline.Timeline, is func(T) bool) (found T, ok bool) {
	for _, item := range slices.Backward(t.Items) {
		if it, ok := item.(T); ok && is(it) {
			return it, true
		}
	}
	return found, false
}

// by says who ended a run; of one that ended with the run above it, nothing.
func by(t *timeline.Timeline) string {
	if r, ok := newest(t, func(r *timeline.Rein) bool { return r.Sub == timeline.RemarkStopped }); ok && r.By != "" {
		return " by " + look.SafeLine(r.By)
	}
	return ""
}

func failure(t *timeline.Timeline) string {
	if end, ok := newest(t, func(e *timeline.End) bool { return e.Failure != nil }); ok {
		return end.Failure.Msg
	}
	return ""
}

// found is what a run came to, in the words of its model.
func found(t *timeline.Timeline) string {
	end, _ := newest(t, func(e *timeline.End) bool { return true })
	if end != nil && end.Text != "" {
		return end.Text
	}
	said, _ := newest(t, func(m *timeline.Model) bool { return m.Final && !m.Replaced })
	if said == nil {
		return ""
	}
	return said.Text
}

// own is the oldest open ask of a run itself.
func own(t *timeline.Timeline) (rein.Ask, bool) {
	asks := t.Asks()
	i := slices.IndexFunc(asks, func(a rein.Ask) bool { return a.Run == t.Run })
	if i < 0 {
		return rein.Ask{}, false
	}
	return asks[i], true
}

// oldest is the ask that an answer to a run is for: its own, else the oldest below it.
func oldest(t *timeline.Timeline) (rein.Ask, bool) {
	if ask, ok := own(t); ok {
		return ask, true
	}
	if asks := t.Asks(); len(asks) > 0 {
		return asks[0], true
	}
	return rein.Ask{}, false
}

// hidden is how many runs wait for a person below one that is folded.
func hidden(n node) int {
	if !n.folded {
		return 0
	}
	return waiting(n.Timeline, n.Run)
}

// waiting counts the runs of a tree that wait for a person, without one of them.
func waiting(t *timeline.Timeline, without rein.RunID) int {
	runs := map[rein.RunID]bool{}
	for _, ask := range t.Asks() {
		if ask.Run != without {
			runs[ask.Run] = true
		}
	}
	return len(runs)
}
