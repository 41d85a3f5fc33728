package steps

import (
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/internal/units"
	"rein/terminal/tui/look"
)

// facts are the rows below the table: what else is known of the chosen step.
func (l *List) facts(width, height int, now time.Time) []string {
	if height < minFact {
		return nil
	}
	t := l.theme
	i := l.rows[l.at()]
	s, state := l.all[i], stateOf(t, l.all[i])
	between := " " + t.Signs.Note + " "
	facts := " " + t.Label("step "+look.SafeLine(string(s.Key))) + " " + kindOf(s) + " " + state.paint(state.word)
	for _, fact := range briefly(s, now) {
		facts += between + fact
	}
	words := l.what[i]
	if s.Failure != nil {
		words = look.SafeLine(s.Failure.Msg)
	}
	rows := []string{t.Cut(facts, width)}
	if height >= minFacts {
		rows = append(rows, t.Dim(t.Cut(" "+t.Signs.Fold+" "+words, width)))
	}
	return rows
}

// briefly is what rein knows of a step and has no column for.
func briefly(s api.Step, now time.Time) (facts []string) {
	add := func(fact string, is bool) {
		if is {
			facts = append(facts, fact)
		}
	}
	add(units.Count(int64(len(s.Attempts)), "attempt"), len(s.Attempts) > 1)
	w := waited(s, now)
	add("waited "+look.Span(w), w > 0)
	add(askWords(s), len(s.Asks) > 0)
	add("allowed: "+allowed(s), s.Allowed != "")
	add("call repaired", s.Mended != "")
	add("model "+look.SafeLine(s.Model), s.Model != "")
	add(took(s, now), true)
	return facts
}

// askWords says what became of what a step asked a person.
func askWords(s api.Step) string {
	var words []string
	for _, ask := range s.Asks {
		word := string(ask.Kind) + " " + string(ask.State)
		if ask.State == rein.AskPending {
			word = string(ask.Kind) + " waits for you"
		}
		words = append(words, look.SafeLine(word))
	}
	return strings.Join(words, ", ")
}

// allowed says what decided that a call was made.
func allowed(s api.Step) string {
	switch s.Allowed {
	case "ask":
		return "a person agreed to it"
	case "policy":
		return "the policy of the run names the tool"
	case "rule":
		return "the tool's rules, with what people allowed in advance"
	case "tool":
		return "the tool asks nobody"
	}
	return look.SafeLine(s.Allowed)
}
