package offline

import (
	"bytes"
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A node is a JSON Schema, or a part of one, as it stands.
type node map[string]any

// decodeSchema reads a schema; an absent one describes an object without properties.
func decodeSchema(raw json.RawMessage) (node, bool) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return node{}, true
	}
	var n node
	if err := json.Unmarshal(raw, &n); err != nil || n == nil {
		return nil, false
	}
	return n, true
}

// prop returns a property, or nil. A property that may be anything is an empty node.
func (n node) prop(name string) node {
	props, _ := n["properties"].(map[string]any)
	return asNode(props[name])
}

func asNode(v any) node {
	switch v := v.(type) {
	case map[string]any:
		return node(v)
	case bool:
		if v {
			return node{}
		}
	}
	return nil
}

// propNames returns the names of the properties in order.
func (n node) propNames() []string {
	props, _ := n["properties"].(map[string]any)
	names := make([]string, 0, len(props))
	for name := range props {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func (n node) required() []string { return stringsOf(n["required"]) }

// types returns the types that the node names; none means any.
func (n node) types() []string {
	if one, ok := n["type"].(string); ok {
		return []string{one}
	}
	return stringsOf(n["type"])
}

// is reports whether the node names the type.
func (n node) is(kind string) bool { return slices.Contains(n.types(), kind) }

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

func (n node) float(key string) (float64, bool) {
	f, ok := n[key].(float64)
	return f, ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}

// count returns a keyword such as minItems, at most limit: a schema may ask for a million.
func (n node) count(key string, limit int) int {
	f, ok := n.float(key)
	if !ok || f < 0 {
		return 0
	}
	return int(min(f, float64(limit)))
}

// number returns the valid number nearest to the wish.
func (n node) number(wish float64) float64 {
	v := wish
	step := 0.0
	if n.is("integer") {
		step = 1
	}
	if m, ok := n.float("multipleOf"); ok && m > 0 {
		step = m
		v = math.Round(v/m) * m
	}
	if high, ok := n.float("maximum"); ok && v > high {
		v = down(high, step)
	}
	if high, ok := n.float("exclusiveMaximum"); ok && v >= high {
		v = below(high, step)
	}
	if low, ok := n.float("minimum"); ok && v < low {
		v = up(low, step)
	}
	if low, ok := n.float("exclusiveMinimum"); ok && v <= low {
		v = above(low, step)
	}
	return v
}

func down(x, step float64) float64 {
	if step == 0 {
		return x
	}
	return math.Floor(x/step) * step
}

func up(x, step float64) float64 {
	if step == 0 {
		return x
	}
	return math.Ceil(x/step) * step
}

func below(x, step float64) float64 {
	if step == 0 {
		return x - math.Max(1e-6, math.Abs(x)*1e-6)
	}
	return math.Ceil(x/step)*step - step
}

func above(x, step float64) float64 {
	if step == 0 {
		return x + math.Max(1e-6, math.Abs(x)*1e-6)
	}
	return math.Floor(x/step)*step + step
}

// at follows a reference inside the document ("#/$defs/step"); others lead nowhere.
func (n node) at(ref string) node {
	path, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	var here any = map[string]any(n)
	for _, part := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if part == "" {
			continue
		}
		here = step(here, strings.NewReplacer("~1", "/", "~0", "~").Replace(part))
	}
	return asNode(here)
}

func step(v any, part string) any {
	switch v := v.(type) {
	case map[string]any:
		return v[part]
	case []any:
		if i, err := strconv.Atoi(part); err == nil && i >= 0 && i < len(v) {
			return v[i]
		}
	}
	return nil
}

func callID(n int) string { return "offline-" + strconv.Itoa(n) }
