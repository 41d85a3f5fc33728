package explore

import (
	"encoding/json"
	"strings"

	"rein"
)

// A Message is one of an agent's history, as the AI SDK writes it: the content is a text, or parts.
type Message struct {
	Role    string `json:"role"` // user, assistant, tool or system
	Content any    `json:"content"`
	Phase   string `json:"phase,omitempty"` // of what a model said: what it was asked for
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
	steps    map[rein.StepKey]rein.StepStart
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
	if h.steps == nil {
		h.steps = map[rein.StepKey]rein.StepStart{}
	}
	switch {
	case e.Kind == rein.RunStarted:
		var start rein.RunStart
		_ = json.Unmarshal(e.Data, &start)
		for _, m := range start.Task.Messages {
			h.add(roleOf(m.Role), m.Text)
		}
	case e.Kind == rein.StepStarted:
		var start rein.StepStart
		if json.Unmarshal(e.Data, &start) == nil {
			h.steps[e.Step] = start
		}
	case e.Kind == rein.StepDone:
		h.done(e)
	case e.Kind == rein.AskOpened:
		var ask rein.Ask
		_ = json.Unmarshal(e.Data, &ask)
		h.add("assistant", ask.Text)
	case e.Kind.Command() == rein.CommandAnswer:
		var c rein.Command
		_ = json.Unmarshal(e.Data, &c)
		if c.Answer.Text == "" {
			c.Answer.Text = string(c.Answer.State)
		}
		h.add("user", c.Answer.Text)
	case e.Kind.Ends():
		var end rein.RunEnd
		_ = json.Unmarshal(e.Data, &end)
		if strings.TrimSpace(end.Text) != strings.TrimSpace(h.said) {
			h.add("assistant", end.Text)
		}
	}
}

// done adds what a model said, what a tool gave, or what people said meanwhile.
func (h *history) done(e rein.Event) {
	var end rein.StepEnd
	_ = json.Unmarshal(e.Data, &end)
	start := h.steps[e.Step]
	delete(h.steps, e.Step)
	for _, item := range end.Items {
		h.add("user", item.Text)
	}
	switch {
	case end.Message != nil:
		h.said = end.Message.Text
		h.messages = append(h.messages, Message{Role: "assistant", Content: parts(*end.Message), Phase: start.Phase})
	case end.Result != nil && start.Call != nil && !start.Call.Internal:
		h.messages = append(h.messages, Message{Role: "tool", Content: []Part{{
			Type: "tool-result", ToolCallID: start.Call.ID, ToolName: start.Call.Name, Result: &end.Result.Text, IsError: end.Result.Status.Failed(),
		}}})
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
