package rein_test

import (
	"strings"
	"testing"

	"rein"
)

var agentStatuses = []rein.AgentStatus{
	rein.AgentRunning, rein.AgentAwaiting, rein.AgentModified, rein.AgentCompleted, rein.AgentDeleted, rein.AgentError,
}

// TestAgentMoves is table B.6: every pair of statuses.
//
// Covers: TREE-21 TAB-B6 TREE-6 TREE-50
func TestAgentMoves(t *testing.T) {
	follows := map[rein.AgentStatus]string{
		rein.AgentRunning:  "awaiting_user modified completed deleted error",
		rein.AgentAwaiting: "running modified completed deleted error",
		rein.AgentModified: "running deleted",
	}
	set := map[rein.AgentStatus]string{
		rein.AgentRunning:  "running modified deleted",
		rein.AgentAwaiting: "awaiting_user modified deleted",
		rein.AgentModified: "running modified deleted",
		// What has ended can only be set to what it is.
		rein.AgentCompleted: "completed", rein.AgentDeleted: "deleted", rein.AgentError: "error",
	}
	for _, from := range agentStatuses {
		for _, to := range agentStatuses {
			if got, want := from.MayBecome(to), hasWord(follows[from], to); got != want {
				t.Errorf("%s may become %s: %v, want %v", from, to, got, want)
			}
			if got, want := from.MayBeSet(to), hasWord(set[from], to); got != want {
				t.Errorf("%s may be set to %s: %v, want %v", from, to, got, want)
			}
		}
		if got, want := from.Final(), follows[from] == ""; got != want {
			t.Errorf("%s is final: %v, want %v", from, got, want)
		}
	}
}

func hasWord(list string, status rein.AgentStatus) bool {
	for word := range strings.FieldsSeq(list) {
		if word == string(status) {
			return true
		}
	}
	return false
}

// Covers: TAB-B6 TREE-6
func TestAgentEnds(t *testing.T) {
	for end, want := range map[rein.End]rein.AgentStatus{
		rein.EndDone: rein.AgentCompleted, rein.EndLimit: rein.AgentCompleted, rein.EndDeclined: rein.AgentCompleted,
		rein.EndStopped: rein.AgentCompleted, rein.EndCancelled: rein.AgentCompleted,
		rein.EndDeleted: rein.AgentDeleted, rein.EndFailed: rein.AgentError,
	} {
		if got := end.Agent(); got != want {
			t.Errorf("an agent that ended as %s is %s, want %s", end, got, want)
		}
	}
}
