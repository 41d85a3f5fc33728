package cassette

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"rein"
)

// Before returns the tape up to the first event of a step of its root: what had happened, in any of
// its runs, when the step began.
func (t *Tape) Before(step rein.StepKey) (*Tape, error) {
	all := t.order()
	at := slices.IndexFunc(all, func(e rein.Event) bool {
		return e.Run == t.Run && (e.Step.Step() == step || strings.HasPrefix(string(e.Step), string(step)+"."))
	})
	if at < 0 || step == "" {
		return nil, rein.Errorf(rein.CodeNotFound, "run %s has no step %q; its last one is %q", t.Run, string(step), string(t.lastStep()))
	}
	return &Tape{Header: t.Header, Events: byRun(all[:at])}, nil
}

func (t *Tape) lastStep() (last rein.StepKey) {
	for _, e := range t.Log(t.Run) {
		if e.Kind == rein.StepDone {
			last = e.Step
		}
	}
	return last
}

// byRun puts the events of each run together again.
func byRun(order []rein.Event) []rein.Event {
	logs := map[rein.RunID][]rein.Event{}
	for _, e := range order {
		logs[e.Run] = append(logs[e.Run], e)
	}
	var all []rein.Event
	for _, run := range slices.Sorted(maps.Keys(logs)) {
		all = append(all, logs[run]...)
	}
	return all
}

// Step returns how a step of the root ended, and whether it is known.
func (t *Tape) Step(step rein.StepKey) (start rein.StepStart, end rein.StepEnd, ok bool) {
	for _, e := range t.Log(t.Run) {
		if e.Step != step {
			continue
		}
		switch e.Kind {
		case rein.StepStarted:
			start, _ = rein.Payload[rein.StepStart](e) // then it has no prompt and no call
		case rein.StepDone:
			var err error
			end, err = rein.Payload[rein.StepEnd](e)
			ok = err == nil
		}
	}
	return start, end, ok
}

// Add lets a step of the root end so, after everything else.
func (t *Tape) Add(step rein.StepKey, end json.RawMessage) {
	last := t.Events[len(t.Events)-1]
	for _, e := range t.Events {
		if e.At.After(last.At) {
			last.At = e.At
		}
	}
	log := t.Log(t.Run)
	done := rein.Event{Run: t.Run, Seq: log[len(log)-1].Seq + 1, At: last.At, Kind: rein.StepDone, Step: step, Data: end}
	t.Events = byRun(append(slices.Clone(t.Events), done))
}

// Unasked takes the approvals of some tools off the tape, with what people said to them.
func (t *Tape) Unasked(tools []string) {
	gone := map[rein.AskID]bool{}
	t.Events = slices.DeleteFunc(slices.Clone(t.Events), func(e rein.Event) bool {
		if ask, ok := askOf(e); ok && ask.Kind == rein.AskApproval && ask.Call != nil && slices.Contains(tools, ask.Call.Name) {
			gone[ask.ID] = true
			return true
		}
		if e.Kind.Command() == "" {
			return false
		}
		c, err := rein.Payload[rein.Command](e)
		return err == nil && gone[c.Ask]
	})
}

// Undecided takes the calls off the tape that people were asked about and that had not ended, with what
// people said to them. Whoever plays the tape makes these calls, so people must decide anew.
func (t *Tape) Undecided() {
	ended, asked := map[stepAt]bool{}, map[stepAt]bool{}
	asks := map[rein.AskID]stepAt{}
	for _, e := range t.Events {
		at := stepAt{e.Run, e.Step.Step()}
		if e.Kind == rein.StepDone {
			ended[at] = true
		}
		if ask, ok := askOf(e); ok && ask.Kind != rein.AskQuestion {
			asked[at], asks[ask.ID] = true, at
		}
	}
	open := func(at stepAt) bool { return asked[at] && !ended[at] }
	t.Events = slices.DeleteFunc(slices.Clone(t.Events), func(e rein.Event) bool {
		if e.Kind.Command() == "" {
			return open(stepAt{e.Run, e.Step.Step()})
		}
		c, err := rein.Payload[rein.Command](e)
		return err == nil && c.Ask != "" && open(asks[c.Ask])
	})
}

func askOf(e rein.Event) (ask rein.Ask, ok bool) {
	if e.Kind != rein.AskOpened {
		return ask, false
	}
	ask, err := rein.Payload[rein.Ask](e)
	return ask, err == nil
}
