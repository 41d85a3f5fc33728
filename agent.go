package rein

import "encoding/json"

// AgentStatus is where a run stands for those who call it an agent.
type AgentStatus string

const (
	AgentRunning   AgentStatus = "running"
	AgentAwaiting  AgentStatus = "awaiting_user" // it has asked something that is still open
	AgentModified  AgentStatus = "modified"      // it was changed and has not read the change yet
	AgentCompleted AgentStatus = "completed"     // also if it was declined, stopped or cancelled, or reached a limit
	AgentDeleted   AgentStatus = "deleted"
	AgentError     AgentStatus = "error"
)

// agentMoves lists where each status may lead. The last three lead nowhere.
var agentMoves = map[AgentStatus][]AgentStatus{
	AgentRunning:  {AgentAwaiting, AgentModified, AgentCompleted, AgentDeleted, AgentError},
	AgentAwaiting: {AgentRunning, AgentModified, AgentCompleted, AgentDeleted, AgentError},
	AgentModified: {AgentRunning, AgentDeleted},
}

// Final reports whether nothing can follow the status.
func (s AgentStatus) Final() bool { return len(agentMoves[s]) == 0 }

// MayBecome reports whether the status can be followed by the other.
func (s AgentStatus) MayBecome(next AgentStatus) bool {
	for _, allowed := range agentMoves[s] {
		if allowed == next {
			return true
		}
	}
	return false
}

// MayBeSet reports whether a person may set the status from outside. The present one may be set
// without effect; the others come about by themselves.
func (s AgentStatus) MayBeSet(next AgentStatus) bool {
	switch {
	case s == next:
		return true
	case s.Final():
		return false
	}
	return next == AgentDeleted || next == AgentModified || next == AgentRunning && s == AgentModified
}

// Agent returns the status of an agent that ended so.
func (e End) Agent() AgentStatus {
	switch e {
	case EndDeleted:
		return AgentDeleted
	case EndFailed:
		return AgentError
	}
	return AgentCompleted
}

// An Agent follows the log of a run and knows its status. The zero value has seen nothing.
type Agent struct {
	status   AgentStatus
	open     map[AskID]bool
	modified int // changes that were not read yet
}

// Status returns where the run stands after the events so far; empty: it has not started.
func (a *Agent) Status() AgentStatus { return a.status }

// See takes the next event of the log and returns the statuses that it brings about, in their order:
// mostly none, and always such as may follow each other.
func (a *Agent) See(e Event) []AgentStatus {
	if a.status != "" && a.status.Final() {
		return nil
	}
	if e.Kind.Ends() {
		var end RunEnd
		if json.Unmarshal(e.Data, &end) != nil || end.End == "" {
			end.End = map[Kind]End{RunCompleted: EndDone, RunStopped: EndStopped, RunFailed: EndFailed}[e.Kind]
		}
		return a.move(end.End.Agent())
	}
	a.note(e)
	switch {
	case a.modified > 0:
		return a.move(AgentModified)
	case len(a.open) > 0:
		return a.move(AgentAwaiting)
	}
	return a.move(AgentRunning)
}

// note keeps what an event says about asks and changes.
func (a *Agent) note(e Event) {
	if a.open == nil {
		a.open = map[AskID]bool{}
	}
	switch e.Kind {
	case AskOpened:
		var ask Ask
		if json.Unmarshal(e.Data, &ask) == nil && ask.State == AskPending {
			a.open[ask.ID] = true
		}
	case StepDone:
		var end StepEnd
		if json.Unmarshal(e.Data, &end) == nil {
			for _, item := range end.Items {
				if item.Kind == CommandModify {
					a.modified--
				}
			}
		}
	}
	switch kind := e.Kind.Command(); {
	case kind == CommandAnswer || kind == CommandExpire:
		var c Command
		if json.Unmarshal(e.Data, &c) == nil {
			delete(a.open, c.Ask)
		}
	case kind == CommandModify || kind.Force() > 0: // what is open is withdrawn
		clear(a.open)
		if kind == CommandModify {
			a.modified++
		}
	}
}

// move goes to a status, by way of running if there is no other.
func (a *Agent) move(next AgentStatus) []AgentStatus {
	before := a.status
	if a.status = next; before == next {
		return nil
	}
	if before == "" || before.MayBecome(next) {
		return []AgentStatus{next}
	}
	return []AgentStatus{AgentRunning, next}
}
