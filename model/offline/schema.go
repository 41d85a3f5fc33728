package offline

import (
	"encoding/json"
	"slices"
)

// A node is a JSON Schema, or a part of one. Of the keywords only the plain ones are read: no references,
// alternatives or patterns. A part that cannot be read is nil.
type node map[string]any

func readSchema(raw json.RawMessage) node {
	var n node
	_ = json.Unmarshal(raw, &n)
	return n
}

func (n node) prop(name string) node {
	props, _ := n["properties"].(map[string]any)
	p, _ := props[name].(map[string]any)
	return p
}

func (n node) required() []string { return stringsOf(n["required"]) }

// is reports whether the node names the type.
func (n node) is(kind string) bool {
	return n["type"] == kind || slices.Contains(stringsOf(n["type"]), kind)
}

func stringsOf(v any) []string {
	list, _ := v.([]any)
	var all []string
	for _, x := range list {
		if s, ok := x.(string); ok {
			all = append(all, s)
		}
	}
	return all
}

// near returns the allowed number that is nearest to the wish.
func (n node) near(wish float64) float64 {
	if most, ok := n["maximum"].(float64); ok {
		wish = min(wish, most)
	}
	if least, ok := n["minimum"].(float64); ok {
		wish = max(wish, least)
	}
	return wish
}

// fillSchema returns JSON for the prompt's schema, filled with what is known.
func fillSchema(t *turn, limit int) string {
	root := readSchema(t.Schema)
	return shrunk(limit, func(room int) string { return string(marshal(fill(root, "", newFacts(t, room)))) })
}

// fill returns a value for the part of a schema that has this name: what is known by that name, if the
// schema lets it, or else the smallest value. Only what is required is filled.
func fill(n node, name string, f *facts) any {
	if v, ok := n["const"]; ok {
		return v
	}
	if v, ok := f.named(name); ok && allows(n, v) {
		return v
	}
	if all, ok := n["enum"].([]any); ok && len(all) > 0 {
		return all[0]
	}
	switch {
	case n.is("null"):
		return nil
	case n.is("string"):
		return ""
	case n.is("boolean"):
		return false
	case n.is("integer"), n.is("number"):
		return n.near(0)
	case n.is("array"):
		return []any{}
	}
	object := map[string]any{}
	for _, name := range n.required() {
		object[name] = fill(n.prop(name), name, f)
	}
	return object
}

// allows reports whether a known value has the type that the node wants and is one of its choices.
func allows(n node, v any) bool {
	switch v.(type) {
	case string:
		all, isEnum := n["enum"].([]any)
		return isEnum && slices.Contains(all, v) || !isEnum && n.is("string")
	case bool:
		return n.is("boolean")
	case []string:
		return n.is("array") && asNode(n["items"]).is("string")
	}
	return false
}

func asNode(v any) node {
	n, _ := v.(map[string]any)
	return n
}
