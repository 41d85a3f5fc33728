package offline

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	maxDepth = 16   // of a schema that refers to itself
	maxMade  = 64   // items or characters that a schema can demand
	maxNodes = 2000 // parts of a value
)

// fillSchema returns JSON of the prompt's schema, filled from what is known. If the texts are too
// long for the reply they are cut, as a cut of the JSON itself would break it.
func fillSchema(t *turn, limit int) string {
	root, ok := decodeSchema(t.Schema)
	if !ok {
		return "{}"
	}
	shortest := "{}"
	for room := limit; room >= 4; room /= 2 {
		fl := filler{root: root, facts: newFacts(t, room)}
		raw, err := marshal(fl.fill(root, "", 0))
		if err != nil {
			return "{}"
		}
		shortest = string(raw)
		if len(shortest) <= limit {
			break
		}
	}
	return shortest
}

// A filler makes values of a schema.
type filler struct {
	root  node
	facts *facts
	nodes int
}

// fill returns a value for the part of the schema that has this name. Known names take what is
// known, if the schema lets them; everything else is the smallest valid value.
func (fl *filler) fill(n node, name string, depth int) any {
	fl.nodes++
	if n == nil || depth > maxDepth || fl.nodes > maxNodes {
		return nil
	}
	n = fl.settle(n, depth)
	if v, ok := n["const"]; ok {
		return v
	}
	if made, ok := fields[name]; ok {
		if v, ok := fl.accept(n, made(fl.facts), depth); ok {
			return v
		}
	}
	if all, ok := n["enum"].([]any); ok && len(all) > 0 {
		return all[0]
	}
	return fl.smallest(n, name, depth)
}

// settle follows references and chooses a branch, until the node says itself what it wants.
func (fl *filler) settle(n node, depth int) node {
	for range maxDepth {
		ref, isRef := n["$ref"].(string)
		if isRef {
			target := fl.root.at(ref)
			if target == nil {
				return n
			}
			n = merge(target, n, "$ref")
			continue
		}
		key, branches := branching(n)
		if key == "" {
			return n
		}
		if key == "allOf" {
			rest := merge(nil, n, key)
			for _, b := range branches {
				rest = merge(rest, fl.settle(b, depth+1), "")
			}
			n = rest
			continue
		}
		n = merge(fl.choose(branches, depth), n, key)
	}
	return n
}

// branching returns the first keyword that combines schemas, and what it combines.
func branching(n node) (string, []node) {
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := n[key].([]any)
		var all []node
		for _, b := range list {
			if bn := asNode(b); bn != nil {
				all = append(all, bn)
			}
		}
		if len(all) > 0 {
			return key, all
		}
	}
	return "", nil
}

// merge lays one node over another, without the keyword that is dealt with. Properties and
// required names add up.
func merge(under, over node, without string) node {
	out := node{}
	for k, v := range under {
		out[k] = v
	}
	for k, v := range over {
		switch {
		case k == without:
		case k == "properties":
			props := map[string]any{}
			for _, m := range []any{out[k], v} {
				m, _ := m.(map[string]any)
				for name, p := range m {
					props[name] = p
				}
			}
			out[k] = props
		case k == "required":
			a, _ := out[k].([]any)
			b, _ := v.([]any)
			out[k] = slices.Concat(a, b)
		default:
			out[k] = v
		}
	}
	return out
}

// choose returns the branch whose "type" is what is to be said now, or the first; deep inside a
// schema that refers to itself, the first that does not go deeper.
func (fl *filler) choose(branches []node, depth int) node {
	for _, b := range branches {
		b := fl.settle1(b)
		for _, name := range []string{"type", "kind"} {
			p := b.prop(name)
			want := fl.facts.kind()
			if enum, _ := p["enum"].([]any); p["const"] == want || len(enum) == 1 && enum[0] == want {
				return b
			}
		}
	}
	if depth > 3 {
		for _, b := range branches {
			if b.is("null") || b["$ref"] == nil && !b.is("object") && !b.is("array") {
				return b
			}
		}
	}
	return branches[0]
}

// settle1 follows one reference.
func (fl *filler) settle1(n node) node {
	if ref, ok := n["$ref"].(string); ok {
		if target := fl.root.at(ref); target != nil {
			return target
		}
	}
	return n
}

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

// accept bends a known value to the node, or reports that it does not fit.
func (fl *filler) accept(n node, v any, depth int) (any, bool) {
	if n == nil || v == nil {
		return nil, false
	}
	if all, ok := n["enum"].([]any); ok {
		return v, slices.ContainsFunc(all, func(e any) bool { s, isText := e.(string); return isText && s == v })
	}
	switch v := v.(type) {
	case string:
		return fl.acceptText(n, v)
	case bool:
		return v, n.is("boolean")
	case []any:
		return fl.acceptList(n, v, depth)
	case map[string]any:
		raw, err := marshal(v)
		return v, err == nil && (n.is("object") || len(n) == 0) && fl.valid(n, raw)
	}
	return nil, false
}

func (fl *filler) acceptText(n node, v string) (any, bool) {
	if n.is("array") {
		return fl.acceptList(n, optional(v), 0)
	}
	if !n.is("string") {
		return nil, false
	}
	if high, ok := n.float("maxLength"); ok && float64(utf8.RuneCountInString(v)) > high {
		v = string([]rune(v)[:int(max(high, 0))])
	}
	if n.count("minLength", 1<<20) > utf8.RuneCountInString(v) {
		return nil, false
	}
	if pattern, ok := n["pattern"].(string); ok {
		if re, err := regexp.Compile(pattern); err != nil || !re.MatchString(v) {
			return nil, false
		}
	}
	return v, true
}

// acceptList takes a list that the schema allows; a list of steps also fits a text.
func (fl *filler) acceptList(n node, v []any, depth int) (any, bool) {
	if n.is("string") && !n.is("array") {
		var texts []string
		for _, x := range v {
			if s, ok := x.(string); ok {
				texts = append(texts, s)
			}
		}
		return fl.acceptText(n, strings.Join(texts, "; "))
	}
	if high, ok := n.float("maxItems"); ok && float64(len(v)) > high {
		v = v[:int(max(high, 0))]
	}
	raw, err := marshal(v)
	return v, err == nil && n.is("array") && fl.valid(n, raw)
}

// valid checks a value against a part of the schema, whose references are those of the whole.
func (fl *filler) valid(n node, raw json.RawMessage) bool {
	whole := merge(nil, n, "")
	for _, key := range []string{"$defs", "definitions"} {
		if whole[key] == nil && fl.root[key] != nil {
			whole[key] = fl.root[key]
		}
	}
	schema, err := marshal(map[string]any(whole))
	return err == nil && fits(schema, raw)
}
