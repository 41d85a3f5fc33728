package assist

import (
	"encoding/json"
	"time"

	"rein"
)

// A Chunk is one data line of a stream.
type Chunk struct {
	Type ChunkType `json:"type"`
	TS   time.Time `json:"ts"` // when it was sent

	Text    string   `json:"text,omitempty"`    // for status and token
	Tool    string   `json:"tool,omitempty"`    // for tool_start, tool_done and step_output
	Phase   string   `json:"phase,omitempty"`   // for step_output: plan, tool_result or reflect
	Content *string  `json:"content,omitempty"` // for step_output
	Message *string  `json:"message,omitempty"` // for done
	Actions *Actions `json:"actions,omitempty"` // for done
	Error   string   `json:"error,omitempty"`   // for done
}

// ChunkType is the kind of a chunk.
type ChunkType string

const (
	StatusChunk ChunkType = "status"
	ToolStart   ChunkType = "tool_start"
	ToolDone    ChunkType = "tool_done"
	Token       ChunkType = "token"
	StepOutput  ChunkType = "step_output"
	DoneChunk   ChunkType = "done" // once, and last
)

// A Reply is the answer of POST /chat.
type Reply struct {
	Message   string  `json:"message"`
	Reasoning string  `json:"reasoning"`
	Actions   Actions `json:"actions"`
	Error     string  `json:"error,omitempty"` // why the turn was cut off

	asks    []rein.Ask // that it shows, the one that its message is last
	failure *rein.Failure
}

// done is the reply as the last chunk of a stream.
func (r Reply) done() Chunk {
	return Chunk{Type: DoneChunk, Message: &r.Message, Actions: &r.Actions, Error: r.Error}
}

// Actions is a list in JSON, also if there are none.
type Actions []Action

// MarshalJSON writes no actions as an empty list.
func (a Actions) MarshalJSON() ([]byte, error) {
	if a == nil {
		return []byte("[]"), nil
	}
	return json.Marshal([]Action(a))
}

// An Action is something that happens if a person agrees: an ask for an approval or a confirmation.
type Action struct {
	// ID is made by the server for this client and this action. Repeat it to execute the action.
	ID          string          `json:"id"`
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Reasoning   string          `json:"reasoning"`
	State       ActionState     `json:"state,omitempty"` // in a history

	ask rein.Ask
}

// ActionState is the state of an action.
type ActionState string

const (
	ActionPending   ActionState = "pending"
	ActionConfirmed ActionState = "confirmed" // it is being done
	ActionExecuted  ActionState = "executed"
	ActionFailed    ActionState = "failed"
	ActionRejected  ActionState = "rejected"
	ActionExpired   ActionState = "expired" // nobody answered in time, or it is no longer needed
)

func actionOf(ask rein.Ask, reasoning string) Action {
	a := Action{ask: ask, Name: string(ask.Kind), Description: ask.Text, Parameters: json.RawMessage("{}"), Reasoning: reasoning}
	if ask.Call != nil {
		a.Name = ask.Call.Name
		if json.Valid(ask.Call.Args) {
			a.Parameters = ask.Call.Args
		}
	}
	return a
}
