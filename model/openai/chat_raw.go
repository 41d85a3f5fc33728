package openai

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"rein/model/sent"
)

// chatExtras are what a streamed message holds beside its text and calls.
type chatExtras struct {
	parts            []map[string]any // of a content that is a list
	reasoningContent strings.Builder
	reasoning        strings.Builder
	details          []map[string]any
	annotations      []json.RawMessage
}

// content returns the text that a message's content adds to what was said before.
func (k *chatExtras) content(raw json.RawMessage, before *sent.Text) string {
	switch {
	case !isSet(raw):
		return ""
	case raw[0] == '[':
		if text, ok := k.list(raw, before); ok {
			return text
		}
	}
	text := unquoted(raw)
	if text != "" && len(k.parts) > 0 {
		k.parts = merged(k.parts, map[string]any{"type": "text", "text": text}, "text")
	}
	return text
}

// list returns the text of a content that is a list, which has thinking in it, too; that is kept and not shown.
// What was said before it becomes a part of the list.
func (k *chatExtras) list(raw json.RawMessage, before *sent.Text) (string, bool) {
	var list []map[string]any
	if json.Unmarshal(raw, &list) != nil {
		return "", false
	}
	if len(list) > 0 && len(k.parts) == 0 && before.Len() > 0 {
		k.parts = append(k.parts, map[string]any{"type": "text", "text": before.String()})
	}
	var said strings.Builder
	for _, part := range list {
		if part["type"] == "text" || part["type"] == "output_text" {
			text, _ := part["text"].(string)
			said.WriteString(text)
		}
		k.parts = merged(k.parts, part, "text")
	}
	return said.String(), true
}

func (k *chatExtras) add(msg chatMessage) {
	k.reasoningContent.WriteString(msg.ReasoningContent)
	k.reasoning.WriteString(unquoted(msg.Reasoning))
	for _, raw := range msg.ReasoningDetails {
		var d map[string]any
		if json.Unmarshal(raw, &d) == nil && len(d) > 0 {
			k.details = merged(k.details, d, "text", "summary", "data")
		}
	}
	k.annotations = append(k.annotations, msg.Annotations...)
}

// merged appends a fragment to a list: to its last element if they are of one kind and place. The
// named texts add up, lists of thinking too; other fields take the later value.
func merged(list []map[string]any, next map[string]any, texts ...string) []map[string]any {
	if len(list) == 0 {
		return append(list, next)
	}
	last := list[len(list)-1]
	if !reflect.DeepEqual(last["type"], next["type"]) || !reflect.DeepEqual(last["index"], next["index"]) || clash(last["id"], next["id"]) || last["signature"] != nil {
		return append(list, next)
	}
	for key, v := range next {
		old, isText := last[key].(string)
		add, more := v.(string)
		switch {
		case isText && more && slices.Contains(texts, key):
			last[key] = old + add
		case key == "thinking":
			last[key] = thoughts(last[key], v)
		case v != nil:
			last[key] = v
		}
	}
	return list
}

func clash(a, b any) bool { return a != nil && b != nil && !reflect.DeepEqual(a, b) }

// thoughts joins two lists of thinking, text to text.
func thoughts(a, b any) any {
	first, ok1 := a.([]any)
	second, ok2 := b.([]any)
	if !ok1 || !ok2 {
		return b
	}
	var list []map[string]any
	for _, v := range append(first[:len(first):len(first)], second...) {
		part, ok := v.(map[string]any)
		if !ok {
			return append(first[:len(first):len(first)], second...)
		}
		list = merged(list, part, "text")
	}
	out := make([]any, len(list))
	for i, part := range list {
		out[i] = part
	}
	return out
}

// rawMessage is the message in the server's form, or nil if text and calls are all there is to it.
func (r *chatReader) rawMessage() json.RawMessage {
	if r.raw != nil {
		return r.wholeRaw()
	}
	fields := map[string]any{}
	k := &r.kept
	put := func(name, text string) {
		if text != "" {
			fields[name] = text
		}
	}
	put("reasoning_content", k.reasoningContent.String())
	put("reasoning", k.reasoning.String())
	if len(k.details) > 0 {
		fields["reasoning_details"] = k.details
	}
	if len(k.annotations) > 0 {
		fields["annotations"] = k.annotations
	}
	if len(fields) == 0 && len(k.parts) == 0 && !r.signed() {
		return nil
	}
	calls := r.rawCalls()
	fields["role"] = "assistant"
	if len(k.parts) > 0 {
		fields["content"] = k.parts
	} else {
		put("content", r.text.String())
	}
	if len(calls) > 0 {
		fields["tool_calls"] = calls
	} else if fields["content"] == nil {
		fields["content"] = ""
	}
	return encode(fields)
}

// signed reports whether a call has more than a call needs.
func (r *chatReader) signed() bool {
	return slices.ContainsFunc(r.calls, func(c *streamedCall) bool { return c.extra != nil })
}

// rawCalls writes the calls in the server's form.
func (r *chatReader) rawCalls() (calls []map[string]any) {
	for _, c := range r.calls {
		call := map[string]any{"id": c.id, "type": "function", "function": map[string]any{"name": c.name, "arguments": argsText(json.RawMessage(c.args.String()))}}
		if c.extra != nil {
			call["extra_content"] = c.extra
		}
		calls = append(calls, call)
	}
	return calls
}

// plainFields are those of a message that its text and calls say, or that mean nothing to the server
// when it reads them again.
var plainFields = []string{"role", "content", "tool_calls", "refusal", "function_call", "audio", "name", "prefix"}

// wholeRaw returns the message as it came, without what is null or empty, which servers write and do
// not accept.
func (r *chatReader) wholeRaw() json.RawMessage {
	var fields map[string]json.RawMessage
	if json.Unmarshal(r.raw, &fields) != nil {
		return nil
	}
	calls := r.rawCalls()
	more := r.signed() || (len(fields["content"]) > 0 && fields["content"][0] == '[')
	for name, v := range fields {
		switch {
		case isEmpty(v):
			delete(fields, name)
		case !slices.Contains(plainFields, name):
			more = true
		}
	}
	if !more || r.refusal.Len() > 0 {
		return nil
	}
	for _, name := range []string{"refusal", "function_call", "audio"} {
		delete(fields, name) // only empty shells of them are met
	}
	fields["role"] = json.RawMessage(`"assistant"`)
	if len(calls) > 0 {
		fields["tool_calls"] = r.wholeCalls(fields["tool_calls"], calls)
	} else if fields["content"] == nil {
		fields["content"] = json.RawMessage(`""`)
	}
	return encode(fields)
}

// wholeCalls returns the calls as they came, if each had an ID.
func (r *chatReader) wholeCalls(raw json.RawMessage, calls []map[string]any) json.RawMessage {
	var came []chatCall
	if decode(raw, &came) != nil || len(came) != len(calls) {
		return encode(calls)
	}
	for i, c := range came {
		if c.ID != r.calls[i].id || !bytes.HasPrefix(c.Function.Arguments, []byte(`"`)) {
			return encode(calls)
		}
	}
	return raw
}

func isEmpty(v json.RawMessage) bool {
	switch string(bytes.Join(bytes.Fields(v), nil)) {
	case "null", "[]", "{}", `""`:
		return true
	}
	return false
}

// encode writes JSON as the provider does: without escapes for HTML.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}
