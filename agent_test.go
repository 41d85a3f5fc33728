package rein_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func agentEvent(kind rein.Kind, data any) rein.Event {
	raw, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	return rein.Event{Run: "r1", Kind: kind, Data: raw}
}

func asking(id rein.AskID, state rein.AskState) rein.Event {
	return agentEvent(rein.AskOpened, rein.Ask{ID: id, State: state})
}

func sent(kind rein.CommandKind, ask rein.AskID) rein.Event {
	return agentEvent(kind.EventKind(), rein.Command{Kind: kind, Ask: ask})
}

func agentRead(kinds ...rein.CommandKind) rein.Event {
	var end rein.StepEnd
	for _, kind := range kinds {
		end.Items = append(end.Items, rein.Item{Kind: kind})
	}
	return agentEvent(rein.StepDone, end)
}

func agentEnd(end rein.End) rein.Event {
	return agentEvent(end.EndKind(), rein.RunEnd{Outcome: rein.Outcome{End: end}})
}

// TestAgentSees lets an agent follow logs. What it passes through is always a legal way.
//
// Covers: TAB-B6 TREE-6 TREE-51
func TestAgentSees(t *testing.T) {
	started := agentEvent(rein.RunStarted, rein.RunStart{})
	for name, c := range map[string]struct {
		log  []rein.Event
		want []rein.AgentStatus
	}{
		"done": {[]rein.Event{started, agentRead(), agentEnd(rein.EndDone)}, []rein.AgentStatus{"running", "completed"}},
		"asked, answered": {
			[]rein.Event{started, asking("r1:1.ask", rein.AskPending), sent(rein.CommandAnswer, "r1:1.ask"), agentEnd(rein.EndDone)},
			[]rein.AgentStatus{"running", "awaiting_user", "running", "completed"},
		},
		"two asks, and one is answered": {
			[]rein.Event{started, asking("r1:1.1.ask", rein.AskPending), asking("r1:1.2.ask", rein.AskPending), sent(rein.CommandAnswer, "r1:1.2.ask")},
			[]rein.AgentStatus{"running", "awaiting_user"},
		},
		"no answer in time": {
			[]rein.Event{started, asking("r1:1.ask", rein.AskPending), sent(rein.CommandExpire, "r1:1.ask")},
			[]rein.AgentStatus{"running", "awaiting_user", "running"},
		},
		"opened withdrawn": {[]rein.Event{started, asking("r1:1.ask", rein.AskWithdrawn)}, []rein.AgentStatus{"running"}},
		"modified while asking": {
			[]rein.Event{started, asking("r1:1.ask", rein.AskPending), sent(rein.CommandModify, ""), agentRead(rein.CommandMessage, rein.CommandModify)},
			[]rein.AgentStatus{"running", "awaiting_user", "modified", "running"},
		},
		"modified twice, read once": {
			[]rein.Event{started, sent(rein.CommandModify, ""), sent(rein.CommandModify, ""), agentRead(rein.CommandModify)},
			[]rein.AgentStatus{"running", "modified"},
		},
		"a comment": {[]rein.Event{started, sent(rein.CommandComment, ""), sent(rein.CommandMessage, "")}, []rein.AgentStatus{"running"}},
		"deleted while modified": {
			[]rein.Event{started, sent(rein.CommandModify, ""), sent(rein.CommandDelete, ""), agentEnd(rein.EndDeleted)},
			[]rein.AgentStatus{"running", "modified", "deleted"},
		},
		"completed while modified": {
			[]rein.Event{started, sent(rein.CommandModify, ""), agentEnd(rein.EndDone)},
			[]rein.AgentStatus{"running", "modified", "running", "completed"},
		},
		"deleted while asking": {
			[]rein.Event{started, asking("r1:1.ask", rein.AskPending), sent(rein.CommandDelete, ""), agentEnd(rein.EndDeleted)},
			[]rein.AgentStatus{"running", "awaiting_user", "running", "deleted"},
		},
		"late writes": {
			[]rein.Event{started, agentEnd(rein.EndFailed), sent(rein.CommandModify, ""), agentEnd(rein.EndDone)},
			[]rein.AgentStatus{"running", "error"},
		},
		"erased": {[]rein.Event{{Kind: rein.RunStarted}, {Kind: rein.AskOpened}, {Kind: rein.RunFailed}}, []rein.AgentStatus{"running", "error"}},
	} {
		var agent rein.Agent
		var got []rein.AgentStatus
		for _, e := range c.log {
			got = append(got, agent.See(e)...)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
		for i, next := range got {
			if i > 0 && !got[i-1].MayBecome(next) {
				t.Errorf("%s: %s cannot become %s", name, got[i-1], next)
			}
		}
		if !slices.Contains(agentStatuses, agent.Status()) || agent.Status() != got[len(got)-1] {
			t.Errorf("%s: the status is %q", name, agent.Status())
		}
	}
}
