package openai

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strconv"

	"rein"
	"rein/internal/jsontext"
)

// chatRequest writes a request for a chat completion. Its messages come first, so that those of
// a longer talk begin with the bytes of the shorter one.
func (m *Model) chatRequest(ctx context.Context, r rein.ModelRequest, t *transcript, streamed bool) error {
	tools, err := m.tools.list(r.Offered, t.names, appendChatTool)
	if err != nil {
		return err
	}
	if err := t.write(ctx, r, []byte(`{"messages":[`), len(tools)+512, m.appendChatMessage); err != nil {
		return err
	}
	b := append(t.Data, `],"model":`...)
	b = jsontext.AppendString(b, m.opt.Model)
	if m.opt.Quirks.OldMaxTokens {
		b = append(b, `,"max_tokens":`...)
	} else {
		b = append(b, `,"max_completion_tokens":`...)
	}
	b = strconv.AppendInt(b, m.limit(r), 10)
	if m.opt.Quirks.OneCall && len(r.Offered) > 0 {
		b = append(b, `,"parallel_tool_calls":false`...)
	}
	if streamed && !m.opt.Quirks.NoStreamUsage {
		b = append(b, `,"stream_options":{"include_usage":true}`...)
	}
	b = m.appendChatFormat(b, r)
	if len(tools) > 0 {
		b = append(append(b, `,"tools":`...), tools...)
	}
	t.Data = appendStream(b, streamed)
	return nil
}

// appendStream ends a request.
func appendStream(b []byte, streamed bool) []byte {
	if streamed {
		b = append(b, `,"stream":true`...)
	}
	return append(b, '}')
}

// sizeOf estimates how many bytes messages take, so that the body of a request seldom has to grow.
func sizeOf(messages []rein.Message) int {
	size := 0
	for i := range messages {
		msg := &messages[i]
		size += 96 + len(msg.Text) + len(msg.Text)/16
		for _, c := range msg.Calls {
			size += 96 + len(c.Args) + len(c.Args)/4
		}
		for _, img := range msg.Images {
			size += 64 + len(img.URL) + len(img.Data)*4/3
		}
		if msg.Raw != nil {
			size += len(msg.Raw.Data)
		}
	}
	return size
}

func appendChatTool(b []byte, name, description string, schema json.RawMessage) []byte {
	b = append(b, `{"function":{"name":`...)
	b = jsontext.AppendString(b, name)
	if description != "" {
		b = append(b, `,"description":`...)
		b = jsontext.AppendString(b, description)
	}
	b = append(b, `,"parameters":`...)
	b = append(b, schema...)
	return append(b, `},"type":"function"}`...)
}

// appendChatMessage writes a message with a comma behind it.
func (m *Model) appendChatMessage(b []byte, msg rein.Message, n names) []byte {
	return append(m.appendChat(b, msg, n), ',')
}

func (m *Model) appendChat(b []byte, msg rein.Message, n names) []byte {
	switch {
	case msg.Role == rein.Assistant:
		return m.appendChatReply(b, msg, n)
	case msg.Role == rein.User && len(msg.Images) > 0:
		return appendChatImages(b, msg)
	}
	b = append(b, `{"content":`...)
	b = jsontext.AppendString(b, msg.Text)
	if msg.Role == rein.ToolRole {
		b = append(b, `,"tool_call_id":`...)
		b = jsontext.AppendString(b, msg.CallID)
	}
	return appendRole(b, msg.Role)
}

// appendRole ends a message.
func appendRole(b []byte, role rein.Role) []byte {
	switch role {
	case rein.System, rein.Developer, rein.Assistant, rein.ToolRole:
	default:
		role = rein.User
	}
	b = append(b, `,"role":`...)
	return append(jsontext.AppendString(b, string(role)), '}')
}

func appendChatImages(b []byte, msg rein.Message) []byte {
	b = append(b, `{"content":[`...)
	if msg.Text != "" {
		b = append(b, `{"text":`...)
		b = append(jsontext.AppendString(b, msg.Text), `,"type":"text"},`...)
	}
	for i, img := range msg.Images {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"image_url":{"url":`...)
		b = append(jsontext.AppendString(b, imageURL(img)), `},"type":"image_url"}`...)
	}
	return appendRole(append(b, ']'), rein.User)
}

func imageURL(img rein.Image) string {
	if len(img.Data) == 0 {
		return img.URL
	}
	kind := img.Type
	if kind == "" {
		kind = "image/png"
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(img.Data)
}

// appendChatReply writes an earlier reply: as the server wrote it, if it is known.
func (m *Model) appendChatReply(b []byte, msg rein.Message, n names) []byte {
	if raw := msg.Raw; raw != nil && raw.API == chatAPI && !m.opt.Quirks.PlainHistory && chatRawFits(raw.Data, msg.Calls) {
		return append(b, raw.Data...)
	}
	b = append(b, '{')
	if msg.Text != "" || len(msg.Calls) == 0 {
		b = append(b, `"content":`...)
		b = jsontext.AppendString(b, msg.Text)
	}
	for i, c := range msg.Calls {
		switch {
		case i > 0:
			b = append(b, ',')
		case msg.Text != "":
			b = append(b, `,"tool_calls":[`...)
		default:
			b = append(b, `"tool_calls":[`...)
		}
		b = append(b, `{"id":`...)
		b = jsontext.AppendString(b, c.ID)
		b = append(b, `,"function":{"arguments":`...)
		b = jsontext.AppendString(b, argsText(c.Args))
		b = append(b, `,"name":`...)
		b = append(jsontext.AppendString(b, n.to(c.Name)), `},"type":"function"}`...)
	}
	if len(msg.Calls) > 0 {
		b = append(b, ']')
	}
	return appendRole(b, rein.Assistant)
}

// chatRawFits reports whether a raw reply has the calls of its message: the results that follow
// answer those.
func chatRawFits(data json.RawMessage, calls []rein.ToolCall) bool {
	var raw chatMessage
	if json.Unmarshal(data, &raw) != nil || len(raw.ToolCalls) != len(calls) {
		return false
	}
	for i, c := range calls {
		if raw.ToolCalls[i].ID != c.ID {
			return false
		}
	}
	return true
}

// argsText returns arguments as they are sent back. Servers parse them, so that what a model wrote
// and is not JSON stands in an object.
func argsText(args json.RawMessage) string {
	switch {
	case len(args) == 0:
		return "{}"
	case json.Valid(args):
		return string(args)
	}
	wrapped, _ := json.Marshal(map[string]string{"not_json": string(args)})
	return string(wrapped)
}
