package openai

import (
	"encoding/json"

	"github.com/openai/openai-go/v3/packages/param"
	"github.com/openai/openai-go/v3/responses"

	"rein"
)

// encrypted asks for reasoning that only the provider can read, since nothing is stored there.
const encrypted responses.ResponseIncludable = "reasoning.encrypted_content"

func (m *Model) responsesParams(r rein.ModelRequest, n names) (responses.ResponseNewParams, error) {
	p := responses.ResponseNewParams{
		Model: m.opt.Model, Store: param.NewOpt(false), MaxOutputTokens: param.NewOpt(m.limit(r)), Text: m.responsesFormat(r),
	}
	if m.wantsEncrypted() {
		p.Include = []responses.ResponseIncludable{encrypted}
	}
	if m.opt.Quirks.OneCall && len(r.Offered) > 0 {
		p.ParallelToolCalls = param.NewOpt(false)
	}
	for _, t := range r.Offered {
		schema, err := paramsOf(t)
		if err != nil {
			return p, err
		}
		// Strict is what this API takes if it is not told, and few schemas are.
		f := responses.FunctionToolParam{Name: n.to(t.Name), Parameters: schema, Strict: param.NewOpt(false)}
		if t.Description != "" {
			f.Description = param.NewOpt(t.Description)
		}
		p.Tools = append(p.Tools, responses.ToolUnionParam{OfFunction: &f})
	}
	input := responses.ResponseInputParam{}
	for _, msg := range m.suited(r) {
		input = m.addInput(input, msg, n)
	}
	p.Input.OfInputItemList = input
	return p, nil
}

func (m *Model) addInput(input responses.ResponseInputParam, msg rein.Message, n names) responses.ResponseInputParam {
	switch msg.Role {
	case rein.Assistant:
		return m.addReply(input, msg, n)
	case rein.ToolRole:
		out := responses.ResponseInputItemFunctionCallOutputParam{CallID: param.NewOpt(msg.CallID)}
		out.Output.OfString = param.NewOpt(msg.Text)
		return append(input, responses.ResponseInputItemUnionParam{OfFunctionCallOutput: &out})
	}
	if len(msg.Images) == 0 {
		return append(input, responses.ResponseInputItemParamOfMessage(msg.Text, responses.EasyInputMessageRole(msg.Role)))
	}
	var parts responses.ResponseInputMessageContentListParam
	if msg.Text != "" {
		parts = append(parts, responses.ResponseInputContentParamOfInputText(msg.Text))
	}
	for _, img := range msg.Images {
		part := responses.ResponseInputContentParamOfInputImage(responses.ResponseInputImageDetailAuto)
		part.OfInputImage.ImageURL = param.NewOpt(imageURL(img))
		parts = append(parts, part)
	}
	return append(input, responses.ResponseInputItemParamOfMessage(parts, responses.EasyInputMessageRole(msg.Role)))
}

// addReply writes an earlier reply: its items as they came, if they are known.
func (m *Model) addReply(input responses.ResponseInputParam, msg rein.Message, n names) responses.ResponseInputParam {
	if raw := msg.Raw; raw != nil && raw.API == responsesAPI && !m.opt.Quirks.PlainHistory {
		if items, ok := itemsFor(raw.Data, msg.Calls); ok {
			for _, item := range items {
				// Which type carries the bytes is of no matter: they replace all of it.
				over := param.Override[responses.ResponseReasoningItemParam](item)
				input = append(input, responses.ResponseInputItemUnionParam{OfReasoning: &over})
			}
			return input
		}
	}
	if msg.Text != "" || len(msg.Calls) == 0 {
		input = append(input, responses.ResponseInputItemParamOfMessage(msg.Text, responses.EasyInputMessageRoleAssistant))
	}
	for _, c := range msg.Calls {
		input = append(input, responses.ResponseInputItemParamOfFunctionCall(argsText(c.Args), c.ID, n.to(c.Name)))
	}
	return input
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
