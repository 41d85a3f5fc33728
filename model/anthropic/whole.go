package anthropic

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
)

// asEvents makes a stream of a reply that came whole, as some servers send it whatever they are asked for.
// What is no reply becomes a stream that has none.
func asEvents(resp *http.Response) (*http.Response, error) {
	defer resp.Body.Close()
	data, err := io.ReadAll(&bounded{ReadCloser: resp.Body, left: maxBody, alive: func() {}})
	if err != nil {
		return nil, err
	}
	var m struct {
		Type    string            `json:"type"`
		Content []json.RawMessage `json:"content"`
		Stop    string            `json:"stop_reason"`
		Usage   json.RawMessage   `json:"usage"`
	}
	if json.Unmarshal(data, &m) != nil {
		m.Type = ""
	}
	var b bytes.Buffer
	event := func(kind string, payload any) {
		text, _ := json.Marshal(payload) // it came from JSON
		b.WriteString("event: " + kind + "\ndata: " + string(text) + "\n\n")
	}
	if m.Usage == nil {
		m.Usage = json.RawMessage("{}")
	}
	switch m.Type {
	case "error":
		event("error", json.RawMessage(data))
	case "message":
		event("message_start", map[string]any{"type": "message_start", "message": json.RawMessage(data)})
		for i, block := range m.Content {
			event("content_block_start", map[string]any{"type": "content_block_start", "index": i, "content_block": block})
		}
		event("message_delta", map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": m.Stop}, "usage": m.Usage})
		event("message_stop", map[string]any{"type": "message_stop"})
	default:
		event("message_stop", map[string]any{"type": "message_stop"})
	}
	stream := *resp
	stream.Header = resp.Header.Clone()
	stream.Header.Set("Content-Type", "text/event-stream")
	stream.Body, stream.ContentLength = io.NopCloser(&b), -1
	return &stream, nil
}
