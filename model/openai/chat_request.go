package openai

import (
	"encoding/base64"
	"encoding/json"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/shared"

	"rein"
)

func (m *Model) chatParams(r rein.ModelRequest, n names, streamed bool) (openai.ChatCompletionNewParams, error) {
	p := openai.ChatCompletionNewParams{Model: m.opt.Model, ResponseFormat: m.chatFormat(r)}
	if m.opt.Quirks.OldMaxTokens {
		p.MaxTokens = param.NewOpt(m.limit(r))
	} else {
		p.MaxCompletionTokens = param.NewOpt(m.limit(r))
	}
	if streamed && !m.opt.Quirks.NoStreamUsage {
		p.StreamOptions.IncludeUsage = param.NewOpt(true)
	}
	if m.opt.Quirks.OneCall && len(r.Offered) > 0 {
		p.ParallelToolCalls = param.NewOpt(false)
	}
	for _, t := range r.Offered {
		schema, err := paramsOf(t)
		if err != nil {
			return p, err
		}
		f := shared.FunctionDefinitionParam{Name: n.to(t.Name), Parameters: schema}
		if t.Description != "" {
			f.Description = param.NewOpt(t.Description)
		}
		p.Tools = append(p.Tools, openai.ChatCompletionFunctionTool(f))
	}
	for _, msg := range m.suited(r) {
		p.Messages = append(p.Messages, m.chatMessage(msg, n))
	}
	return p, nil
}

// paramsOf returns the schema of a tool's arguments; a tool that takes none has an empty object.
func paramsOf(t rein.Tool) (map[string]any, error) {
	schema := map[string]any{}
	if len(t.Schema) > 0 {
		if err := json.Unmarshal(t.Schema, &schema); err != nil {
			return nil, rein.Errorf(rein.CodeInvalid, "tool %q: its schema must be a JSON object: %w", t.Name, err)
		}
	}
	if schema["type"] == nil {
		schema["type"] = "object"
	}
	if schema["properties"] == nil {
		schema["properties"] = map[string]any{}
	}
	return schema, nil
}

func (m *Model) chatMessage(msg rein.Message, n names) openai.ChatCompletionMessageParamUnion {
	switch msg.Role {
	case rein.System:
		return openai.SystemMessage(msg.Text)
	case rein.Developer:
		return openai.DeveloperMessage(msg.Text)
	case rein.Assistant:
		return m.chatAssistant(msg, n)
	case rein.ToolRole:
		return openai.ToolMessage(msg.Text, msg.CallID)
	}
	if len(msg.Images) == 0 {
		return openai.UserMessage(msg.Text)
	}
	var parts []openai.ChatCompletionContentPartUnionParam
	if msg.Text != "" {
		parts = append(parts, openai.TextContentPart(msg.Text))
	}
	for _, img := range msg.Images {
		parts = append(parts, openai.ImageContentPart(openai.ChatCompletionContentPartImageImageURLParam{URL: imageURL(img)}))
	}
	return openai.UserMessage(parts)
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

// chatAssistant writes an earlier reply: as the server wrote it, if it is known.
func (m *Model) chatAssistant(msg rein.Message, n names) openai.ChatCompletionMessageParamUnion {
	if raw := msg.Raw; raw != nil && raw.API == chatAPI && !m.opt.Quirks.PlainHistory && chatRawFits(raw.Data, msg.Calls) {
		a := param.Override[openai.ChatCompletionAssistantMessageParam](raw.Data)
		return openai.ChatCompletionMessageParamUnion{OfAssistant: &a}
	}
	a := &openai.ChatCompletionAssistantMessageParam{}
	if msg.Text != "" || len(msg.Calls) == 0 {
		a.Content.OfString = param.NewOpt(msg.Text)
	}
	for _, c := range msg.Calls {
		call := openai.ChatCompletionMessageFunctionToolCallParam{ID: c.ID}
		call.Function.Name, call.Function.Arguments = n.to(c.Name), argsText(c.Args)
		a.ToolCalls = append(a.ToolCalls, openai.ChatCompletionMessageToolCallUnionParam{OfFunction: &call})
	}
	return openai.ChatCompletionMessageParamUnion{OfAssistant: a}
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
