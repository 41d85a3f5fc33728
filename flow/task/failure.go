package task

import (
	"strconv"
	"strings"

	"rein/flow/internal/turn"
)

// failure says of a task that failed what is missing, what was tried, and what the person can do next.
func (t errand) failure(s State) string {
	if !t.Explains {
		return say(t.Task, "earlier "+s.Reason)
	}
	if len(turn.Usable(t.Task)) == 0 {
		return say(t.Task, "no tools")
	}
	parts := []string{say(t.Task, "failed "+s.Reason)}
	switch s.Reason {
	case reasonTurns:
		parts[0] = say(t.Task, "failed turns", strconv.Itoa(s.Limits.Turns))
	case reasonNoAnswer:
		parts[0] = say(t.Task, "failed unasked", s.Asked)
	}
	if tried := t.Tried(); tried != "" {
		parts = append(parts, say(t.Task, "tried")+"\n"+tried)
	}
	return strings.Join(append(parts, say(t.Task, "next "+s.Reason)), "\n\n")
}

// nothing says that nothing could be made of the task.
func nothing(t *turn.Turn) string {
	switch {
	case !t.Explains:
		return say(t.Task, "earlier nothing")
	case len(turn.Usable(t.Task)) == 0:
		return say(t.Task, "no tools")
	}
	return say(t.Task, "nothing")
}
