package anthropic

import (
	"encoding/json"
	"strings"

	"rein"
)

// tools describes what is offered, in its order.
func tools(offered []rein.Tool) []toolSchema {
	var list []toolSchema
	for _, t := range offered {
		schema, also := inputSchema(t.Schema)
		list = append(list, toolSchema{InputSchema: schema, Name: wireName(t.Name), Description: strings.TrimSpace(t.Description + "\n" + also)})
	}
	return list
}

// stubs describes tools that were used earlier and cannot be now, in the order of their first use.
func stubs(called []string) []toolSchema {
	var list []toolSchema
	had := map[string]bool{}
	for _, name := range called {
		if wire := wireName(name); !had[wire] {
			had[wire] = true
			schema, _ := inputSchema(nil)
			list = append(list, toolSchema{InputSchema: schema, Name: wire, Description: "Was used earlier. Not available now."})
		}
	}
	return list
}

// inputSchema returns a schema that the API takes: an object at the top, without alternatives there.
// Those are returned as a sentence for the description; the arguments are checked against the whole
// schema in any case.
func inputSchema(schema json.RawMessage) (top json.RawMessage, also string) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(schema, &fields) != nil || fields == nil {
		return json.RawMessage(`{"type":"object"}`), ""
	}
	moved := map[string]json.RawMessage{}
	for _, key := range []string{"anyOf", "oneOf", "allOf"} {
		if part, ok := fields[key]; ok {
			moved[key] = part
			delete(fields, key)
		}
	}
	if string(fields["type"]) == `"object"` && len(moved) == 0 {
		return schema, ""
	}
	fields["type"] = json.RawMessage(`"object"`)
	if len(moved) > 0 {
		part, err := json.Marshal(moved)
		if err == nil {
			also = "The arguments must also fit " + string(part)
		}
	}
	data, err := json.Marshal(fields)
	if err != nil {
		return json.RawMessage(`{"type":"object"}`), also
	}
	return data, also
}
