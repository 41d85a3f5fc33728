package args

import (
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

func sortedKeys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }

func (e *explainer) explainObject(at *jsonschema.Schema, object map[string]any, path string) *Problem {
	for _, name := range at.Required {
		if _, ok := object[name]; !ok {
			return problem(path, "%q is missing; it must be %s", name, e.wanted(at.Properties[name]))
		}
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
			return problem(path, "%q is not known; known is: %s", name, known(at))
		}
		if p := e.explain(c, object[name], join(path, name)); p != nil {
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
	return strings.Join(sortedKeys(at.Properties), ", ")
}
