package offline

import (
	"encoding/json"
	"slices"
	"strings"

	"rein"
)

// control is the JSON block that a prompt wants after the prose, as the example in it shows.
type control struct {
	keys []string
	vals map[string]string // as they stand in the example
}

// controlKeys mark an object in a prompt as such an example. One of them must be in it.
var controlKeys = []string{"finish", "final_answer", "should_continue", "request_input", "next_action", "tool_calls", "tools_to_consider"}

// kinds are the values of "type" that mark one too.
var kinds = []string{"tool_call", "need_info", "final"}

func (c *control) has(names ...string) bool {
	return c != nil && slices.ContainsFunc(names, func(n string) bool { return slices.Contains(c.keys, n) })
}

func (c *control) isExample() bool {
	return c.has(controlKeys...) || slices.Contains(kinds, strings.Trim(c.vals["type"], `"'`))
}

// findControl returns the block that the newest instruction asks for. Results are never looked at,
// and of the user messages only the newest.
func findControl(t *turn) *control {
	user := true
	for _, m := range slices.Backward(t.Messages) {
		switch {
		case m.Role == rein.System || m.Role == rein.Developer || m.Role == rein.User && user:
			if found := examples(m.Text); len(found) > 0 {
				return choose(t, found)
			}
		}
		user = user && m.Role != rein.User
	}
	return nil
}

// choose returns the alternative whose type fits what is to be said, or the last: an instruction
// that shows several objects ends with the whole.
func choose(t *turn, found []control) *control {
	want := newFacts(t, maxOutput*bytesPerTok).kind()
	for i, c := range found {
		if strings.Trim(c.vals["type"], `"'`) == want {
			return &found[i]
		}
	}
	return &found[len(found)-1]
}

// write returns the prose and the block.
func (c *control) write(t *turn, limit int) string {
	text := ""
	for room := limit; room >= 4; room /= 2 {
		f := newFacts(t, room)
		if c.has("tools_to_consider") && !t.acted {
			f.finish = false // such a prompt comes before the tools are offered
			f.answer = say(t.lang, "brief") + "\n\n" + say(t.lang, "not_yet")
		}
		text = c.prose(t, f) + "\n\n```json\n" + c.block(f) + "\n```"
		if len(text) <= limit {
			break
		}
	}
	return text
}

// prose returns what stands before the block. It quotes nothing if the block can hold the answer or
// a call, so that no quoted object is taken for the block.
func (c *control) prose(t *turn, f *facts) string {
	if c.has("tool_calls", "tool", "type") {
		return say(t.lang, "brief")
	}
	for _, key := range c.keys {
		if text, ok := c.value(f, key).(string); ok && text == f.answer {
			return say(t.lang, "brief")
		}
	}
	return f.answer
}

// block fills the keys of the example in their order.
func (c *control) block(f *facts) string {
	var rows []string
	for _, key := range c.keys {
		name, _ := marshal(key)
		value, err := marshal(c.value(f, key))
		if err != nil {
			value = json.RawMessage("null")
		}
		rows = append(rows, "  "+string(name)+": "+string(value))
	}
	return "{\n" + strings.Join(rows, ",\n") + "\n}"
}

// value returns what goes under a key: what is known of it, in the shape that the example has, or
// the smallest value of that shape.
func (c *control) value(f *facts, key string) any {
	shape := shapeOf(c.vals[key])
	if made, ok := fields[key]; ok {
		v := made(f)
		fl := filler{facts: f}
		if bent, ok := fl.accept(shape, v, 0); ok {
			return bent
		}
		if len(shape.types()) == 0 || !shape.is("array") && !shape.is("object") {
			return v
		}
	}
	if choices := strings.Split(strings.Trim(c.vals[key], `"'<> `), "|"); len(choices) > 1 && shape.is("string") {
		return strings.TrimSpace(choices[0])
	}
	fl := filler{facts: f}
	return fl.smallest(shape, key, 0)
}

// shapeOf guesses the type of a value by how it begins in an example.
func shapeOf(raw string) node {
	raw = strings.ToLower(strings.TrimSpace(raw))
	switch {
	case raw == "":
		return node{}
	case strings.HasPrefix(raw, "["):
		return node{"type": "array"}
	case strings.HasPrefix(raw, "{"):
		return node{"type": "object"}
	case strings.Contains(raw, "bool") || strings.Contains(raw, "true") && len(raw) < 20 || strings.HasPrefix(raw, "false"):
		return node{"type": "boolean"}
	case raw[0] >= '0' && raw[0] <= '9':
		return node{"type": "number"}
	case raw[0] == '"' || raw[0] == '\'':
		return node{"type": "string"}
	}
	return node{}
}
