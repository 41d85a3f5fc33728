package offline

import "slices"

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
