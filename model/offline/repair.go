package offline

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"rein"
	"rein/internal/lenient"
)

// maxMended is how much of a prompt is looked at for arguments to mend.
const maxMended = 64 << 10

// mend answers a repair prompt: the arguments in it, mended by mechanical means only. Nothing is
// made up, so if that does not give an object the answer is {}.
func mend(t *turn) string {
	text := ""
	for _, m := range slices.Backward(t.Messages) {
		if m.Role == rein.User {
			text = m.Text[:min(len(m.Text), maxMended)]
			break
		}
	}
	schema := t.Schema
	found := append(pieces(text), labelled(text)...)
	if len(schema) == 0 {
		schema, found = takeSchema(found)
	}
	spare := "{}"
	for _, piece := range slices.Backward(found) {
		object, ok := mended(piece, schema)
		if !ok {
			continue
		}
		raw, err := marshal(object)
		if err != nil {
			continue
		}
		if fits(schema, raw) {
			return string(raw)
		}
		if spare == "{}" {
			spare = string(raw)
		}
	}
	return spare
}

// label begins a line such as "Arguments: {…".
var label = regexp.MustCompile(`(?m)^\w+: `)

// labelled returns the JSON values behind labels. A string is taken for what it holds: arguments
// that are not JSON are handed over as one.
func labelled(text string) []string {
	var all []string
	for _, at := range label.FindAllStringIndex(text, maxSpans*10) {
		dec := json.NewDecoder(strings.NewReader(text[at[1]:]))
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			continue
		}
		var held string
		if json.Unmarshal(raw, &held) != nil {
			held = string(raw)
		}
		if strings.Contains(held, "{") || len(held) < len(raw) {
			all = append(all, held)
		}
	}
	return all
}

// takeSchema returns the piece that is a JSON Schema, and the others.
func takeSchema(found []string) (json.RawMessage, []string) {
	for i, piece := range found {
		if isSchema(piece) {
			return json.RawMessage(piece), slices.Delete(slices.Clone(found), i, i+1)
		}
	}
	return nil, found
}

func isSchema(piece string) bool {
	var n node
	return json.Unmarshal([]byte(piece), &n) == nil && n["properties"] != nil && n.is("object")
}

// pieces returns the parts of a prompt that may be JSON: fenced blocks, what stands between tags,
// and paragraphs from their first brace on.
func pieces(text string) []string {
	spans, rest := backticked(text)
	var all []string
	for para := range strings.SplitSeq(rest, "\n\n") {
		if i := strings.IndexByte(para, '{'); i >= 0 {
			body := para[i:]
			if end := strings.Index(body, "</"); end > 0 {
				body = body[:end]
			}
			all = append(all, strings.TrimSpace(body))
		}
	}
	for _, s := range spans {
		if strings.Contains(s, "{") {
			all = append(all, s)
		}
	}
	return all
}

// mended returns the object that a piece of text was meant to be.
func mended(piece string, schema json.RawMessage) (map[string]any, bool) {
	var object map[string]any
	if json.Unmarshal([]byte(piece), &object) != nil {
		fixed, err := lenient.Value(piece)
		if err != nil || json.Unmarshal(fixed.JSON, &object) != nil {
			return nil, false
		}
	}
	if object == nil || isSchema(piece) {
		return nil, false
	}
	if n, ok := decodeSchema(schema); ok && len(schema) > 0 {
		coerce(object, n)
	}
	return object, true
}

// coerce brings values to the types of the schema where nothing is lost, leaves out what the
// schema does not allow, and adds the defaults that it names.
func coerce(object map[string]any, n node) {
	for name, v := range object {
		p := n.prop(name)
		if p == nil {
			if n["additionalProperties"] == false {
				delete(object, name)
			}
			continue
		}
		object[name] = coerced(v, p)
	}
	for _, name := range n.required() {
		if _, ok := object[name]; ok {
			continue
		}
		if v, ok := n.prop(name)["default"]; ok {
			object[name] = v
		}
	}
}

func coerced(v any, p node) any {
	if len(p.types()) == 0 {
		return v
	}
	switch v := v.(type) {
	case string:
		var parsed any
		if !p.is("string") && json.Unmarshal([]byte(strings.TrimSpace(v)), &parsed) == nil && kindFits(parsed, p) {
			return parsed
		}
		if p.is("array") && !p.is("string") {
			return []any{v}
		}
	case float64, bool:
		if p.is("string") && !kindFits(v, p) {
			raw, _ := marshal(v)
			return string(raw)
		}
	case map[string]any:
		coerce(v, p)
	case []any:
		if len(v) == 1 && !p.is("array") && kindFits(v[0], p) {
			return v[0]
		}
	}
	return v
}

func kindFits(v any, p node) bool {
	switch v.(type) {
	case string:
		return p.is("string")
	case float64:
		return p.is("number") || p.is("integer")
	case bool:
		return p.is("boolean")
	case []any:
		return p.is("array")
	case map[string]any:
		return p.is("object")
	}
	return p.is("null")
}
