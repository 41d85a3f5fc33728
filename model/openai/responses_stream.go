package openai

import (
	"encoding/json"
	"fmt"
)

// responseEvent is one event of a streamed response.
type responseEvent struct {
	Type     string          `json:"type"`
	Delta    json.RawMessage `json:"delta"`
	Index    int             `json:"output_index"`
	Item     json.RawMessage `json:"item"`
	Response json.RawMessage `json:"response"`
	Error    json.RawMessage `json:"error"`
}

// event implements reader. The last event has the whole response; text is shown on the way.
func (r *responsesReader) event(data []byte) (last bool, err error) {
	var e responseEvent
	if err := decode(data, &e); err != nil {
		return false, fmt.Errorf("an event is not JSON: %w", err)
	}
	switch e.Type {
	case "response.output_text.delta", "response.refusal.delta":
		if text := unquoted(e.Delta); text != "" {
			r.shown = true
			r.show(text)
		}
	case "response.output_item.done":
		r.keep(e.Index, e.Item)
	case "response.completed", "response.incomplete", "response.failed", "response.cancelled":
		var body responseBody
		if err := decode(e.Response, &body); err != nil {
			return false, fmt.Errorf("the response is not whole: %w", err)
		}
		return true, r.finish(&body, e.Response)
	case "error":
		return false, parseFault(data)
	default:
		if e.Type == "" && isSet(e.Error) {
			return false, parseFault(data)
		}
	}
	return false, nil
}

// ended implements reader: a response always says that it is over.
func (r *responsesReader) ended() bool { return r.body != nil }
