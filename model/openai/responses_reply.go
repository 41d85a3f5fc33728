package openai

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"rein"
)

// responseBody is a response, whole or as the last event has it.
type responseBody struct {
	Model      string                   `json:"model"`
	Status     string                   `json:"status"`
	Error      json.RawMessage          `json:"error"`
	Incomplete *struct{ Reason string } `json:"incomplete_details"`
	Output     []json.RawMessage        `json:"output"`
	Usage      *usage                   `json:"usage"`
}

// item is one item of a response, as far as it is understood.
type item struct {
	Type      string            `json:"type"`
	CallID    string            `json:"call_id"`
	Name      string            `json:"name"`
	Arguments json.RawMessage   `json:"arguments"`
	Encrypted string            `json:"encrypted_content"`
	Phase     string            `json:"phase"`
	Summary   []json.RawMessage `json:"summary"`
	Content   []struct {
		Type        string            `json:"type"`
		Text        string            `json:"text"`
		Refusal     string            `json:"refusal"`
		Annotations []json.RawMessage `json:"annotations"`
	} `json:"content"`
}

// isPointer reports whether a reasoning item only points to what the provider has stored. Nothing
// is stored there, so that it would be refused.
func (it item) isPointer() bool {
	return it.Type == "reasoning" && it.Encrypted == "" && len(it.Content) == 0 && len(it.Summary) == 0
}

// responsesReader makes a reply of a response.
type responsesReader struct {
	show  func(string)
	names names

	body   *responseBody
	items  []indexed // of a stream, as they were done
	shown  bool
	status string
}

// whole implements reader.
func (r *responsesReader) whole(data []byte) error {
	var body responseBody
	if err := decode(data, &body); err != nil {
		return fmt.Errorf("the response is not whole: %w", err)
	}
	if err := r.finish(&body, data); err != nil {
		return err
	}
	return nil
}

// finish takes a response that nothing follows.
func (r *responsesReader) finish(body *responseBody, data []byte) error {
	if len(body.Output) == 0 {
		for _, it := range r.items {
			body.Output = append(body.Output, it.raw)
		}
	}
	r.body, r.status = body, body.Status
	if isSet(body.Error) {
		f := parseFault(body.Error)
		return f
	}
	if body.Status == "failed" {
		return parseFault(data)
	}
	return nil
}

// reply implements reader.
func (r *responsesReader) reply() (rein.ModelReply, error) {
	if r.body == nil || (r.body.Output == nil && r.body.Status == "") {
		return rein.ModelReply{}, &fault{Message: "the answer holds no response", Code: notJSON}
	}
	msg, err := r.message()
	if err != nil {
		return rein.ModelReply{}, err
	}
	switch r.body.Status {
	case "queued", "in_progress", "cancelled":
		return rein.ModelReply{}, &fault{Message: fmt.Sprintf("the response is %s: it was not written to its end", r.body.Status)}
	case "incomplete":
		msg.Stop = rein.StopLength
		if r.body.Incomplete != nil && r.body.Incomplete.Reason == "content_filter" {
			msg.Stop = rein.StopFilter
		}
	}
	markCut(&msg)
	if !r.shown && msg.Text != "" {
		r.show(msg.Text)
	}
	return rein.ModelReply{Message: msg, Usage: r.body.Usage.rein(), Model: r.body.Model}, nil
}

// message reads the items of the response.
func (r *responsesReader) message() (rein.Message, error) {
	msg := rein.Message{Role: rein.Assistant}
	var text strings.Builder
	isPlain := true
	for _, raw := range r.body.Output {
		var it item
		if err := decode(raw, &it); err != nil {
			return msg, fmt.Errorf("an item is not whole: %w", err)
		}
		switch it.Type {
		case "message":
			isPlain = isPlain && len(msg.Calls) == 0 && text.Len() == 0 && it.Phase == ""
			for _, part := range it.Content {
				text.WriteString(part.Text + part.Refusal)
				isPlain = isPlain && part.Type == "output_text" && len(part.Annotations) == 0
				if part.Type == "refusal" {
					msg.Stop = rein.StopRefusal
				}
			}
		case "function_call":
			msg.Calls = append(msg.Calls, rein.ToolCall{ID: it.CallID, Name: r.names.from(it.Name), Args: argsOf(unquoted(it.Arguments))})
		default:
			isPlain = false
		}
	}
	msg.Text = text.String()
	if !isPlain {
		msg.Raw = &rein.Raw{API: responsesAPI, Data: encode(r.body.Output)}
	}
	return msg, nil
}

type indexed struct {
	index int
	raw   json.RawMessage
}

// keep puts an item that is done in its place.
func (r *responsesReader) keep(index int, raw json.RawMessage) {
	at := len(r.items)
	for at > 0 && r.items[at-1].index > index {
		at--
	}
	r.items = slices.Insert(r.items, at, indexed{index, raw})
}
