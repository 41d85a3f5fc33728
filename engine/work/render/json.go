package render

import (
	"bytes"
	"encoding/json"
	"strings"

	"rein"
	"rein/internal/quote"
)

type jsonCall struct {
	Name      string          `json:"name"`
	ID        string          `json:"id"`
	Arguments json.RawMessage `json:"arguments"`
}

type jsonResult struct {
	Name   string `json:"name"`
	ID     string `json:"id"`
	Status string `json:"status"`
	From   string `json:"from,omitempty"`
	Note   string `json:"note,omitempty"`
	Output string `json:"output"`
}

// asJSON writes calls as JSON in the assistant's text, and the results of a turn as JSON in a user's
// message: what tools return never stands where rules stand. Outputs are quoted inside their strings.
func asJSON(parts []part) []rein.Message {
	var out []rein.Message
	for _, p := range parts {
		switch {
		case p.orphan:
			out = append(out, p.note())
		case len(p.done) > 0:
			calls, results := asObjects(p.done)
			out = append(out, rein.Message{Role: rein.Assistant, Text: paragraphs(p.Text, line(map[string]any{"tool_calls": calls}))})
			out = append(out, rein.Message{Role: rein.User, Text: line(map[string]any{"tool_results": results}), Images: p.images()})
		default:
			out = append(out, p.Message)
		}
	}
	return out
}

func asObjects(done []exchange) (calls []jsonCall, results []jsonResult) {
	for _, e := range done {
		calls = append(calls, jsonCall{e.call.Name, e.call.ID, asRaw(e.call)})
		from := ""
		if e.result.FromPerson {
			from = "person"
		}
		results = append(results, jsonResult{e.call.Name, e.call.ID, string(e.status()), from, quote.Escape(e.result.Note), e.quoted()})
	}
	return calls, results
}

// asRaw returns the arguments as JSON: as a string if they are none.
func asRaw(call rein.ToolCall) json.RawMessage {
	args := arguments(call)
	if json.Valid([]byte(args)) {
		return json.RawMessage(args)
	}
	return json.RawMessage(line(args))
}

// line writes a value as JSON in one line, with "<" as it is: models read it.
func line(v any) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "null" // strings and valid JSON always encode
	}
	return strings.ToValidUTF8(strings.TrimRight(b.String(), "\n"), "\ufffd")
}
