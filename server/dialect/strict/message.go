package strict

import (
	"encoding/json"

	"rein"
)

// A Message goes to a client. Fields that do not belong to its type are left out.
type Message struct {
	Type       string `json:"type"`
	UpdateType string `json:"update_type,omitempty"` // of agent_update

	MaxSteps int    `json:"max_steps,omitempty"`
	Step     int    `json:"step,omitempty"`
	Steps    *int   `json:"steps,omitempty"`
	Question string `json:"question,omitempty"`
	// Choices are the only answers to the question, if it has any.
	Choices []string `json:"choices,omitempty"`
	// Deadline is when a request is over without an answer, and Timeout for how many seconds it was open to
	// begin with. ElicitationID names the question for an elicitation_response; it is the server's own, of
	// this socket and this question.
	Deadline      string `json:"deadline,omitempty"`
	Timeout       int    `json:"timeout_seconds,omitempty"`
	ElicitationID string `json:"elicitation_id,omitempty"`

	// CallID is the model's in messages of a tool. In those of an approval it is the server's own, of this
	// socket and this request: the answer repeats it.
	CallID    string          `json:"tool_call_id,omitempty"`
	Tool      string          `json:"tool_name,omitempty"`
	Server    string          `json:"server_name,omitempty"` // of tool_start: whose tool it is
	Arguments json.RawMessage `json:"arguments,omitempty"`
	AllowEdit *bool           `json:"allow_edit,omitempty"`
	Result    *string         `json:"result,omitempty"`
	Error     string          `json:"error,omitempty"`
	Success   *bool           `json:"success,omitempty"` // of the end of a call, and of file_attach
	Files     []File          `json:"files,omitempty"`   // that the call left in the session
	Images    []Image         `json:"images,omitempty"`  // that the call returned to the model

	Token   *string `json:"token,omitempty"`
	IsFirst *bool   `json:"is_first,omitempty"`
	IsLast  *bool   `json:"is_last,omitempty"`

	Content *string `json:"content,omitempty"`
	Message string  `json:"message,omitempty"` // repeats the content, for older clients
	Until   string  `json:"until,omitempty"`   // of a warning: when the wait is over

	ErrorType string `json:"error_type,omitempty"` // of error

	State   string  `json:"state,omitempty"`      // of session_state and conversation_restored: new, running, awaiting_user or idle
	Session string  `json:"session_id,omitempty"` // of session_reset: the conversation that begins
	File    string  `json:"filename,omitempty"`
	Base64  *string `json:"content_base64,omitempty"` // of file_download
	Key     string  `json:"s3_key,omitempty"`         // of file_attach: as the client named it

	// Where it stands. A message with a cursor is of the log and comes again for who asks for what
	// comes after an earlier one; those without are of the moment.
	Conversation string     `json:"conversation_id,omitempty"`
	Run          rein.RunID `json:"run,omitempty"`
	Cursor       string     `json:"cursor,omitempty"`

	ask   *rein.Ask // what it shows, if it is about an ask
	loose bool      // it is of the moment, though it comes with an event
}

// The types of messages to clients.
const (
	typeUpdate   = "agent_update"
	typeStart    = "tool_start"
	typeComplete = "tool_complete"
	typeError    = "tool_error"
	typeApproval = "tool_approval_request"
	typeToken    = "token_stream"
	typeResponse = "chat_response"
	typeState    = "session_state"
	typeReset    = "session_reset"
	typeRestored = "conversation_restored"
	typeDownload = "file_download"
	typeAttach   = "file_attach"
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

// response is a text that did not come in pieces.
func response(text string) Message { return Message{Type: typeResponse}.saying(text) }

// endOfText ends a text that came in pieces. It is always empty: clients do not read its token.
func endOfText() Message { return token("", false, true) }

// fault tells an error. Of one that is not about the client's message it tells no more than that: the
// text may hold what is not for the client.
func fault(err error) Message {
	m := failed(rein.FailureOf(err))
	if m.ErrorType == unexpected {
		m.Message = "something went wrong in rein; your message is not the cause"
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
