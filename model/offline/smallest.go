package offline

import (
	"regexp"
	"slices"
	"strings"
)

// smallest returns the smallest valid value of a node.
func (fl *filler) smallest(n node, name string, depth int) any {
	kinds := n.types()
	kind := "object"
	switch {
	case len(kinds) > 0:
		kind = kinds[0]
		if slices.Contains(kinds, "null") {
			return nil
		}
	case n["properties"] == nil && n["required"] == nil:
		kind = guessKind(n)
	}
	switch kind {
	case "object":
		return fl.object(n, depth)
	case "array":
		return fl.array(n, name, depth)
	case "string":
		return smallestString(n)
	case "integer", "number":
		return n.number(0)
	case "boolean":
		return false
	}
	return nil
}

// guessKind is for nodes that name no type: what their keywords are about.
func guessKind(n node) string {
	for _, g := range []struct{ key, kind string }{
		{"items", "array"},
		{"minItems", "array"},
		{"prefixItems", "array"},
		{"minLength", "string"},
		{"pattern", "string"},
		{"minimum", "number"},
		{"maximum", "number"},
		{"multipleOf", "number"},
		{"exclusiveMinimum", "number"},
		{"minProperties", "object"},
	} {
		if n[g.key] != nil {
			return g.kind
		}
	}
	return "null"
}

// object fills what is required, and what is known and optional.
func (fl *filler) object(n node, depth int) any {
	out := map[string]any{}
	for _, name := range n.required() {
		p := n.prop(name)
		if p == nil {
			p = node{"type": "string"}
			if extra := asNode(n["additionalProperties"]); len(extra) > 0 {
				p = extra
			}
		}
		out[name] = fl.fill(p, name, depth+1)
	}
	for _, name := range n.propNames() {
		if _, done := out[name]; done || fields[name] == nil || depth > 2 {
			continue
		}
		p := fl.settle(n.prop(name), depth+1)
		if v, ok := fl.accept(p, fields[name](fl.facts), depth+1); ok && fl.allowed(p, v) {
			out[name] = v
		}
	}
	return out
}

// allowed reports whether a value is one of the constants of a node, if it has any.
func (fl *filler) allowed(n node, v any) bool {
	c, ok := n["const"]
	return !ok || c == v
}

func (fl *filler) array(n node, name string, depth int) any {
	out := []any{}
	want := n.count("minItems", maxMade)
	first, _ := n["prefixItems"].([]any)
	for i := range want {
		item := asNode(n["items"])
		if i < len(first) {
			item = asNode(first[i])
		}
		if item == nil {
			item = node{}
		}
		v := fl.fill(item, strings.TrimSuffix(name, "s"), depth+1)
		if n["uniqueItems"] == true {
			v = distinct(item, v, i)
		}
		out = append(out, v)
	}
	return out
}

// distinct makes the items of a list differ, where that is easy.
func distinct(item node, v any, i int) any {
	if all, ok := item["enum"].([]any); ok && i < len(all) {
		return all[i]
	}
	switch v := v.(type) {
	case string:
		return v + strings.Repeat("-", i)
	case float64:
		return v + float64(i)
	}
	return v
}

// tries are strings for patterns, tried in order.
var tries = []string{"", "a", "A", "0", "1", "x-1", "2000-01-01", "00:00", "2000-01-01T00:00:00Z", "a@b.c", "a.b", "/", "./a", "#000000", "aaaaaaaa", "00000000"}

func smallestString(n node) string {
	low := n.count("minLength", 1<<12)
	pattern, _ := n["pattern"].(string)
	re, err := regexp.Compile(pattern)
	for _, s := range tries {
		s += strings.Repeat("-", max(low-len(s), 0))
		if err != nil || re.MatchString(s) {
			return s
		}
	}
	return strings.Repeat("-", low)
}
