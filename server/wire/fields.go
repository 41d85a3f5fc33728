package wire

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	"rein"
	"rein/internal/near"
)

// checkFields refuses names in JSON that the value has no field for: what is not understood must not
// be lost in silence.
func checkFields(raw, value any) error { return checkType(raw, reflect.TypeOf(value), "") }

var unmarshaler = reflect.TypeFor[json.Unmarshaler]()

// checkType compares JSON with the type that it will be read into. What a type reads by itself is its
// own business, and what has the wrong kind the decoder tells.
func checkType(raw any, t reflect.Type, at string) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(unmarshaler) {
		return nil
	}
	switch v := raw.(type) {
	case map[string]any:
		if t.Kind() == reflect.Struct {
			return checkStruct(v, t, at)
		}
	case []any:
		if t.Kind() == reflect.Slice {
			for _, element := range v {
				if err := checkType(element, t.Elem(), at); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func checkStruct(raw map[string]any, t reflect.Type, at string) error {
	known := fields(t)
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		field, ok := known[name]
		if !ok {
			names := slices.Sorted(maps.Keys(known))
			return rein.Errorf(rein.CodeInvalid, "field %.80q does not exist; available: %s%s", at+name, strings.Join(names, ", "), near.DidYouMean(name, names))
		}
		if err := checkType(raw[name], field, at+name+"."); err != nil {
			return err
		}
	}
	return nil
}

// known is what fields has found out, by type: a body may have a hundred thousand values of one.
var known sync.Map

// fields returns the fields of a struct that JSON can name.
func fields(t reflect.Type) map[string]reflect.Type {
	if found, ok := known.Load(t); ok {
		return found.(map[string]reflect.Type)
	}
	found := map[string]reflect.Type{}
	fieldsOf(t, found)
	known.Store(t, found)
	return found
}

// fieldsOf collects the fields that JSON can name, those of embedded structs too.
func fieldsOf(t reflect.Type, into map[string]reflect.Type) {
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case f.Anonymous && name == "" && f.Type.Kind() == reflect.Struct:
			fieldsOf(f.Type, into)
		case name == "":
			into[f.Name] = f.Type
		default:
			into[name] = f.Type
		}
	}
}

// kindOf says what JSON a type is read from.
func kindOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer:
		return "an object"
	}
	return "a number"
}
