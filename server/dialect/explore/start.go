package explore

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"rein"
	"rein/api"
	"rein/server/port"
	"rein/server/wire"
)

// An Input starts an agent: it has a prompt, messages or both. An AgentID that you choose must be new. With
// a ParentID the agent becomes a child of that agent, which must be active, and starts with its
// conversation. Metadata is an object of the caller, shown with the agent.
type Input struct {
	Prompt   string          `json:"prompt,omitempty"`
	Messages []CoreMessage   `json:"messages,omitempty"`
	AgentID  rein.RunID      `json:"agentId,omitempty"`
	ParentID *rein.RunID     `json:"parentId,omitempty"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Preset   string          `json:"preset,omitempty"` // it says how the agent works
	// LastEventID continues the stream of an agent that was started before; it replaces all other fields.
	LastEventID string `json:"lastEventId,omitempty"`
}

// A CoreMessage is a message as the AI SDK writes it; the content is a text or a list of text parts.
type CoreMessage struct {
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"`
}

// start starts an agent for the caller.
func (d *dialect) start(ctx context.Context, who rein.Identity, in Input) (rein.RunID, error) {
	if err := wire.May(who, rein.ScopeAct); err != nil {
		return "", err
	}
	ctx, cancel := wire.Lasting(ctx)
	defer cancel()
	messages, err := in.messages()
	if err != nil {
		return "", err
	}
	if err := d.checkNames(ctx, in); err != nil {
		return "", err
	}
	task, err := d.Task(ctx, who, Flow)
	if err != nil {
		return "", err
	}
	task.Flow, task.Household, task.User = Flow, who.Household, who.User
	if in.Preset != "" {
		task.Flow, task.Preset = "", in.Preset
	}
	if err := d.adopt(ctx, who, in.ParentID, &task); err != nil {
		return "", err
	}
	task.Messages, task.Metadata = slices.Concat(task.Messages, messages), in.Metadata
	id := in.AgentID
	if id == "" {
		id = api.NewRunID(time.Now())
	}
	_, err = d.Engine.Start(ctx, id, task)
	if rein.CodeOf(err) == rein.CodeForbidden { // another's session has this name
		err = taken(id)
	}
	return id, err
}

// checkNames refuses an agent's ID that is taken, whoever has it.
func (d *dialect) checkNames(ctx context.Context, in Input) error {
	if in.AgentID == "" {
		return nil
	}
	if err := port.CheckNewID(in.AgentID); err != nil {
		return err
	}
	if in.AgentID.Depth() > 0 {
		return rein.Errorf(rein.CodeInvalid, "agentId %q is the ID of a child: leave out the %q", string(in.AgentID), rein.Separator)
	}
	_, err := d.Store.Run(ctx, in.AgentID)
	switch {
	case err == nil:
		return taken(in.AgentID)
	case rein.CodeOf(err) != rein.CodeNotFound:
		return err
	}
	return nil
}

func taken(id rein.RunID) error {
	return rein.Errorf(rein.CodeConflict, "agentId %q is taken: choose another, or leave it out", string(id))
}

// messages returns what the agent is told, the prompt last.
func (in Input) messages() ([]rein.Message, error) {
	var all []rein.Message
	for i, m := range in.Messages {
		text, err := m.text()
		if err != nil {
			return nil, rein.Errorf(rein.CodeInvalid, "messages[%d]: %w", i, err)
		}
		role, ok := map[string]rein.Role{"user": rein.User, "assistant": rein.Assistant, "system": rein.Developer}[m.Role]
		if !ok {
			return nil, rein.Errorf(rein.CodeInvalid, "messages[%d]: role %.20q must be user, assistant or system", i, m.Role)
		}
		all = append(all, rein.Message{Role: role, Text: text})
	}
	if strings.TrimSpace(in.Prompt) != "" {
		all = append(all, rein.Message{Role: rein.User, Text: in.Prompt})
	}
	if !slices.ContainsFunc(all, func(m rein.Message) bool { return strings.TrimSpace(m.Text) != "" }) {
		return nil, rein.Errorf(rein.CodeInvalid, "there is neither a prompt nor a message with text: say what the agent should do")
	}
	return all, nil
}

func (m CoreMessage) text() (string, error) {
	var text string
	if json.Unmarshal(m.Content, &text) == nil {
		return text, nil
	}
	var list []struct{ Type, Text string }
	if err := json.Unmarshal(m.Content, &list); err != nil {
		return "", rein.Errorf(rein.CodeInvalid, "the content is neither a text nor a list of parts: send one of them")
	}
	var texts []string
	for _, part := range list {
		if part.Type != "text" {
			return "", rein.Errorf(rein.CodeInvalid, "a part of type %.20q cannot be read: send text", part.Type)
		}
		texts = append(texts, part.Text)
	}
	return strings.Join(texts, "\n"), nil
}
