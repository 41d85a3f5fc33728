package args

import (
	"maps"
	"slices"

	"github.com/google/jsonschema-go/jsonschema"
)

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

func (e *explainer) explainObject(at *jsonschema.Schema, object map[string]any, path string) *Problem {
	for _, name := range at.Required {
		if _, ok := object[name]; !ok {
			return e.problem(path, "%q is missing; it must be %s", name, wants{e, at.Properties[name]})
		}
	}
	switch n := len(object); {
	case at.MinProperties != nil && n < *at.MinProperties:
		return e.problem(path, "it has %d properties; it must have at least %d", n, *at.MinProperties)
	case at.MaxProperties != nil && n > *at.MaxProperties:
		return e.problem(path, "it has %d properties; it must have at most %d", n, *at.MaxProperties)
	}
	for _, name := range sortedKeys(object) {
		c, declared := e.declaredAs(at, name)
		if !declared {
			c = at.AdditionalProperties
		}
		if c == nil {
			continue
		}
		if !declared && nothing(c) {
			return e.problem(path, "%s is not known; known is: %s", shown{name}, names{at})
		}
		if p := e.explain(c, object[name], e.join(path, name)); p != nil {
			return p
		}
	}
	return nil
}

// declaredAs returns the schema of a property that a schema names or has a pattern for.
func (s *schema) declaredAs(at *jsonschema.Schema, name string) (*jsonschema.Schema, bool) {
	if c, ok := at.Properties[name]; ok {
		return c, true
	}
	for _, pattern := range sortedKeys(at.PatternProperties) {
		if s.patterns[pattern].MatchString(name) {
			return at.PatternProperties[pattern], true
		}
	}
	return nil, false
}

// nothing reports whether a schema is false, which no value fits.
func nothing(at *jsonschema.Schema) bool {
	return at.Not != nil && len(children(at.Not)) == 0 && len(typesOf(at.Not)) == 0 && at.Not.Enum == nil &&
		at.Not.Const == nil && at.Not.Ref == "" && at.Not.Required == nil
}

func known(at *jsonschema.Schema) string {
	if len(at.Properties) == 0 {
		return "nothing"
	}
	return list(sortedKeys(at.Properties))
}
