package openapi

import (
	"encoding"
	"encoding/json"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// Schemas makes schemas of Go types as encoding/json writes them. Structs, and strings that have Words,
// become components that are referred to by name. What a field may be left out of (omitempty, omitzero)
// is optional; all else is required.
type Schemas struct {
	Vocabulary
	Names    map[reflect.Type]string   // of components that are not called as their type
	Optional map[reflect.Type][]string // fields that senders may leave out, though their tag does not say so
	Extra    map[reflect.Type][]string // names of texts that a type writes beside its fields

	components map[string]*jsonschema.Schema
	names      map[reflect.Type]string
	seen       map[reflect.Type]bool
}

// All returns the components that were needed so far.
func (s *Schemas) All() map[string]*jsonschema.Schema { return s.components }

// Types returns the types with a name that were met so far, for who looks into their source.
func (s *Schemas) Types() (all []reflect.Type) {
	for t := range s.seen {
		if t.PkgPath() != "" {
			all = append(all, t)
		}
	}
	return all
}

var (
	timeType   = reflect.TypeFor[time.Time]()
	spanType   = reflect.TypeFor[time.Duration]()
	rawType    = reflect.TypeFor[json.RawMessage]()
	textWriter = reflect.TypeFor[encoding.TextMarshaler]()
	jsonWriter = reflect.TypeFor[json.Marshaler]()
)

// Of returns the schema of a type.
func (s *Schemas) Of(t reflect.Type) *jsonschema.Schema {
	if s.seen == nil {
		s.seen, s.names, s.components = map[reflect.Type]bool{}, map[reflect.Type]string{}, map[string]*jsonschema.Schema{}
	}
	s.seen[t] = true
	switch {
	case t == timeType:
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case t == spanType:
		return &jsonschema.Schema{Type: "integer", Description: "nanoseconds"}
	case t == rawType, t.Kind() == reflect.Interface:
		return anything()
	case s.Words[Key(t)] != nil:
		return s.component(t, s.words)
	case t.Kind() == reflect.Struct && t.Name() != "" && (!t.Implements(jsonWriter) || s.Extra[t] != nil):
		return s.component(t, s.object)
	case t.Implements(textWriter):
		return &jsonschema.Schema{Type: "string"}
	case t.Implements(jsonWriter):
		return anything()
	}
	return s.ofKind(t)
}

// anything is the schema of any JSON. It has words because not every program reads the schema "true".
func anything() *jsonschema.Schema { return &jsonschema.Schema{Description: "any JSON"} }

func (s *Schemas) ofKind(t reflect.Type) *jsonschema.Schema {
	switch t.Kind() {
	case reflect.Pointer:
		return s.Of(t.Elem())
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Float32, reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.Map:
		return &jsonschema.Schema{Type: "object", AdditionalProperties: s.Of(t.Elem())}
	case reflect.Struct:
		return s.object(t)
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
		}
		return &jsonschema.Schema{Type: "array", Items: s.Of(t.Elem())}
	}
	return &jsonschema.Schema{Type: "integer"}
}

// component refers to the schema of a type, and makes it when it is first needed. The name is taken
// before it is made, so that a type may contain itself.
func (s *Schemas) component(t reflect.Type, build func(reflect.Type) *jsonschema.Schema) *jsonschema.Schema {
	name, known := s.names[t]
	if !known {
		name = s.name(t)
		s.names[t], s.components[name] = name, &jsonschema.Schema{}
		*s.components[name] = *build(t)
	}
	return &jsonschema.Schema{Ref: schemasAt + name}
}

// name calls a type by its own name, with its package's before it if that is taken.
func (s *Schemas) name(t reflect.Type) string {
	name := t.Name()
	if given, ok := s.Names[t]; ok {
		name = given
	}
	if s.components[name] != nil {
		of := path.Base(t.PkgPath())
		name = strings.ToUpper(of[:1]) + of[1:] + name
	}
	return name
}

func (s *Schemas) words(t reflect.Type) *jsonschema.Schema {
	schema := &jsonschema.Schema{Type: "string", Description: rename(s.Comments[Key(t)], t.Name(), s.names[t])}
	about := map[string]string{}
	for _, word := range s.Words[Key(t)] {
		schema.Enum = append(schema.Enum, word)
		if text := s.Comments[WordKey(Key(t), word)]; text != "" {
			about[word] = text
		}
	}
	if len(about) > 0 {
		schema.Extra = map[string]any{wordsAbout: about}
	}
	return schema
}

// object is the schema of a struct with the fields that JSON can name, those of embedded structs too.
func (s *Schemas) object(t reflect.Type) *jsonschema.Schema {
	o := &jsonschema.Schema{Type: "object", Properties: map[string]*jsonschema.Schema{}, Description: rename(s.Comments[Key(t)], t.Name(), s.names[t])}
	add := func(name string, field *jsonschema.Schema) {
		o.Properties[name], o.PropertyOrder = field, append(o.PropertyOrder, name)
	}
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			s.seen[f.Type] = true // its fields are here, with their comments
			continue
		}
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			name = f.Name
		}
		add(name, s.field(t, f, name))
		if !strings.Contains(options, "omit") && !slices.Contains(s.Optional[t], name) {
			o.Required = append(o.Required, name)
		}
	}
	for _, name := range s.Extra[t] {
		add(name, &jsonschema.Schema{Type: "string"})
	}
	return o
}

// field is the schema of a field, with what its comment says.
func (s *Schemas) field(of reflect.Type, f reflect.StructField, name string) *jsonschema.Schema {
	schema := s.Of(f.Type)
	if f.Type.Kind() == reflect.Pointer && !strings.Contains(f.Tag.Get("json"), "omit") {
		schema = &jsonschema.Schema{AnyOf: []*jsonschema.Schema{schema, {Type: "null"}}}
	}
	owner := of
	for _, i := range f.Index[:len(f.Index)-1] {
		if owner = owner.Field(i).Type; owner.Kind() == reflect.Pointer {
			owner = owner.Elem()
		}
	}
	if about := rename(s.Comments[Key(owner)+"."+f.Name], f.Name, "`"+name+"`"); about != "" {
		if schema.Description != "" {
			about = strings.TrimSuffix(about, ".") + " (" + schema.Description + ")"
		}
		schema.Description = about
	}
	return schema
}

// rename lets a comment begin with the name that JSON knows, in place of Go's.
func rename(comment, name, known string) string {
	for _, article := range []string{"", "A ", "An "} {
		if rest, ok := strings.CutPrefix(comment, article+name+" "); ok && name != "" && known != "" {
			return article + known + " " + rest
		}
	}
	return comment
}
