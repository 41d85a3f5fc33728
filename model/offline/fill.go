package offline

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
