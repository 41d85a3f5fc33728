package openai

import (
	"context"
	"encoding/json"
	"strconv"

	"rein"
	"rein/internal/jsontext"
)

// responsesRequest writes a request for a response. Nothing is stored at the provider; reasoning comes
// back encrypted, so that only the provider can read it.
func (m *Model) responsesRequest(ctx context.Context, r rein.ModelRequest, t *transcript, streamed bool) error {
	tools, err := m.tools.list(r.Offered, t.names, appendResponsesTool)
	if err != nil {
		return err
	}
	head := append(make([]byte, 0, 256), `{"max_output_tokens":`...)
	head = strconv.AppendInt(head, m.limit(r), 10)
	if m.opt.Quirks.OneCall && len(r.Offered) > 0 {
		head = append(head, `,"parallel_tool_calls":false`...)
	}
	head = append(head, `,"store":false`...)
	if m.wantsEncrypted() {
		head = append(head, `,"include":["reasoning.encrypted_content"]`...)
	}
	if err := t.write(ctx, r, append(head, `,"input":[`...), len(tools)+512, m.appendInput); err != nil {
		return err
	}
	b := append(t.Data, `],"model":`...)
	b = jsontext.AppendString(b, m.opt.Model)
	b = m.appendResponsesFormat(b, r)
	if len(tools) > 0 {
		b = append(append(b, `,"tools":`...), tools...)
	}
	t.Data = appendStream(b, streamed)
	return nil
}

// appendResponsesTool writes a tool. Strict is what this API takes if it is not told, and few schemas are.
func appendResponsesTool(b []byte, name, description string, schema json.RawMessage) []byte {
	b = append(b, `{"strict":false,"parameters":`...)
	b = append(b, schema...)
	b = append(b, `,"name":`...)
	b = jsontext.AppendString(b, name)
	if description != "" {
		b = append(b, `,"description":`...)
		b = jsontext.AppendString(b, description)
	}
	return append(b, `,"type":"function"}`...)
}

// appendInput writes the items of a message, each with a comma behind it.
func (m *Model) appendInput(b []byte, msg rein.Message, n names) []byte {
	switch {
	case msg.Role == rein.Assistant:
		return m.appendItems(b, msg, n)
	case msg.Role == rein.ToolRole:
		b = append(b, `{"output":`...)
		b = appendOutput(b, msg)
		b = append(b, `,"call_id":`...)
		b = jsontext.AppendString(b, msg.CallID)
		return append(b, `,"type":"function_call_output"},`...)
	case len(msg.Images) > 0:
		return append(appendInputImages(b, msg), ',')
	}
	return append(appendInputText(b, msg.Role, msg.Text), ',')
}

func appendInputText(b []byte, role rein.Role, text string) []byte {
	b = append(b, `{"content":`...)
	return appendRole(jsontext.AppendString(b, text), role)
}

func appendInputImages(b []byte, msg rein.Message) []byte {
	b = appendInputParts(append(b, `{"content":[`...), msg)
	return appendRole(append(b, ']'), msg.Role)
}

// appendInputParts writes the text and the images of a message.
func appendInputParts(b []byte, msg rein.Message) []byte {
	if msg.Text != "" {
		b = append(b, `{"text":`...)
		b = append(jsontext.AppendString(b, msg.Text), `,"type":"input_text"},`...)
	}
	for i, img := range msg.Images {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"detail":"auto","image_url":`...)
		b = append(jsontext.AppendString(b, imageURL(img)), `,"type":"input_image"}`...)
	}
	return b
}

// appendItems writes an earlier reply: its items as they came, if they are known.
func (m *Model) appendItems(b []byte, msg rein.Message, n names) []byte {
	if raw := msg.Raw; raw != nil && raw.API == responsesAPI && !m.opt.Quirks.PlainHistory {
		if items, ok := itemsFor(raw.Data, msg.Calls); ok {
			for _, item := range items {
				b = append(append(b, item...), ',')
			}
			return b
		}
	}
	if msg.Text != "" || len(msg.Calls) == 0 {
		b = append(appendInputText(b, rein.Assistant, msg.Text), ',')
	}
	for _, c := range msg.Calls {
		b = append(b, `{"arguments":`...)
		b = jsontext.AppendString(b, argsText(c.Args))
		b = append(b, `,"call_id":`...)
		b = jsontext.AppendString(b, c.ID)
		b = append(b, `,"name":`...)
		b = append(jsontext.AppendString(b, n.to(c.Name)), `,"type":"function_call"},`...)
	}
	return b
}

// itemsFor returns the items of a raw reply that can be sent back. It is not ok if the calls among
// them are not those of the message.
func itemsFor(data json.RawMessage, calls []rein.ToolCall) (items []json.RawMessage, ok bool) {
	var all []json.RawMessage
	if json.Unmarshal(data, &all) != nil {
		return nil, false
	}
	made := 0
	for _, raw := range all {
		var it item
		if json.Unmarshal(raw, &it) != nil {
			return nil, false
		}
		if it.Type == "function_call" {
			if made >= len(calls) || calls[made].ID != it.CallID {
				return nil, false
			}
			made++
		}
		if !it.isPointer() {
			items = append(items, raw)
		}
	}
	return items, made == len(calls) && len(items) > 0
}
