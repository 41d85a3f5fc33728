package args

import (
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// rename gives properties the names that the schema declares, where a name differs from exactly one
// of them only in case, underscores and hyphens, and that one is not given. Two names for the same
// stay as they are.
func (s *schema) rename(at *jsonschema.Schema, object map[string]any) {
	claims := map[string][]string{}
	for _, name := range sortedKeys(object) {
		if _, declared := s.declaredAs(at, name); declared {
			continue
		}
		if meant := meantBy(at, name); meant != "" {
			claims[meant] = append(claims[meant], name)
		}
	}
	for _, meant := range sortedKeys(claims) {
		if _, given := object[meant]; given || len(claims[meant]) != 1 {
			continue
		}
		name := claims[meant][0]
		object[meant] = object[name]
		delete(object, name)
	}
}

// meantBy returns the only declared property that a name can stand for.
func meantBy(at *jsonschema.Schema, name string) string {
	for _, folded := range []string{fold(name), alias(fold(name))} {
		var found []string
		for _, declared := range sortedKeys(at.Properties) {
			if folded != "" && fold(declared) == folded {
				found = append(found, declared)
			}
		}
		if len(found) > 0 {
			if len(found) == 1 {
				return found[0]
			}
			return ""
		}
	}
	return ""
}

// fold returns a name without what people spell differently.
func fold(name string) string { return foldings.Replace(strings.ToLower(name)) }

var foldings = strings.NewReplacer("_", "", "-", "")

// alias returns the other name of a file's path.
func alias(folded string) string {
	switch folded {
	case "path":
		return "filepath"
	case "filepath":
		return "path"
	}
	return ""
}
