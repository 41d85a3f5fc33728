package strict

import (
	"encoding/json"

	"rein"
)

// A Message is what a client is sent. Fields that do not belong to its type are left out.
type Message struct {
	Type       string `json:"type"`
	UpdateType string `json:"update_type,omitempty"` // of agent_update

	MaxSteps int    `json:"max_steps,omitempty"`
	Step     int    `json:"step,omitempty"`
	Steps    *int   `json:"steps,omitempty"`
	Question string `json:"question,omitempty"`
	// Choices are the only answers to the question, if it has any.
	Choices []string `json:"choices,omitempty"`

	// CallID is the model's in messages of a tool. In those of an approval it is the server's own, of this
	// socket and this request: the answer repeats it.
	CallID    string          `json:"tool_call_id,omitempty"`
	Tool      string          `json:"tool_name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	AllowEdit *bool           `json:"allow_edit,omitempty"`
	Result    *string         `json:"result,omitempty"`
	Error     string          `json:"error,omitempty"`

	Token   *string `json:"token,omitempty"`
	IsFirst *bool   `json:"is_first,omitempty"`
	IsLast  *bool   `json:"is_last,omitempty"`

	Content *string `json:"content,omitempty"`
	Message string  `json:"message,omitempty"` // repeats the content, for older clients
	Until   string  `json:"until,omitempty"`   // of a warning: when the wait is over

	ErrorType string `json:"error_type,omitempty"` // of error

	// Where it stands. A message with a cursor is of the log and comes again for who asks for what
	// comes after an earlier one; those without are of the moment.
	Conversation string     `json:"conversation_id,omitempty"`
	Run          rein.RunID `json:"run,omitempty"`
	Cursor       string     `json:"cursor,omitempty"`

	ask *rein.Ask // what it shows, if it is about an ask
}

// The types of messages to clients.
const (
	typeUpdate   = "agent_update"
	typeStart    = "tool_start"
	typeComplete = "tool_complete"
	typeError    = "tool_error"
	typeApproval = "tool_approval_request"
	typeToken    = "token_stream"
	typeWarning  = "warning"
	typeFault    = "error"
	typeDone     = "response_complete"
)

// The update types of agent_update.
const (
	agentStart      = "agent_start"
	agentTurn       = "agent_turn_start"
	agentReason     = "agent_reason"
	agentInput      = "agent_request_input"
	agentTimeout    = "agent_request_input_timeout"
	agentObserve    = "agent_observe"
	agentStopped    = "agent_stopped"
	agentCompletion = "agent_completion"
)

func update(kind string, step int) Message {
	return Message{Type: typeUpdate, UpdateType: kind, Step: step}
}

// saying returns the message with a content.
func (m Message) saying(text string) Message {
	m.Content, m.Message = &text, text
	return m
}

func warning(text string) Message { return Message{Type: typeWarning}.saying(text) }

func token(text string, first, last bool) Message {
	return Message{Type: typeToken, Token: &text, IsFirst: &first, IsLast: &last}
}

// fault tells an error. Of one that is not about the client's message it tells no more than that: the
// text may hold what is not for the client.
func fault(err error) Message {
	m := failed(rein.FailureOf(err))
	if m.ErrorType == unexpected {
		m.Message = "something went wrong here that is not your message's fault"
	}
	return m
}

func failed(f *rein.Failure) Message {
	return Message{Type: typeFault, Message: f.Msg, ErrorType: errorType(f.Code)}
}

const unexpected = "unexpected"

// errorType sorts a failure into what clients of the contract know.
func errorType(code rein.Code) string {
	switch code {
	case rein.CodeRateLimited, rein.CodeQuota:
		return "rate_limit"
	case rein.CodeTimeout:
		return "timeout"
	case rein.CodeUnauthorized:
		return "authentication"
	case rein.CodeTooLong:
		return "context_window_exceeded"
	case rein.CodeProvider:
		return "bad_request"
	case rein.CodeInvalid, rein.CodeNotFound, rein.CodeForbidden, rein.CodeConflict, rein.CodeFinished, rein.CodeClosed, rein.CodeBusy:
		return "validation"
	}
	return unexpected
}
