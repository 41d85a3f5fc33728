package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"rein"
	"rein/model/sent"
)

// chatBody is an answer, or one chunk of it.
type chatBody struct {
	Model   string                  `json:"model"`
	Error   json.RawMessage         `json:"error"`
	Usage   *usage                  `json:"usage"`
	XGroq   *struct{ Usage *usage } `json:"x_groq"`
	Choices []chatChoice            `json:"choices"`
}

type chatChoice struct {
	Index   int             `json:"index"`
	Message json.RawMessage `json:"message"`
	Delta   chatMessage     `json:"delta"`
	Finish  string          `json:"finish_reason"`
	Error   json.RawMessage `json:"error"`
}

// chatMessage is a message, or what a chunk adds to it.
type chatMessage struct {
	Content   json.RawMessage `json:"content"` // a string, or a list of parts
	Refusal   string          `json:"refusal"`
	ToolCalls []chatCall      `json:"tool_calls"`

	// What compatible servers add: the model's thinking, which some want back.
	ReasoningContent string            `json:"reasoning_content"`
	Reasoning        json.RawMessage   `json:"reasoning"`
	ReasoningDetails []json.RawMessage `json:"reasoning_details"`
	Annotations      []json.RawMessage `json:"annotations"`
}

type chatCall struct {
	Index    *int   `json:"index"`
	ID       string `json:"id"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // a string that holds JSON; of some servers, JSON
	} `json:"function"`
	Extra json.RawMessage `json:"extra_content"` // Gemini's signatures
}

// chatReader makes a reply of a chat completion.
type chatReader struct {
	show  func(string)
	names names
	turn  int // how many messages came before: calls that have no ID are named by it

	model   string
	finish  string
	choices int
	text    sent.Text
	shown   int // bytes of text and refusal
	refusal strings.Builder
	calls   []*streamedCall
	usage   *usage
	kept    chatExtras
	raw     json.RawMessage // the whole message, if it came as one
	chunk   chatBody        // the last one of a stream
	shape   chunkShape      // of that one
}

// streamedCall is a call as its fragments add up.
type streamedCall struct {
	index    int
	id, name string
	args     strings.Builder
	extra    json.RawMessage
}

// whole implements reader.
func (r *chatReader) whole(data []byte) error {
	var body chatBody
	if err := decode(data, &body); err != nil {
		return fmt.Errorf("the answer is not whole: %w", err)
	}
	if isSet(body.Error) {
		return parseFault(data)
	}
	if r.take(&body); len(body.Choices) == 0 {
		return nil
	}
	first := body.Choices[0]
	if isSet(first.Error) {
		return parseFault(first.Error)
	}
	var msg chatMessage
	if err := decode(first.Message, &msg); len(first.Message) > 0 && err != nil {
		return fmt.Errorf("the message is not whole: %w", err)
	}
	r.finish, r.raw = first.Finish, first.Message
	r.add(msg)
	return nil
}

func isSet(raw json.RawMessage) bool { return len(raw) > 0 && !bytes.Equal(raw, []byte("null")) }

// take keeps what answers and chunks have in common.
func (r *chatReader) take(body *chatBody) {
	if body.Model != "" {
		r.model = body.Model
	}
	if body.XGroq != nil && body.XGroq.Usage != nil {
		r.usage = body.XGroq.Usage
	}
	if body.Usage != nil {
		r.usage = body.Usage // each chunk's counts all before it
	}
	r.choices += len(body.Choices)
}

// add appends what a message or a chunk says.
func (r *chatReader) add(msg chatMessage) {
	text := r.kept.content(msg.Content, &r.text)
	r.text.Add(text, r.shown)
	r.refusal.WriteString(msg.Refusal)
	if shown := text + msg.Refusal; shown != "" {
		r.show(shown)
		r.shown += len(shown)
	}
	for _, c := range msg.ToolCalls {
		r.addCall(c)
	}
	r.kept.add(msg)
}

// addCall adds a fragment to its call: by index, or by ID where servers give no index or the same
// one to all calls.
func (r *chatReader) addCall(c chatCall) {
	call := r.callOf(c)
	if call == nil {
		index := len(r.calls)
		if c.Index != nil {
			index = *c.Index
		}
		call = &streamedCall{index: index, id: c.ID}
		r.calls = append(r.calls, call)
	}
	if call.id == "" {
		call.id = c.ID
	}
	if name := c.Function.Name; name != call.name { // some repeat it with each fragment
		call.name += name
	}
	call.args.WriteString(unquoted(c.Function.Arguments))
	if isSet(c.Extra) {
		call.extra = c.Extra
	}
}

func (r *chatReader) callOf(c chatCall) *streamedCall {
	if r.raw != nil {
		return nil // in a whole message each is a call of its own
	}
	for i := len(r.calls) - 1; i >= 0; i-- {
		call := r.calls[i]
		isOther := c.ID != "" && call.id != "" && c.ID != call.id && c.Function.Name != ""
		switch {
		case c.Index == nil && c.ID == "" && c.Function.Name == "":
			return call // the last one
		case c.Index == nil && c.ID != "" && c.ID == call.id:
			return call
		case c.Index != nil && call.index == *c.Index && !isOther:
			return call
		}
	}
	return nil
}

// unquoted returns the text of a JSON string, or JSON of another kind as it is.
func unquoted(raw json.RawMessage) string {
	if !isSet(raw) {
		return ""
	}
	if n := len(raw) - 1; n > 0 && raw[0] == '"' && raw[n] == '"' && bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return string(raw[1:n]) // nothing in it is written otherwise than it is
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// reply implements reader.
func (r *chatReader) reply() (rein.ModelReply, error) {
	if r.choices == 0 {
		return rein.ModelReply{}, &fault{Message: "the answer holds no reply", Code: notJSON}
	}
	r.nameCalls()
	msg := rein.Message{Role: rein.Assistant, Text: r.text.String()}
	for _, c := range r.calls {
		msg.Calls = append(msg.Calls, rein.ToolCall{ID: c.id, Name: r.names.from(c.name), Args: argsOf(c.args.String())})
	}
	switch r.finish {
	case "length", "max_tokens", "model_length":
		msg.Stop = rein.StopLength
	case "content_filter", "safety":
		msg.Stop = rein.StopFilter
	case "refusal":
		msg.Stop = rein.StopRefusal
	case "error":
		return rein.ModelReply{}, &fault{Message: "the server broke the reply off with an error that it does not name"}
	}
	if r.refusal.Len() > 0 {
		msg.Stop, msg.Text = rein.StopRefusal, msg.Text+r.refusal.String()
	}
	if data := r.rawMessage(); data != nil {
		msg.Raw = &rein.Raw{API: chatAPI, Data: data}
	}
	markCut(&msg)
	return rein.ModelReply{Message: msg, Usage: r.usage.rein(), Model: r.model}, nil
}

// argsOf returns the arguments as the model wrote them; none at all is an empty object.
func argsOf(text string) json.RawMessage {
	if strings.TrimSpace(text) == "" {
		return json.RawMessage("{}")
	}
	return json.RawMessage(text)
}

// markCut is for a call at the end of a reply that had no room left for its arguments: nobody may
// take it for one that has none.
func markCut(msg *rein.Message) {
	if n := len(msg.Calls); msg.Stop == rein.StopLength && n > 0 && string(msg.Calls[n-1].Args) == "{}" {
		msg.Calls[n-1].Args = json.RawMessage("{")
	}
}

// nameCalls gives an ID to calls that came without one, or with that of another.
func (r *chatReader) nameCalls() {
	seen := map[string]bool{}
	for i, c := range r.calls {
		if c.id == "" || seen[c.id] {
			c.id = fmt.Sprintf("call_%d_%d", r.turn, i)
		}
		seen[c.id] = true
	}
}
