package rein

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
