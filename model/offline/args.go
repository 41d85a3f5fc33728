package offline

import (
	"bytes"
	"encoding/json"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"

	"rein"
)

// slots are the names under which tools take the one thing that a role has to say, best first.
var slots = map[role][]string{
	searches: {"query", "queries", "q", "question", "search", "text", "pattern", "terms", "keywords", "prompt", "input"},
	reads:    {"path", "file", "file_path", "filename", "filepath", "name", "note", "document", "id", "uri"},
	lists:    {"path", "dir", "directory", "folder", "root"},
	runs:     {"command", "cmd", "script", "line", "code"},
	fetches:  {"url", "uri", "link", "address", "page"},
	asks:     {"question", "text", "prompt", "message", "query"},
	rereads:  {"handle", "id", "result"},
}

// usualCount is what a required number of results is set to, if the schema does not say.
const usualCount = 10

// call returns a call of the tool with the value in the slot of its role, or nothing if a required
// argument cannot be filled or the arguments would not be valid. An empty value fills no slot.
func (t *turn) call(tool rein.Tool, value string, more map[string]any) (rein.ToolCall, bool) {
	schema, ok := decodeSchema(tool.Schema)
	if !ok {
		return rein.ToolCall{}, false
	}
	args := map[string]any{}
	slot := slotOf(schema, roleOf(tool))
	if value != "" {
		if slot == "" {
			return rein.ToolCall{}, false
		}
		args[slot] = shaped(schema.prop(slot), value)
	}
	for name, v := range more {
		if schema.prop(name) != nil {
			args[name] = v
		}
	}
	for _, name := range schema.required() {
		if _, filled := args[name]; filled {
			continue
		}
		v, ok := usual(schema.prop(name))
		if !ok {
			return rein.ToolCall{}, false
		}
		args[name] = v
	}
	raw, err := marshal(args)
	if err != nil || !fits(tool.Schema, raw) {
		return rein.ToolCall{}, false
	}
	return rein.ToolCall{Name: tool.Name, Args: raw}, true
}

// slotOf returns the argument that takes what the role has to say: one of the usual names, or the
// only required string.
func slotOf(s node, r role) string {
	for _, name := range slots[r] {
		if p := s.prop(name); p != nil && (p.is("string") || p.is("array")) {
			return name
		}
	}
	if required := s.required(); len(required) == 1 && s.prop(required[0]).is("string") && r != lists {
		return required[0]
	}
	return ""
}

// shaped returns the value as the property wants it: queries is a list of one.
func shaped(p node, value string) any {
	if p.is("array") && !p.is("string") {
		return []any{value}
	}
	return value
}

// usual returns a value that a schema itself suggests; strings are never made up.
func usual(p node) (any, bool) {
	if p == nil {
		return nil, false
	}
	if v, ok := p["default"]; ok {
		return v, true
	}
	if v, ok := p["const"]; ok {
		return v, true
	}
	if all, ok := p["enum"].([]any); ok && len(all) == 1 {
		return all[0], true
	}
	switch {
	case p.is("string"):
		return nil, false
	case p.is("boolean"):
		return false, true
	case p.is("integer"), p.is("number"):
		return p.number(usualCount), true
	}
	return nil, false
}

// fits reports whether the JSON is valid against the schema. No schema allows everything; one that
// cannot be understood allows nothing.
func fits(schema, value json.RawMessage) bool {
	if len(bytes.TrimSpace(schema)) == 0 {
		return json.Valid(value)
	}
	var s jsonschema.Schema
	if !tame(schema) || json.Unmarshal(schema, &s) != nil {
		return false
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return false
	}
	var v any
	return json.Unmarshal(value, &v) == nil && resolved.Validate(v) == nil
}

// marshal writes JSON as it would be typed: with <, > and & as they are, and keys in order.
func marshal(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// fresh gives the calls IDs that no call of the transcript has.
func (t *turn) fresh(calls []rein.ToolCall) []rein.ToolCall {
	var taken []string
	for _, m := range t.Messages {
		for _, c := range m.Calls {
			taken = append(taken, c.ID)
		}
		taken = append(taken, m.CallID)
	}
	n := 0
	for i := range calls {
		for calls[i].ID == "" || slices.Contains(taken, calls[i].ID) {
			n++
			calls[i].ID = callID(n)
		}
	}
	return calls
}
