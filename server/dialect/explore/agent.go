package explore

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"rein"
	"rein/journal"
)

// An Agent is a run as this contract shows it.
type Agent struct {
	AgentID     rein.RunID       `json:"agentId"`
	ParentID    *rein.RunID      `json:"parentId"` // null for the root of a tree
	UserContent string           `json:"userContent"`
	UserComment string           `json:"userComment"`
	Status      rein.AgentStatus `json:"status"`
	Subagents   []rein.RunID     `json:"subagents"`
	Result      *string          `json:"result"` // null until the agent has ended
	Metadata    map[string]any   `json:"metadata"`
	CreatedAt   time.Time        `json:"createdAt"`
	Step        string           `json:"step,omitempty"`     // the phase of its newest step
	Messages    []Message        `json:"messages,omitempty"` // only in the answer for one agent
}

// The comments that have a meaning. Any other is an annotation.
const (
	Unchanged     = "unchanged"
	DeleteComment = "delete"
	ModifyComment = "modify"
)

// agent reads a run as it stood when its info was read: what came later is left out, so that the agents
// of a tree fit together.
func (d *dialect) agent(ctx context.Context, info rein.RunInfo, withMessages bool) (Agent, error) {
	p := newPortrait(info)
	for e, err := range d.Store.Events(ctx, info.ID, 0) {
		if err != nil {
			return Agent{}, err
		}
		if e.Seq > info.Seq {
			break
		}
		p.see(e)
		if withMessages {
			p.messages.see(e)
		}
	}
	return p.finish(withMessages), nil
}

// A portrait is an agent as it is made of its log.
type portrait struct {
	Agent
	status   journal.Agent
	messages history
}

func newPortrait(info rein.RunInfo) *portrait {
	p := &portrait{Agent: Agent{
		AgentID: info.ID, UserContent: info.Title, UserComment: Unchanged, Subagents: []rein.RunID{},
		Metadata: map[string]any{}, CreatedAt: info.Started.UTC(),
	}}
	if parent := info.ID.Parent(); parent != "" {
		p.ParentID = &parent
	}
	if info.Status.Ended() {
		p.ended(info.End())
	}
	if info.Paused {
		p.Metadata["paused"] = true
	}
	p.Metadata["flow"], p.Metadata["session"] = info.Flow, info.Session
	return p
}

// ended adds what came of the agent.
func (p *portrait) ended(end rein.RunEnd) {
	maps.Copy(p.Metadata, endMetadata(end))
	result := end.Text
	switch {
	case result == "" && end.Failure != nil:
		result = end.Failure.Msg
	case result == "" && end.End == rein.EndDeleted:
		result = "The agent was deleted."
	}
	p.Result = &result
}

// started adds what the agent was started with. What is known of it otherwise stands over its own metadata.
func (p *portrait) started(start rein.RunStart) {
	task := start.Task
	p.UserContent = content(task.Messages, p.UserContent)
	if p.CreatedAt.IsZero() {
		p.CreatedAt = task.Start.UTC()
	}
	if task.Parent != "" {
		p.ParentID = &task.Parent
	}
	own := map[string]any{}
	if json.Unmarshal(task.Metadata, &own) != nil || own == nil {
		own = map[string]any{}
	}
	maps.Copy(own, p.Metadata)
	own["flow"], own["session"] = task.Flow, task.Session
	p.Metadata = own
}

// state is the agent as it is now, for those who are told of it.
func (p *portrait) state(status rein.AgentStatus) *Agent {
	now := p.Agent
	now.Status, now.Metadata, now.Subagents = status, maps.Clone(p.Metadata), append([]rein.RunID{}, p.Subagents...)
	return &now
}

// see takes the next event of the log, and returns the statuses that it brings about.
func (p *portrait) see(e rein.Event) []rein.AgentStatus {
	p.tell(e)
	return p.status.See(e)
}

func (p *portrait) tell(e rein.Event) {
	switch e.Kind {
	case rein.RunStarted:
		if start, err := rein.Payload[rein.RunStart](e); err == nil {
			p.started(start)
		}
	case rein.StepStarted:
		if start, err := rein.Payload[rein.StepStart](e); err == nil && start.Phase != "" && start.Phase != "tool" {
			p.Step = start.Phase
		}
	case rein.RunCompleted, rein.RunStopped, rein.RunFailed:
		if p.Result != nil {
			return
		}
		if end, err := rein.Payload[rein.RunEnd](e); err == nil {
			p.ended(end)
		}
	case rein.StepDone:
		if p.UserComment != ModifyComment {
			return
		}
		if end, err := rein.Payload[rein.StepEnd](e); err == nil && len(end.Items) > 0 {
			p.UserComment = Unchanged // it has read the change
		}
	}
	if e.Kind.Command() != "" {
		p.commanded(e)
	}
}

func (p *portrait) commanded(e rein.Event) {
	c, err := rein.Payload[rein.Command](e)
	if err != nil {
		return
	}
	switch e.Kind.Command() {
	case rein.CommandComment:
		p.UserComment = c.Text
	case rein.CommandModify:
		if p.UserComment = ModifyComment; c.Cause == "" { // else an ancestor's content is a new one
			p.UserContent = c.Text
		}
	case rein.CommandDelete:
		p.UserComment = DeleteComment
	}
}

func (p *portrait) finish(withMessages bool) Agent {
	p.Status = p.status.Status()
	if p.Status == "" {
		p.Status = rein.AgentRunning // its first event was erased
	}
	if withMessages {
		p.Messages = p.messages.all()
	}
	return p.Agent
}

// content is what people asked for last.
func content(messages []rein.Message, otherwise string) string {
	for i := len(messages) - 1; i >= 0; i-- {
		if messages[i].Role == rein.User && messages[i].Text != "" {
			return messages[i].Text
		}
	}
	return otherwise
}

// endMetadata is what is known of an end beside the result: what the flow says of it, and whether it was
// the agent's own.
func endMetadata(end rein.RunEnd) map[string]any {
	metadata := map[string]any{}
	if json.Unmarshal(end.Data, &metadata) != nil || metadata == nil {
		metadata = map[string]any{}
	}
	switch end.End {
	case rein.EndStopped, rein.EndCancelled:
		metadata["stopped"] = true
	case rein.EndLimit:
		metadata["limit"] = true
	case rein.EndDeclined:
		metadata["declined"] = true
	}
	return metadata
}
