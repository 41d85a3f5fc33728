package offline

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

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
