package args

import (
	"fmt"

	"github.com/google/jsonschema-go/jsonschema"
)

// checksFor bounds how many pairs of schema and value are looked at for one value. Schemas with
// alternatives inside of alternatives could otherwise take for ever.
func checksFor(value any) int { return 100_000 + 32*size(value) }

// size counts the values in a value.
func size(value any) int {
	n := 1
	switch v := value.(type) {
	case map[string]any:
		for _, part := range v {
			n += size(part)
		}
	case []any:
		for _, part := range v {
			n += size(part)
		}
	}
	return n
}

// check says what is wrong with a value, nil if it fits. The library is the judge; the words are
// ours, since its own do not say where in the value, and not the same thing each time.
func (s *schema) check(value any) *Problem {
	if _, ok := value.(map[string]any); !ok {
		return &Problem{Msg: show(value) + " is " + kindOf(value) + "; they must be a JSON object", Offset: -1}
	}
	if s.simple != nil && s.simple.fits(value) {
		return nil
	}
	plainValue, problem := plain(value, "")
	if problem != nil {
		return problem
	}
	left := checksFor(value)
	if s.count(s.root, value, &left); left < 0 {
		return errTangled
	}
	if s.judge(plainValue) == nil {
		return nil
	}
	if problem := s.explainer(value).explain(s.root, value, ""); problem != nil {
		return problem
	}
	return &Problem{Msg: "they do not fit the schema", Offset: -1}
}

// judge asks the library.
func (s *schema) judge(value any) (err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("the schema cannot be checked: %v", fault)
		}
	}()
	return s.resolved.Validate(value)
}

// errTangled is never changed; about copies it.
var errTangled = &Problem{Msg: "they are too long for a schema with so many alternatives", Offset: -1}

// count goes where the validator may go and counts down; below zero it stops.
func (s *schema) count(at *jsonschema.Schema, value any, left *int) {
	if at == nil || *left < 0 {
		return
	}
	*left--
	for _, same := range s.same[at] {
		s.count(same, value, left)
	}
	switch v := value.(type) {
	case map[string]any:
		for name, part := range v {
			s.count(at.Properties[name], part, left)
			s.count(at.AdditionalProperties, part, left)
			s.count(at.UnevaluatedProperties, part, left)
			s.count(at.PropertyNames, name, left)
			for _, c := range at.PatternProperties {
				s.count(c, part, left)
			}
		}
	case []any:
		for i, part := range v {
			s.count(itemSchema(at, i), part, left)
			s.count(at.Contains, part, left)
			s.count(at.UnevaluatedItems, part, left)
		}
	}
}

// itemSchema returns the schema of an item by its place, nil if there is none.
func itemSchema(at *jsonschema.Schema, i int) *jsonschema.Schema {
	switch {
	case i < len(at.PrefixItems):
		return at.PrefixItems[i]
	case i < len(at.ItemsArray):
		return at.ItemsArray[i]
	case at.ItemsArray != nil:
		return at.AdditionalItems
	}
	return at.Items
}
