package journal

import (
	"cmp"

	"rein"
)

// An Agent follows the log of a run and knows its status.
type Agent struct {
	status   rein.AgentStatus
	asks     Asks
	modified int // changes that were not read yet
}

// Status returns where the run stands after the events so far; empty: it has not started.
func (a *Agent) Status() rein.AgentStatus { return a.status }

// See takes the next event of the log and returns the statuses that it brings about, in their order:
// mostly none, and always such as may follow each other.
func (a *Agent) See(e rein.Event) []rein.AgentStatus {
	a.asks.See(e)
	var step *Step
	if e.Kind == rein.StepDone {
		end := read[rein.StepEnd](e)
		step = &Step{End: &end}
	}
	return a.see(e, step, len(a.asks.open) > 0)
}

// see is See for who knows the step of the event, and whether the run has open asks after it.
func (a *Agent) see(e rein.Event, step *Step, awaits bool) []rein.AgentStatus {
	switch {
	case a.status != "" && a.status.Final():
		return nil
	case e.Kind.Ends():
		return a.move(EndOf(e).End.Agent())
	case e.Kind == rein.CommandModify.EventKind():
		a.modified++
	case e.Kind == rein.StepDone && step.Over():
		for _, item := range step.End.Items {
			if item.Kind == rein.CommandModify {
				a.modified--
			}
		}
	}
	switch {
	case a.modified > 0:
		return a.move(rein.AgentModified)
	case awaits:
		return a.move(rein.AgentAwaiting)
	}
	return a.move(rein.AgentRunning)
}

// move goes to a status, by way of running if there is no other.
func (a *Agent) move(next rein.AgentStatus) []rein.AgentStatus {
	before := a.status
	if a.status = next; before == next {
		return nil
	}
	if before == "" || before.MayBecome(next) {
		return []rein.AgentStatus{next}
	}
	return []rein.AgentStatus{rein.AgentRunning, next}
}

// EndOf returns how a run ended. Of an event whose payload was erased only the kind tells.
func EndOf(e rein.Event) rein.RunEnd {
	end := read[rein.RunEnd](e)
	end.End = cmp.Or(end.End, map[rein.Kind]rein.End{rein.RunCompleted: rein.EndDone, rein.RunStopped: rein.EndStopped, rein.RunFailed: rein.EndFailed}[e.Kind])
	return end
}
