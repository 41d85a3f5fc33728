package args

import (
	"encoding/json"
	"math"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// isType reports whether a value is of a type of JSON Schema.
func isType(value any, name string) bool {
	switch v := value.(type) {
	case nil:
		return name == "null"
	case bool:
		return name == "boolean"
	case string:
		return name == "string"
	case []any:
		return name == "array"
	case map[string]any:
		return name == "object"
	case json.Number:
		return name == "number" || name == "integer" && wholeNumber(v)
	}
	return false
}

func wholeNumber(n json.Number) bool {
	f, err := n.Float64()
	if err != nil {
		return false
	}
	_, fraction := math.Modf(f)
	return fraction == 0
}

var articles = map[string]string{
	"array": "an array", "boolean": "a boolean", "integer": "an integer", "null": "null",
	"number": "a number", "object": "an object", "string": "a string",
}

func kindOf(value any) string {
	for _, name := range []string{"null", "boolean", "string", "array", "object", "number"} {
		if isType(value, name) {
			return articles[name]
		}
	}
	return "something else"
}

// allowed reports whether a value is one of those that a schema lists.
func allowed(at *jsonschema.Schema, value any) bool {
	plainValue, problem := plain(value, "")
	if problem != nil {
		return false
	}
	for _, choice := range choices(at) {
		if jsonschema.Equal(choice, plainValue) {
			return true
		}
	}
	return false
}

// choices lists the values that a schema allows by name.
func choices(at *jsonschema.Schema) []any {
	if at.Const != nil {
		return []any{*at.Const}
	}
	return at.Enum
}

// wanted says in words what a schema asks for.
func wanted(at *jsonschema.Schema) string {
	if at == nil {
		return "there"
	}
	var words []string
	for _, choice := range choices(at) {
		words = append(words, show(choice))
	}
	switch len(words) {
	case 0:
	case 1:
		return words[0]
	default:
		return "one of " + list(words)
	}
	for _, name := range typesOf(at) {
		words = append(words, articles[name])
	}
	if len(words) == 0 {
		return "as the schema says"
	}
	return strings.Join(words, " or ")
}

// wanted follows references, which the words for a schema alone cannot.
func (s *schema) wanted(at *jsonschema.Schema) string { return wanted(s.follow(at)) }

func (s *schema) typesOf(at *jsonschema.Schema) []string { return typesOf(s.follow(at)) }

// follow returns what a schema that is only a reference refers to.
func (s *schema) follow(at *jsonschema.Schema) *jsonschema.Schema {
	for range maxDepth {
		target := s.refs[at]
		if target == nil || len(typesOf(at)) > 0 || len(choices(at)) > 0 {
			break
		}
		at = target
	}
	return at
}
