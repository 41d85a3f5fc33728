package tool

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"rein"
)

// shape is what is known of a struct of arguments.
type shape struct {
	schema   json.RawMessage
	trusted  []string
	pinned   []string
	names    map[string]bool // of all arguments, trusted and pinned ones too
	defaults json.RawMessage // an object
}

// known are types whose JSON is not what their kind says.
var known = map[reflect.Type]*jsonschema.Schema{
	reflect.TypeFor[json.RawMessage](): {},
	reflect.TypeFor[time.Time]():       {Type: "string", Format: "date-time"},
}

func shapeOf[Args any]() (shape, error) {
	t := reflect.TypeFor[Args]()
	if t.Kind() != reflect.Struct {
		return shape{}, fmt.Errorf("its arguments must be a struct, not %s", t)
	}
	schema, err := jsonschema.ForType(t, &jsonschema.ForOptions{TypeSchemas: known})
	if err != nil {
		return shape{}, err
	}
	if err := refineFields(schema, t); err != nil {
		return shape{}, err
	}
	s := shape{names: map[string]bool{}}
	for name := range schema.Properties {
		s.names[name] = true
	}
	if s.trusted, err = takeTrusted(schema, t); err != nil {
		return shape{}, err
	}
	if s.pinned, err = takePinned(schema, t); err != nil {
		return shape{}, err
	}
	if s.defaults, err = defaultsOf(schema); err != nil {
		return shape{}, err
	}
	s.schema, err = json.Marshal(schema)
	return s, err
}

// refine adds to an inferred schema what our tags say, all the way down. It has no null: an
// argument that is not given is left out.
func refine(s *jsonschema.Schema, t reflect.Type) error {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if types := without(s.Types, "null"); s.Types != nil {
		s.Type, s.Types = strings.Join(types, ""), nil // a Go type has at most one other
	}
	if known[t] != nil {
		return nil
	}
	if err := readable(t); err != nil {
		return err
	}
	switch t.Kind() {
	case reflect.Struct:
		if err := plainInside(t); err != nil {
			return err
		}
		return refineFields(s, t)
	case reflect.Slice, reflect.Array:
		return refine(s.Items, t.Elem())
	case reflect.Map:
		return refine(s.AdditionalProperties, t.Elem())
	}
	return nil
}

// readable refuses types that encoding/json reads from something else than their schema says.
func readable(t reflect.Type) error {
	p := reflect.PointerTo(t)
	switch {
	case p.Implements(reflect.TypeFor[json.Unmarshaler]()), p.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return fmt.Errorf("%s reads its own JSON, so its schema is not known: use a plain type", t)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		return fmt.Errorf("%s would be base64: use string", t)
	}
	return nil
}

// plainInside refuses what only an argument itself can have, in a struct inside one.
func plainInside(t reflect.Type) error {
	for f := range t.Fields() {
		for _, tag := range []string{"trusted", "pinned", "default"} {
			if _, ok := f.Tag.Lookup(tag); ok {
				return fmt.Errorf("field %s.%s: only an argument itself can have the tag %q", t.Name(), f.Name, tag)
			}
		}
	}
	return nil
}

func refineFields(s *jsonschema.Schema, t reflect.Type) error {
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	seen := map[string]string{}
	for f := range fields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		switch other, twice := seen[strings.ToLower(name)]; {
		case f.Anonymous:
			return fmt.Errorf("field %s.%s is embedded: write its fields out", t.Name(), f.Name)
		case slices.Contains(strings.Split(options, ","), "string"):
			return fmt.Errorf(`field %s.%s: json:",string" is not in the schema: leave it out`, t.Name(), f.Name)
		case twice:
			return fmt.Errorf("fields %s and %s of %s have the same name in JSON", other, f.Name, t.Name())
		}
		seen[strings.ToLower(name)] = f.Name
		property := s.Properties[name]
		if err := refine(property, f.Type); err != nil {
			return fmt.Errorf("field %s.%s: %w", t.Name(), f.Name, err)
		}
		if err := applyTags(property, f); err != nil {
			return fmt.Errorf("field %s.%s: %w", t.Name(), f.Name, err)
		}
		if f.Type.Kind() == reflect.Pointer {
			s.Required = without(s.Required, name)
		}
		if property.Default != nil && slices.Contains(s.Required, name) {
			return fmt.Errorf("field %s.%s has a default, so it is optional: add omitempty", t.Name(), f.Name)
		}
	}
	return nil
}

// fields yields the fields that JSON knows of.
func fields(t reflect.Type) func(yield func(reflect.StructField) bool) {
	return func(yield func(reflect.StructField) bool) {
		for f := range t.Fields() {
			hidden := !f.IsExported() && !f.Anonymous
			if hidden || f.Tag.Get("json") == "-" {
				continue
			}
			if !yield(f) {
				return
			}
		}
	}
}

// takeTrusted takes the fields that the runtime fills in out of the schema.
func takeTrusted(s *jsonschema.Schema, t reflect.Type) ([]string, error) {
	var names []string
	for f := range t.Fields() {
		want, ok := f.Tag.Lookup("trusted")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case rein.TrustedFields[want] == nil:
			return nil, fmt.Errorf("field %s: the runtime knows no %q; it knows %v", f.Name, want, slices.Sorted(maps.Keys(rein.TrustedFields)))
		case name != want:
			return nil, fmt.Errorf("field %s: it is filled in under its trusted name: write json:%q", f.Name, want)
		case f.Type.Kind() != reflect.String || !f.IsExported():
			return nil, fmt.Errorf("field %s: what the runtime fills in is an exported string, not %s", f.Name, f.Type)
		}
		names = append(names, want)
		hide(s, want)
	}
	return names, nil
}

// takePinned takes the fields that the tool's Show fills in out of the schema.
func takePinned(s *jsonschema.Schema, t reflect.Type) ([]string, error) {
	var names []string
	for f := range t.Fields() {
		value, ok := f.Tag.Lookup("pinned")
		if !ok {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		_, trusted := f.Tag.Lookup("trusted")
		switch {
		case value != "true":
			return nil, fmt.Errorf(`field %s: write pinned:"true", not %q`, f.Name, value)
		case trusted:
			return nil, fmt.Errorf("field %s: it is either trusted or pinned", f.Name)
		case name == "" || f.Type.Kind() != reflect.String || !f.IsExported():
			return nil, fmt.Errorf("field %s: what is pinned is an exported string with a name in JSON, not %s", f.Name, f.Type)
		}
		names = append(names, name)
		hide(s, name)
	}
	return names, nil
}

// hide takes a field out of the schema that the model sees.
func hide(s *jsonschema.Schema, name string) {
	delete(s.Properties, name)
	s.Required, s.PropertyOrder = without(s.Required, name), without(s.PropertyOrder, name)
}

func without(names []string, name string) []string {
	return slices.DeleteFunc(names, func(n string) bool { return n == name })
}

// defaultsOf collects the defaults of the arguments, after the schema itself was found sound.
func defaultsOf(s *jsonschema.Schema) (json.RawMessage, error) {
	if _, err := s.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true}); err != nil {
		return nil, err
	}
	defaults := map[string]json.RawMessage{}
	for name, p := range s.Properties {
		if p.Default != nil {
			defaults[name] = p.Default
		}
	}
	return json.Marshal(defaults)
}
