package args

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"rein"
)

// maxSchema bounds the text of a schema. What a model is to read is far shorter.
const maxSchema = 256 << 10

// A schema is ready to check arguments. Nothing in it changes.
type schema struct {
	root     *jsonschema.Schema
	resolved *jsonschema.Resolved
	simple   *simple                       // nil: it says more than a simple one can
	at       map[string]*jsonschema.Schema // by JSON pointer, for references
	refs     map[*jsonschema.Schema]*jsonschema.Schema
	same     map[*jsonschema.Schema][]*jsonschema.Schema // what applies to the same value, references too
	patterns map[string]*regexp.Regexp
}

// CheckSchema says what is wrong with the schema of a tool, if anything. It must be JSON Schema
// 2020-12 (or draft 7), describe an object, and refer to nothing outside itself.
func CheckSchema(text json.RawMessage) error {
	_, err := compile(text)
	return err
}

// compiled keeps schemas by their text. It is emptied when it is full, because tools from outside
// may bring ever new ones.
var compiled struct {
	sync.Mutex
	schemas map[string]*schema
}

const maxCompiled = 512

func compile(text json.RawMessage) (*schema, error) {
	compiled.Lock()
	known := compiled.schemas[string(text)]
	compiled.Unlock()
	if known != nil {
		return known, nil
	}
	s, err := newSchema(text)
	if err != nil {
		return nil, rein.Errorf(rein.CodeInvalid, "the schema is wrong: %w", err)
	}
	compiled.Lock()
	defer compiled.Unlock()
	if compiled.schemas == nil || len(compiled.schemas) >= maxCompiled {
		compiled.schemas = map[string]*schema{}
	}
	compiled.schemas[string(text)] = s
	return s, nil
}

func emptySchema(text json.RawMessage) bool {
	trimmed := bytes.TrimSpace(text)
	return len(trimmed) == 0 || string(trimmed) == "null"
}

// newSchema reads a schema. The library panics on some that are wrong, hence the recover.
func newSchema(text json.RawMessage) (s *schema, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			s, err = nil, fmt.Errorf("it cannot be used: %v", fault)
		}
	}()
	if emptySchema(text) {
		text = json.RawMessage(`{"type":"object"}`)
	}
	if err := readable(text); err != nil {
		return nil, err
	}
	s = &schema{
		root: &jsonschema.Schema{},
		at:   map[string]*jsonschema.Schema{},
		refs: map[*jsonschema.Schema]*jsonschema.Schema{},
		same: map[*jsonschema.Schema][]*jsonschema.Schema{},

		patterns: map[string]*regexp.Regexp{},
	}
	if err := json.Unmarshal(text, s.root); err != nil {
		return nil, err
	}
	if err := s.inspect(); err != nil {
		return nil, err
	}
	// No loader is given, so nothing is ever fetched.
	s.resolved, err = s.root.Resolve(nil)
	s.simple = simplified(s.root)
	return s, err
}

// readable checks what must be true of the text before it is taken for a schema.
func readable(text json.RawMessage) error {
	if len(text) > maxSchema {
		return fmt.Errorf("it has %d bytes; at most %d are taken", len(text), maxSchema)
	}
	value, err := decodeStrict(text)
	if err != nil {
		return fmt.Errorf("it is not JSON: %w", err)
	}
	if _, ok := value.(map[string]any); !ok {
		return fmt.Errorf("it must be a JSON object")
	}
	if deeper(value, maxDepth) {
		return fmt.Errorf("it is nested more than %d deep", maxDepth)
	}
	return nil
}

// A child is a schema inside of a schema.
type child struct {
	path   string
	schema *jsonschema.Schema
	same   bool // it applies to the same value as its parent
}

// children lists the schemas right inside of a schema, in a fixed order.
func children(s *jsonschema.Schema) []child {
	var list []child
	one := func(name string, c *jsonschema.Schema, same bool) {
		if c != nil {
			list = append(list, child{"/" + name, c, same})
		}
	}
	many := func(name string, cs []*jsonschema.Schema, same bool) {
		for i, c := range cs {
			one(name+"/"+strconv.Itoa(i), c, same)
		}
	}
	named := func(name string, cs map[string]*jsonschema.Schema, same bool) {
		for _, key := range slices.Sorted(maps.Keys(cs)) {
			one(name+"/"+escape(key), cs[key], same)
		}
	}
	named("$defs", s.Defs, false)
	named("definitions", s.Definitions, false)
	named("properties", s.Properties, false)
	named("patternProperties", s.PatternProperties, false)
	named("dependentSchemas", s.DependentSchemas, true)
	named("dependencies", s.DependencySchemas, true)
	many("allOf", s.AllOf, true)
	many("anyOf", s.AnyOf, true)
	many("oneOf", s.OneOf, true)
	many("prefixItems", s.PrefixItems, false)
	many("items", s.ItemsArray, false)
	one("not", s.Not, true)
	one("if", s.If, true)
	one("then", s.Then, true)
	one("else", s.Else, true)
	one("items", s.Items, false)
	one("additionalItems", s.AdditionalItems, false)
	one("unevaluatedItems", s.UnevaluatedItems, false)
	one("contains", s.Contains, false)
	one("additionalProperties", s.AdditionalProperties, false)
	one("unevaluatedProperties", s.UnevaluatedProperties, false)
	one("propertyNames", s.PropertyNames, false)
	one("contentSchema", s.ContentSchema, false)
	return list
}
