package rein

import (
	"encoding/json"
	"time"
)

// Role says who speaks in a transcript.
type Role string

const (
	System    Role = "system"    // persona, policy, safety
	Developer Role = "developer" // tool contracts, output formats
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// A Message is one entry of a transcript. An assistant message with calls is followed by one tool message
// per call, in the same order.
type Message struct {
	Role  Role       `json:"role"`
	Text  string     `json:"text,omitempty"`
	Calls []ToolCall `json:"calls,omitempty"`

	CallID string     `json:"call_id,omitempty"` // for a tool message: the call that it answers
	Status ToolStatus `json:"status,omitempty"`  // for a tool message: the status of the call
	// FromPerson says, for a tool message, that the text is a person's own words. Any other result is outside
	// text, and the model is instructed not to obey it.
	FromPerson bool   `json:"from_person,omitempty"`
	Note       string `json:"note,omitempty"` // what rein adds to a result

	Images []Image `json:"images,omitempty"` // for a message of a user or a tool
	// Past is set if the message comes from an earlier run of the session.
	Past *Past `json:"past,omitempty"`
	// Pinned says that no summary takes the message's place: it is what the run is to do. The engine
	// sets it, for guards.
	Pinned bool `json:"-"`
	// Raw is, for a message of an assistant, the reply as the provider wrote it, with parts that only that
	// provider can read; rein sends it back unchanged.
	Raw  *Raw `json:"raw,omitempty"`
	Stop Stop `json:"stop,omitempty"` // for a message of an assistant: why the reply was cut off, if it was
	// Redacted lists the kinds of secrets that were taken out of a reply. Its StepEnd keeps them.
	Redacted []string `json:"-"`
}

// Past says which earlier run a message comes from, or which earlier runs it replaces.
type Past struct {
	Run  RunID `json:"run,omitempty"`
	Fold Hash  `json:"fold,omitzero"` // the digest of what it replaces
}

// Raw is a reply in the format of the API that it came from: thinking with its signature, encrypted
// reasoning and citations, in their places among text and calls.
type Raw struct {
	API  string          `json:"api"` // which API can read data: anthropic, openai.chat or openai.responses
	Data json.RawMessage `json:"data"`
}

// Stop says why a reply was cut off.
type Stop string

const (
	StopLength  Stop = "length"  // it reached its limit of tokens
	StopRefusal Stop = "refusal" // the model refused to answer
	StopFilter  Stop = "filter"  // the provider blocked it
)

// A Prompt is one request to a model.
type Prompt struct {
	About
	Model     string          `json:"model,omitempty"`
	Messages  []Message       `json:"-"` // a flow does not change what it has sent: it appends, or makes another slice
	Tools     []string        `json:"tools,omitempty"`
	Schema    json.RawMessage `json:"schema,omitempty"`     // if set, the reply is JSON of this shape
	MaxTokens int64           `json:"max_tokens,omitempty"` // how many tokens the reply may have; 0: the model's own limit
	Stream    bool            `json:"stream,omitempty"`     // show the reply to people while it is written
	// Prose is Stream for a reply that may be something else than prose. It is shown while it is written
	// unless it begins like a call, JSON or code, and up to an object at its end. A reply with calls that began
	// as prose has been shown that far: its calls count.
	Prose bool `json:"prose,omitempty"`
	// Rendering says how calls and results are written for the model; empty: as suits the model.
	Rendering Rendering `json:"rendering,omitempty"`
	// Compact says when a summary replaces the older messages; null: never.
	Compact *Compact `json:"compact,omitempty"`
	// HandOver lists lines by which the reply hands over to other work. A reply of [Prompt.Prose] that begins with one is
	// not shown; if one comes later, what was shown of the reply is withdrawn.
	HandOver []string `json:"hand_over,omitempty"`
	// Closing marks the last call of a run whose budget is spent. It has no tools, and it drops its oldest
	// messages until it fits the run's reserve.
	Closing bool `json:"closing,omitempty"`
}

// Rendering names a way to write tool calls and results for a model. The transcript underneath is
// always the same.
type Rendering string

const (
	RenderNative Rendering = "native" // as calls and results of the provider's API
	RenderText   Rendering = "text"   // <tool_call> and <tool_result> blocks in the text
	RenderJSON   Rendering = "json"   // results as JSON in a user message
	RenderLog    Rendering = "log"    // a numbered log of observations in a user message
)

// Compact says when a history is too long, and how much of it stays as it is. A field that is 0 has its
// default.
type Compact struct {
	Messages int     `json:"messages,omitempty"` // how many messages a prompt has at most
	Share    float64 `json:"share,omitempty"`    // which share of the model's window a prompt uses at most
	Keep     int     `json:"keep,omitempty"`     // how many of the newest messages stay
}

// PhaseConsult is the phase of a model call that a tool asked for; see Tool.Consults.
const PhaseConsult = "consult"

// About says what a step is for, in the words that people are shown.
type About struct {
	Phase string `json:"phase,omitempty"` // decide, reason, observe, plan, final …
	Round int    `json:"round,omitempty"` // 1, 2, 3 …: the turn of the flow's loop
	Human string `json:"human,omitempty"` // "Searching… K=20"
}

// Usage is what a model call took.
type Usage struct {
	Input  int64 `json:"input,omitempty"`  // tokens
	Output int64 `json:"output,omitempty"` // tokens
	Micros int64 `json:"micros,omitempty"` // millionths of the currency unit

	// Parts of the above, if the provider reports them.

	Cached     int64 `json:"cached,omitempty"`      // input that was in the provider's cache
	CacheWrite int64 `json:"cache_write,omitempty"` // input that was written to the cache
	Reasoning  int64 `json:"reasoning,omitempty"`   // output that is not shown
}

// A ToolCall is a model's request to use a tool. Args is what the model wrote, which may not be JSON.
type ToolCall struct {
	About
	ID   string          `json:"id"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
	// Why says why the model wants the call, in its own words, where it does not say so in the text of its reply.
	Why string `json:"why,omitempty"`
	// Internal marks a read that a flow makes for itself, with a tool that models are not offered. The
	// result is rein's own data: it is not counted and not clipped.
	Internal bool `json:"internal,omitempty"`
}

// plainCall has the fields of a ToolCall and not its methods.
type plainCall ToolCall

// rawCall is a call whose arguments are not JSON, as it is written.
type rawCall struct {
	plainCall
	Raw string `json:"raw_args,omitempty"`
}

// MarshalJSON writes arguments that are not JSON as a string of another name, so that a log can
// hold whatever a model comes up with.
func (c ToolCall) MarshalJSON() ([]byte, error) {
	if len(c.Args) == 0 || json.Valid(c.Args) {
		return json.Marshal(plainCall(c))
	}
	raw := rawCall{plainCall(c), string(c.Args)}
	raw.Args = nil
	return json.Marshal(raw)
}

// UnmarshalJSON is the inverse of MarshalJSON.
func (c *ToolCall) UnmarshalJSON(data []byte) error {
	var raw rawCall
	if err := json.Unmarshal(data, &raw); err != nil {
		return err
	}
	*c = ToolCall(raw.plainCall)
	if raw.Raw != "" {
		c.Args = json.RawMessage(raw.Raw)
	}
	return nil
}

// A ToolResult is the result of a call. Every call gets one, whatever happened.
type ToolResult struct {
	Status ToolStatus      `json:"status"`
	Text   string          `json:"text,omitempty"` // for the model
	Data   json.RawMessage `json:"data,omitempty"` // for flows and clients
	// Handle is set if the text was clipped: the tool read_result uses it to read the whole text.
	Handle     string `json:"handle,omitempty"`
	FromPerson bool   `json:"from_person,omitempty"` // the text is a person's own words
	Mended     string `json:"mended,omitempty"`      // how the call was repaired, if it was: name, tolerant, coerced, model or person
	Note       string `json:"note,omitempty"`        // what rein tells the model about changed arguments; not from the tool
	// Evidence says which part of the data may be cited. It is empty in older logs.
	Evidence Evidence   `json:"evidence,omitempty"`
	Images   []Image    `json:"images,omitempty"` // for the model, named by their hashes
	Files    []Artifact `json:"files,omitempty"`  // that the call left in the session
}

// Answer returns the message that answers the call in a transcript.
func (c ToolCall) Answer(r ToolResult) Message {
	return Message{Role: ToolRole, CallID: c.ID, Status: r.Status, Text: r.Text, FromPerson: r.FromPerson, Note: r.Note, Images: r.Images}
}

// ToolStatus is the status of a call.
type ToolStatus string

const (
	ToolOK      ToolStatus = "ok"
	ToolFailed  ToolStatus = "failed"  // it failed and changed nothing
	ToolRefused ToolStatus = "refused" // it was not run: the tool is unknown, not allowed or denied
	ToolTimeout ToolStatus = "timeout" // a pure call that took too long
	ToolUnknown ToolStatus = "unknown" // it was made, and nobody knows whether it happened
	ToolSkipped ToolStatus = "skipped" // it was not run because the run was interrupted or a person said skip
)

// Failed reports whether the model should be told of an error.
func (s ToolStatus) Failed() bool { return s != ToolOK }

// A Question is what a flow asks a person.
type Question struct {
	About
	Text     string        `json:"text"`
	Choices  []string      `json:"choices,omitempty"`
	For      string        `json:"for,omitempty"`     // the user who may answer; empty: anyone of the household
	Timeout  time.Duration `json:"timeout,omitempty"` // zero waits for ever
	OnExpiry Expiry        `json:"on_expiry,omitempty"`
}

// An Item is something that a person, or another run of the tree, sent to a run, as Inbox returns it.
type Item struct {
	Kind    CommandKind `json:"kind"` // message or modify
	By      string      `json:"by,omitempty"`
	Command CommandID   `json:"command"`
	Text    string      `json:"text"`
	Cause   CommandID   `json:"cause,omitempty"` // it was sent to an ancestor of this run
	From    RunID       `json:"from,omitempty"`  // the run of the same tree that sent it; empty: a person did
}
