package anthropic

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Kinds of content blocks that mean something to us. All others are kept in Raw and sent back.
const (
	kindText     = "text"
	kindCall     = "tool_use"
	kindThinking = "thinking"
	kindRedacted = "redacted_thinking"
)

// A block is one piece of a reply's content.
type block struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	ID    string          `json:"id"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`

	raw  json.RawMessage // as it goes back; what an encoder writes, so that no log changes it
	args json.RawMessage // of a call: what the model wrote
}

// isThinking reports whether the block is the model's thinking, open or sealed.
func (b block) isThinking() bool { return b.Type == kindThinking || b.Type == kindRedacted }

// isEmpty reports whether the API would refuse the block as it is.
func (b block) isEmpty() bool { return b.Type == kindText && isBlank(b.Text) }

func isBlank(text string) bool { return strings.TrimSpace(text) == "" }

// wholeBlock reads a block. What cannot be read is kept and means nothing.
func wholeBlock(raw json.RawMessage) block {
	var b block
	_ = json.Unmarshal(raw, &b)
	b.raw = normal(raw)
	if b.args = b.Input; len(b.args) == 0 || string(b.args) == "null" {
		b.args = json.RawMessage("{}")
	}
	return b
}

// normal returns JSON as an encoder writes it: the log and the request then leave it as it is.
func normal(raw json.RawMessage) json.RawMessage {
	data, err := json.Marshal(raw)
	if err != nil {
		return json.RawMessage("null")
	}
	return data
}

// markCut is for a call at the end of a reply that had no room left. In one piece it comes with the
// arguments that were finished, which look whole. They are made to look like what they are, so that
// nobody runs half a call.
func (b *block) markCut() {
	if b.Type != kindCall || !json.Valid(b.args) {
		return
	}
	args := bytes.TrimSpace(bytes.TrimSuffix(bytes.TrimSpace(b.args), []byte("}")))
	args = bytes.Clone(args)
	if len(args) > 1 {
		args = append(args, ',')
	}
	b.args = append(args, '"') // the beginning of a name: no reader can take it for the end
}

// object returns arguments as the API takes them. What is no JSON object is wrapped as the API's
// documentation advises, so that the model sees what it wrote.
func object(args json.RawMessage) json.RawMessage {
	switch {
	case len(bytes.TrimSpace(args)) == 0:
		return json.RawMessage("{}")
	case isObject(args):
		return args
	}
	data, err := json.Marshal(map[string]string{"INVALID_JSON": string(args)})
	if err != nil {
		return json.RawMessage("{}")
	}
	return data
}

func isObject(data json.RawMessage) bool {
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) && json.Valid(data)
}
