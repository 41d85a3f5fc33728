package args

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"rein"
	"rein/internal/jsontext"
)

// A simple schema says no more than which types values have and which of them must be there, as the schemas of
// most tools do. What fits it needs no validator. It never says that a value does not fit: that has to be explained.
type simple struct {
	kind     string
	fields   map[string]*simple
	required []string
	items    *simple
}

// simplified returns a schema as a simple one, nil if it says more.
func simplified(s *jsonschema.Schema) *simple {
	if s == nil || saysMore(*s) {
		return nil
	}
	made := &simple{kind: s.Type, required: s.Required, fields: map[string]*simple{}}
	switch s.Type {
	case "string", "boolean", "integer", "number":
		return made
	case "array":
		made.items = simplified(s.Items)
		if made.items == nil {
			return nil
		}
		return made
	case "object":
		for name, field := range s.Properties {
			if made.fields[name] = simplified(field); made.fields[name] == nil {
				return nil
			}
		}
		return made
	}
	return nil
}

// saysMore reports whether a schema has keywords that a simple one has not. Those about other properties than the
// known ones may have any value: an object with such a property does not fit a simple schema.
func saysMore(s jsonschema.Schema) bool {
	s.Schema, s.Comment, s.Title, s.Description, s.Default, s.Examples = "", "", "", "", nil, nil
	s.Type, s.Properties, s.Required, s.Items, s.AdditionalProperties, s.PropertyOrder = "", nil, nil, nil, nil, nil
	return !reflect.DeepEqual(s, jsonschema.Schema{})
}

// fits reports whether a value surely fits the schema.
func (s *simple) fits(value any) bool {
	switch v := value.(type) {
	case string:
		return s.kind == "string"
	case bool:
		return s.kind == "boolean"
	case json.Number:
		return s.kind == "integer" && isShort(v, false) || s.kind == "number" && isShort(v, true)
	case []any:
		if s.kind != "array" {
			return false
		}
		for _, item := range v {
			if !s.items.fits(item) {
				return false
			}
		}
		return true
	case map[string]any:
		return s.kind == "object" && s.fitsObject(v)
	}
	return false
}

func (s *simple) fitsObject(object map[string]any) bool {
	for name, value := range object {
		if field := s.fields[name]; field == nil || !field.fits(value) {
			return false
		}
	}
	for _, name := range s.required {
		if _, ok := object[name]; !ok {
			return false
		}
	}
	return true
}

// readyAsWritten is prepare for most calls: what the model wrote fits a simple schema, and nothing is added to it.
func (s *schema) readyAsWritten(t rein.Tool, text string) (Ready, bool) {
	if s.simple == nil || len(t.Trusted)+len(t.Pinned) > 0 || len(text) > maxArgs || !strings.HasPrefix(text, "{") {
		return Ready{}, false
	}
	args, ok := jsontext.AppendPlain(make([]byte, 0, len(text)), []byte(text))
	if !ok {
		return Ready{}, false
	}
	value, err := decode(args)
	if err != nil || !s.simple.fits(value) {
		return Ready{}, false
	}
	return Ready{Args: args, Plain: args}, true
}

// isShort reports whether a number is written with a few digits, and a point if it may have one: every such number
// is in range.
func isShort(n json.Number, point bool) bool {
	for i, c := range n {
		if c == '-' && i == 0 || c >= '0' && c <= '9' || c == '.' && point {
			continue
		}
		return false
	}
	return len(n) <= 15
}
