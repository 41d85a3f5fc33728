package journal_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/journal"
)

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
		"asking while it is stopped": {
			[]rein.Event{started, sent(rein.CommandStop, ""), asking("r1:1.ask", rein.AskPending), agentEnd(rein.EndStopped)},
			[]rein.AgentStatus{"running", "completed"},
		},
		"late writes": {
			[]rein.Event{started, agentEnd(rein.EndFailed), sent(rein.CommandModify, ""), agentEnd(rein.EndDone)},
			[]rein.AgentStatus{"running", "error"},
		},
		"erased": {[]rein.Event{{Kind: rein.RunStarted}, {Kind: rein.AskOpened}, {Kind: rein.RunFailed}}, []rein.AgentStatus{"running", "error"}},
	} {
		var agent journal.Agent
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
		if agent.Status() != got[len(got)-1] {
			t.Errorf("%s: the status is %q", name, agent.Status())
		}
	}
}
