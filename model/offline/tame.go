package offline

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// maxCost is how many schemas a validator may have to try for one value.
const maxCost = 10_000

// unfollowed are keywords that name schemas in ways that are not followed here.
var unfollowed = []string{"$id", "$anchor", "$dynamicRef", "$dynamicAnchor", "$recursiveRef", "$recursiveAnchor"}

// tame reports whether checking a value against the schema comes to an end. {"$ref": "#"} makes the
// validator overflow its stack, which no recover can catch, and a few lines of allOf can make it try
// a million schemas. Tools may come from elsewhere, so their schemas are not trusted.
func tame(schema json.RawMessage) bool {
	root, ok := decodeSchema(schema)
	if !ok {
		return false
	}
	w := walker{root: root, cost: map[string]int{}}
	return w.all(map[string]any(root), "")
}

// A walker counts, for each schema of a document, those that are tried on the same value.
type walker struct {
	root node
	cost map[string]int // by place; 0 while it is being counted
}

// all visits every object in the document as if it were a schema.
func (w *walker) all(v any, at string) bool {
	switch v := v.(type) {
	case map[string]any:
		if w.count(at) > maxCost {
			return false
		}
		for key, sub := range v {
			if slices.Contains(unfollowed, key) || !w.all(sub, at+"/"+escape(key)) {
				return false
			}
		}
	case []any:
		for i, sub := range v {
			if !w.all(sub, at+"/"+strconv.Itoa(i)) {
				return false
			}
		}
	}
	return true
}

// count returns how many schemas the one at this place makes a validator try, and more than
// maxCost if it leads back to itself or nowhere. Of a circle only the one that is counted first is
// caught, which is enough, as every schema is visited.
func (w *walker) count(at string) int {
	if n, ok := w.cost[at]; ok {
		if n == 0 {
			return maxCost + 1
		}
		return n
	}
	w.cost[at] = 0
	n := 1
	here := w.root.at("#" + at)
	if here == nil { // true, false, or nothing
		w.cost[at] = n
		return n
	}
	for _, sub := range w.inPlace(here, at) {
		if n += w.count(sub); n > maxCost {
			n = maxCost + 1
			break
		}
	}
	w.cost[at] = n
	return n
}

// inPlace returns the places of the schemas that apply to the same value.
func (w *walker) inPlace(n node, at string) []string {
	var subs []string
	if ref, ok := n["$ref"].(string); ok {
		place, local := strings.CutPrefix(ref, "#")
		if !local || w.root.at(ref) == nil {
			return []string{at} // leads nowhere: as good as endless
		}
		subs = append(subs, strings.TrimSuffix(place, "/"))
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		list, _ := n[key].([]any)
		for i := range list {
			subs = append(subs, at+"/"+key+"/"+strconv.Itoa(i))
		}
	}
	for _, key := range []string{"not", "if", "then", "else"} {
		if n[key] != nil {
			subs = append(subs, at+"/"+key)
		}
	}
	for _, key := range []string{"dependentSchemas", "dependencies"} {
		some, _ := n[key].(map[string]any)
		for name := range some {
			subs = append(subs, at+"/"+key+"/"+escape(name))
		}
	}
	return subs
}

func escape(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }
