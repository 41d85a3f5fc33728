package offline

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"

	"rein"
)

// slots are the names under which tools take the one thing that a role has to say, best first.
var slots = map[role][]string{
	searches: {"query", "queries", "q", "question", "text"},
	reads:    {"path", "file", "filename", "name"},
	lists:    {"path", "dir", "directory", "folder"},
	runs:     {"command", "cmd"},
	rereads:  {"handle"},
	asks:     {"question"},
}

// usualCount is what a required number of results is set to, if the schema does not say.
const usualCount = 10

// first returns a call of the best tool of the role that takes the value. An empty value is for tools
// that can be called without one.
func (t *turn) first(r role, value string) []rein.ToolCall {
	for _, tool := range t.toolsFor(r) {
		if c, ok := newCall(tool, r, value); ok {
			return []rein.ToolCall{c}
		}
	}
	return nil
}

// each returns a call for each of the first few values.
func (t *turn) each(r role, values []string) []rein.ToolCall {
	var all []rein.ToolCall
	for _, v := range values[:min(len(values), maxSpans)] {
		all = append(all, t.first(r, v)...)
	}
	return all
}

// newCall returns a call of the tool with the value in the slot of its role, or false if there is no
// such slot or another required argument is not known.
func newCall(tool rein.Tool, r role, value string) (rein.ToolCall, bool) {
	schema := readSchema(tool.Schema)
	args := map[string]any{}
	if value != "" {
		slot := slotOf(schema, r)
		if slot == "" {
			return rein.ToolCall{}, false
		}
		args[slot] = shaped(schema.prop(slot), value)
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
	return rein.ToolCall{Name: tool.Name, Args: marshal(args)}, true
}

// slotOf returns the argument that takes what the role has to say, or "": one of the usual names.
func slotOf(schema node, r role) string {
	for _, name := range slots[r] {
		if p := schema.prop(name); p.is("string") || p.is("array") {
			return name
		}
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
	if v, ok := p["default"]; ok {
		return v, true
	}
	switch {
	case p.is("boolean"):
		return false, true
	case p.is("integer"), p.is("number"):
		return p.near(usualCount), true
	}
	return nil, false
}

// mainArg returns the path, the query, the command … of a call, for people.
func mainArg(u use) string {
	var args map[string]any
	_ = json.Unmarshal(u.call.Args, &args)
	for _, slot := range slots[u.role] {
		value := args[slot]
		if all, ok := value.([]any); ok && len(all) > 0 {
			value = all[0]
		}
		if s, ok := value.(string); ok {
			return oneLine(s, 200)
		}
	}
	return ""
}

// sameCall reports whether two calls do the same, however their arguments are written.
func sameCall(a, b rein.ToolCall) bool {
	return a.Name == b.Name && canonical(a.Args) == canonical(b.Args)
}

// canonical writes arguments with sorted keys and without spaces.
func canonical(args json.RawMessage) string {
	var v any
	if json.Unmarshal(args, &v) != nil {
		return string(args)
	}
	return string(marshal(v))
}

// withIDs gives the calls IDs that no call of the transcript has.
func (t *turn) withIDs(calls []rein.ToolCall) []rein.ToolCall {
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
			calls[i].ID = "offline-" + strconv.Itoa(n)
		}
	}
	return calls
}

// marshal writes JSON as it would be typed: with <, > and & as they are, and keys in order. It is for
// values that come from JSON, so it cannot fail.
func marshal(v any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return json.RawMessage("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
