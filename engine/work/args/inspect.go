package args

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

var jsonTypes = []string{"array", "boolean", "integer", "null", "number", "object", "string"}

// inspect finds what the library does not: types that do not exist, references that it would have
// to look for elsewhere, and schemas that would keep it busy for ever.
func (s *schema) inspect() error {
	if types := typesOf(s.root); len(types) > 0 && !slices.Contains(types, "object") {
		return fmt.Errorf(`its type is %q; arguments are an object, so it must be "object"`, strings.Join(types, ", "))
	}
	if err := s.draft(); err != nil {
		return err
	}
	s.index("", s.root)
	pointers := slices.Sorted(maps.Keys(s.at))
	for _, pointer := range pointers {
		if err := s.inspectOne(pointer, s.at[pointer]); err != nil {
			return err
		}
	}
	state := map[*jsonschema.Schema]int{}
	for _, pointer := range pointers {
		if s.endless(s.at[pointer], state) {
			return fmt.Errorf("%s refers to itself without end", place(pointer))
		}
	}
	return nil
}

// draft gives the root the one spelling of its draft that the library knows.
func (s *schema) draft() error {
	name := strings.TrimSuffix(s.root.Schema, "#")
	_, name, _ = strings.Cut(name, "://")
	switch {
	case s.root.Schema == "":
	case name == "json-schema.org/draft/2020-12/schema":
		s.root.Schema = "https://" + name
	case name == "json-schema.org/draft-07/schema":
		s.root.Schema = "http://" + name + "#"
	default:
		return fmt.Errorf("its $schema is %q; it must be https://json-schema.org/draft/2020-12/schema, or draft 7", s.root.Schema)
	}
	return nil
}

func place(pointer string) string {
	if pointer == "" {
		return "the root"
	}
	return pointer
}

func (s *schema) index(pointer string, at *jsonschema.Schema) {
	s.at[pointer] = at
	for _, c := range children(at) {
		s.index(pointer+c.path, c.schema)
		if c.same {
			s.same[at] = append(s.same[at], c.schema)
		}
	}
}

func (s *schema) inspectOne(pointer string, at *jsonschema.Schema) error {
	for _, name := range typesOf(at) {
		if !slices.Contains(jsonTypes, name) {
			return fmt.Errorf("%s has the type %q; there is %s", place(pointer), name, strings.Join(jsonTypes, ", "))
		}
	}
	for _, pattern := range slices.Concat([]string{at.Pattern}, sortedKeys(at.PatternProperties)) {
		re, err := regexp.Compile(pattern)
		if err != nil {
			return fmt.Errorf("%s has a pattern that Go's regular expressions do not know: %w", place(pointer), err)
		}
		s.patterns[pattern] = re
	}
	if at.MultipleOf != nil && *at.MultipleOf <= 0 {
		return fmt.Errorf("%s has multipleOf %v; it must be more than 0", place(pointer), *at.MultipleOf)
	}
	if pointer != "" && at.ID != "" {
		return fmt.Errorf("%s has an $id; only the root may have one", place(pointer))
	}
	if at.DynamicRef != "" {
		return fmt.Errorf("%s has a $dynamicRef; use $ref", place(pointer))
	}
	if at.Ref == "" {
		return nil
	}
	local, ok := strings.CutPrefix(at.Ref, "#")
	local, err := url.PathUnescape(local)
	target := s.at[local]
	if !ok || err != nil || target == nil {
		return fmt.Errorf("%s refers to %q; it must be a place in the same schema, such as #/$defs/name", place(pointer), at.Ref)
	}
	s.refs[at] = target
	s.same[at] = append(s.same[at], target)
	return nil
}

// endless reports whether a schema leads back to itself with the same value, by way of references
// and of what applies to the same value. The states are 1 under way and 2 known to end.
func (s *schema) endless(at *jsonschema.Schema, state map[*jsonschema.Schema]int) bool {
	switch state[at] {
	case 1:
		return true
	case 2:
		return false
	}
	state[at] = 1
	for _, same := range s.same[at] {
		if s.endless(same, state) {
			return true
		}
	}
	state[at] = 2
	return false
}

func typesOf(at *jsonschema.Schema) []string {
	if at.Type != "" {
		return []string{at.Type}
	}
	return at.Types
}
