package steps

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/journal/timeline"
	"rein/terminal"
	"rein/terminal/tui/look"
)

// kindOf says in a word what a step is.
func kindOf(s api.Step) string {
	switch s.Verb {
	case rein.VerbModel:
		if s.Of != "" && isFold(s.Key) {
			return "fold"
		}
		return "model"
	case rein.VerbTool:
		return "tool"
	case rein.VerbAsk:
		return "person"
	case rein.VerbSpawn:
		return "child"
	case rein.VerbWait:
		return "wait"
	case rein.VerbParallel:
		return "split"
	case rein.VerbSend:
		return "message"
	}
	return look.SafeLine(string(s.Verb))
}

// isFold reports whether a call inside a step is a summary of older messages.
func isFold(key rein.StepKey) bool {
	name := strings.TrimRight(string(key), "0123456789")
	return name[strings.LastIndexByte(name, '.')+1:] == "compact"
}

// whatOf says in a few words what a step does. They may be of others.
func whatOf(s api.Step, of *timeline.Timeline, arguments map[rein.StepKey]string) string {
	if s.Tool != "" {
		name := look.SafeLine(s.Tool)
		if argument := arguments[s.Key]; argument != "" {
			return name + " " + argument
		}
		if human := look.SafeLine(s.Human); human != "" && human != name {
			return name + ": " + human
		}
		return name
	}
	if s.Child != "" {
		return look.SafeLine(childName(s.Child, of))
	}
	if isFold(s.Key) && s.Of != "" {
		return "a summary of older messages"
	}
	if s.Of != "" && s.Verb == rein.VerbModel && s.Human == "" {
		return look.SafeLine(cmp.Or(s.Phase, string(s.Key[len(s.Of):])))
	}
	phase, human := look.SafeLine(s.Phase), look.SafeLine(s.Human)
	switch {
	case s.Verb == rein.VerbInbox && human == "":
		return "a look for messages"
	case human == "":
		return cmp.Or(phase, look.SafeLine(s.Model), string(s.State))
	case phase == "":
		return human
	}
	return phase + ": " + human
}

// keyOf is the key of a step in the table. A call inside a step has a name and no number of its own.
func keyOf(s api.Step) string {
	if s.Of != "" {
		return ""
	}
	return look.SafeLine(string(s.Key))
}

// childName is the question of a run below or, if that is not known, the last part of its ID.
func childName(run rein.RunID, of *timeline.Timeline) string {
	if of != nil {
		if child := of.Children[run]; child != nil && child.Title != "" {
			return child.Title
		}
	}
	return "run " + string(run)
}

// argumentsOf finds the argument that says most about each call in the log of a run: a page of steps has none.
func argumentsOf(of *timeline.Timeline) map[rein.StepKey]string {
	arguments := map[rein.StepKey]string{}
	if of == nil {
		return arguments
	}
	for _, item := range of.Items {
		if call, ok := item.(*timeline.Tool); ok {
			_, arguments[call.Step] = terminal.Call(call.Call)
		}
	}
	return arguments
}

// A state is how a step stands: rein's own words.
type state struct {
	sign, word string
	paint      func(string) string
}

// stateOf says how a step stands.
func stateOf(t look.Theme, s api.Step) state {
	switch s.State {
	case api.StepRunning:
		return state{t.Signs.Dot, "running", t.Runs}
	case api.StepWaiting:
		if asks(s) {
			return state{t.Signs.Unsure, "waiting for you", t.Waits}
		}
		return state{t.Signs.Ring, "waiting", t.Waits}
	case api.StepOK:
		return state{t.Signs.OK, "ok", t.Good}
	case api.StepFailed:
		return state{t.Signs.Fail, "failed", t.Bad}
	case api.StepTimeout:
		return state{t.Signs.Fail, "timed out", t.Bad}
	case api.StepRefused:
		return state{t.Signs.Fail, "refused", t.Waits}
	case api.StepUnknown:
		return state{t.Signs.Unsure, "unknown", t.Bad}
	case api.StepSkipped:
		return state{t.Signs.Note, "skipped", t.Dim}
	case api.StepCut:
		return state{t.Signs.Note, "cut off", t.Waits}
	}
	return state{t.Signs.Note, look.SafeLine(string(s.State)), t.Dim}
}

// isBad reports whether a step went wrong.
func isBad(s api.Step) bool {
	switch s.State {
	case api.StepFailed, api.StepTimeout, api.StepUnknown, api.StepRefused, api.StepCut:
		return true
	}
	return false
}

// asks reports whether a step waits for a person.
func asks(s api.Step) bool {
	for _, ask := range s.Asks {
		if ask.State == rein.AskPending {
			return true
		}
	}
	return false
}

// tried is the word of a state and how often the step was tried, if that was more than once.
func (s state) tried(attempts int) string {
	if attempts > 1 {
		return s.word + " ×" + strconv.Itoa(attempts)
	}
	return s.word
}

// isOwn reports whether a step is one that a run makes for itself: a look into its inbox, a read of its past.
func isOwn(s api.Step) bool {
	return s.State == api.StepOK && (s.Verb == rein.VerbInbox || s.Internal)
}

// depthOf says how far in a step is: "7.2.3" is in a branch of step 7, "7.repair" is a call inside it.
func depthOf(s api.Step) int {
	numbers := 0
	for part := range strings.SplitSeq(string(s.Key), ".") {
		if strings.Trim(part, "0123456789") == "" {
			numbers++
		}
	}
	depth := max(0, (numbers-1)/2)
	if s.Of != "" {
		depth++
	}
	return depth
}

// took is how long a step took; of one that has not ended, in whole seconds so far.
func took(s api.Step, now time.Time) string {
	if !s.Ended.IsZero() {
		return look.Span(s.Duration)
	}
	return look.Span(max(time.Second, now.Sub(s.Started).Truncate(time.Second)))
}

// waited is how long the calls of a step waited for their turn, or before another attempt. A wait ends where the next
// attempt begins, which may be before it was due.
func waited(s api.Step, now time.Time) (sum time.Duration) {
	for _, w := range s.Waits {
		until := w.Until
		if s.Ended.IsZero() && (until.IsZero() || until.After(now)) {
			until = now
		}
		for _, a := range s.Attempts {
			if a.At.After(w.From) {
				until = a.At
				break
			}
		}
		sum += max(0, until.Sub(w.From))
	}
	return sum
}
