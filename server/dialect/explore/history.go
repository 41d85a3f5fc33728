package explore

import (
	"cmp"
	"encoding/json"
	"strings"

	"rein"
	"rein/journal"
)

// A Message is one of an agent's history, as the AI SDK writes it: the content is a text, or parts.
type Message struct {
	Role    string `json:"role"` // user, assistant, tool or system
	Content any    `json:"content"`
	Phase   string `json:"phase,omitempty"` // for what a model said: the phase of its call
}

// A Part is a part of a message: a text, a tool call or the result of one.
type Part struct {
	Type       string          `json:"type"`
	Text       string          `json:"text,omitempty"`
	ToolCallID string          `json:"toolCallId,omitempty"`
	ToolName   string          `json:"toolName,omitempty"`
	Args       json.RawMessage `json:"args,omitempty"`
	Result     *string         `json:"result,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

// A history is everything that was said in a run, in the order of its log. The zero value is empty.
type history struct {
	messages []Message
	log      journal.Transcript
	said     string // by a model, last
}

func (h *history) all() []Message {
	if h.messages == nil {
		return []Message{}
	}
	return h.messages
}

func (h *history) add(role, text string) {
	if text != "" {
		h.messages = append(h.messages, Message{Role: role, Content: text})
	}
}

func (h *history) see(e rein.Event) {
	for _, said := range h.log.See(e) {
		h.take(said)
	}
}

func (h *history) take(s journal.Said) {
	switch {
	case s.Step != nil && s.Role == rein.ToolRole:
		call, result := s.Step.Call(), s.Step.End.Result
		h.messages = append(h.messages, Message{Role: "tool", Content: []Part{{
			Type: "tool-result", ToolCallID: call.ID, ToolName: call.Name, Result: &result.Text, IsError: result.Status.Failed(),
		}}})
	case s.Step != nil:
		h.said = s.Text
		h.messages = append(h.messages, Message{Role: "assistant", Content: parts(s.Message), Phase: s.Step.Phase})
	case s.Ask != nil && s.Role == rein.User:
		h.add("user", cmp.Or(s.Text, string(s.Ask.Answer.State)))
	case s.End != nil && strings.TrimSpace(s.Text) == strings.TrimSpace(h.said):
	default:
		h.add(roleOf(s.Role), s.Text)
	}
}

// parts is the content of what a model said.
func parts(m rein.Message) any {
	if len(m.Calls) == 0 {
		return m.Text
	}
	var all []Part
	if m.Text != "" {
		all = append(all, Part{Type: "text", Text: m.Text})
	}
	for _, call := range m.Calls {
		all = append(all, Part{Type: "tool-call", ToolCallID: call.ID, ToolName: call.Name, Args: validJSON(call.Args)})
	}
	return all
}

func roleOf(r rein.Role) string {
	switch r {
	case rein.User, rein.Assistant:
		return string(r)
	}
	return "system"
}
