package explore

import (
	"encoding/json"

	"rein"
	"rein/server/shown"
)

// A Chunk is a message to a client. Its fields depend on its type; every chunk of a stream names its agent.
type Chunk struct {
	Type    ChunkType  `json:"type"`
	AgentID rein.RunID `json:"agentId,omitempty"`
	// EventID is the place to continue a stream after this chunk. Over SSE it is the id of the event.
	EventID string `json:"eventId,omitempty"`

	State *Agent `json:"state,omitempty"` // for agent-state and agent-completed: the agent as it is now

	// Of a text: what it is written for (act, summary and so on), its ID, which is the same in all its chunks, and its next piece under both names that
	// the AI SDK has had for it. A text-start of an ID that was there before begins that text again.
	Phase     string `json:"phase,omitempty"`
	ID        string `json:"id,omitempty"`
	Attempt   int    `json:"attempt,omitempty"`
	TextDelta string `json:"textDelta,omitempty"`
	Delta     string `json:"delta,omitempty"`

	// Of a tool call and its result, also under both names each.
	ToolCallID string          `json:"toolCallId,omitempty"`
	ToolName   string          `json:"toolName,omitempty"`
	Args       json.RawMessage `json:"args,omitempty"`
	Input      json.RawMessage `json:"input,omitempty"`
	Result     *string         `json:"result,omitempty"` // for agent-completed and finish too: the final text
	Output     *string         `json:"output,omitempty"`
	IsError    bool            `json:"isError,omitempty"`

	// Of a user-query. QueryID is the server's own, of this connection and this query: the answer
	// repeats it.
	QueryID string       `json:"queryId,omitempty"`
	Kind    rein.AskKind `json:"kind,omitempty"`
	Prompt  string       `json:"prompt,omitempty"`
	Choices []string     `json:"choices,omitempty"`

	MessageID    string `json:"messageId,omitempty"`    // for start
	FinishReason string `json:"finishReason,omitempty"` // for finish: stop, length, error or other

	// Of an error, under both names.
	Error     string    `json:"error,omitempty"`
	ErrorText string    `json:"errorText,omitempty"`
	Code      rein.Code `json:"code,omitempty"`

	Success *bool `json:"success,omitempty"` // for intervention-success
	Tree    any   `json:"tree,omitempty"`    // for agent-tree: agents by their IDs

	ask *rein.Ask // of a user-query: what it shows
}

// named gives a user-query the ID under which a connection knows it.
func (c *Chunk) named(book *shown.Book) {
	if c.ask != nil {
		c.QueryID = book.Issue(*c.ask)
	}
}

// ChunkType is the kind of a chunk.
type ChunkType string

const (
	AgentState ChunkType = "agent-state"
	UserQuery  ChunkType = "user-query"

	// The AI SDK's own. Reasoning is what the root wrote for itself before its summary.
	Start      ChunkType = "start"
	Reasoning  ChunkType = "reasoning-delta"
	TextStart  ChunkType = "text-start"
	TextDelta  ChunkType = "text-delta"
	TextEnd    ChunkType = "text-end"
	ToolCall   ChunkType = "tool-call"
	ToolResult ChunkType = "tool-result"
	Finish     ChunkType = "finish"
	Error      ChunkType = "error"

	// AgentText is what a child writes, between agent-text-start and agent-text-end.
	AgentText ChunkType = "agent-text-delta"

	// Answers, over a WebSocket only.
	AgentCompleted      ChunkType = "agent-completed"
	AgentTree           ChunkType = "agent-tree"
	InterventionSuccess ChunkType = "intervention-success"
)

// validJSON returns arguments as JSON: a text, if that is not what they are.
func validJSON(args json.RawMessage) json.RawMessage {
	switch {
	case len(args) == 0:
		return json.RawMessage("{}")
	case json.Valid(args):
		return args
	}
	text, err := json.Marshal(string(args))
	if err != nil {
		return json.RawMessage("{}") // a text can always be written
	}
	return text
}
