package tool

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// applyTags adds the tags of one field to its schema.
func applyTags(s *jsonschema.Schema, f reflect.StructField) error {
	for _, tag := range []struct {
		name  string
		apply func(*jsonschema.Schema, string) error
	}{{"enum", setEnum}, {"min", setMin}, {"max", setMax}, {"default", setDefault}} {
		value, ok := f.Tag.Lookup(tag.name)
		if !ok {
			continue
		}
		if err := tag.apply(s, value); err != nil {
			return fmt.Errorf("%s:%q: %w", tag.name, value, err)
		}
	}
	if f.Tag.Get("max") != "" && f.Tag.Get("min") != "" && emptyRange(s) {
		return fmt.Errorf("min %s is above max %s", f.Tag.Get("min"), f.Tag.Get("max"))
	}
	return nil
}

func setEnum(s *jsonschema.Schema, list string) error {
	if s.Type == "array" {
		s = s.Items
	}
	for word := range strings.SplitSeq(list, ",") {
		value, err := valueOf(s, word)
		if err != nil {
			return err
		}
		if word == "" || slices.Contains(s.Enum, value) {
			return fmt.Errorf("value %q is empty or given twice", word)
		}
		s.Enum = append(s.Enum, value)
	}
	return nil
}

// valueOf reads a word of a tag as a value of the schema's type.
func valueOf(s *jsonschema.Schema, word string) (any, error) {
	switch s.Type {
	case "string":
		return word, nil
	case "integer":
		return strconv.ParseInt(word, 10, 64)
	case "number":
		return strconv.ParseFloat(word, 64)
	}
	return nil, fmt.Errorf("only texts and numbers can have it, not %q", s.Type)
}

func setMin(s *jsonschema.Schema, word string) error {
	return bound(s, word, &s.Minimum, &s.MinLength, &s.MinItems)
}

func setMax(s *jsonschema.Schema, word string) error {
	return bound(s, word, &s.Maximum, &s.MaxLength, &s.MaxItems)
}

// bound sets the limit that suits the schema's type.
func bound(s *jsonschema.Schema, word string, value **float64, length, items **int) error {
	switch s.Type {
	case "integer", "number":
		n, err := strconv.ParseFloat(word, 64)
		if err != nil || math.IsNaN(n) || math.IsInf(n, 0) || s.Type == "integer" && n != math.Trunc(n) {
			return fmt.Errorf("it must be a number that fits the field")
		}
		low, high := s.Minimum, s.Maximum
		if low != nil && n < *low || high != nil && n > *high {
			return fmt.Errorf("it is beyond what the field's type can hold, or beyond the other bound")
		}
		*value = &n
		return nil
	case "string", "array":
		n, err := strconv.Atoi(word)
		if err != nil || n < 0 {
			return fmt.Errorf("it must be a whole number from 0")
		}
		if s.Type == "array" {
			length = items
		}
		*length = &n
		return nil
	}
	return fmt.Errorf("only numbers, texts and lists have bounds, not %q", s.Type)
}

func emptyRange(s *jsonschema.Schema) bool {
	above := func(low, high *int) bool { return low != nil && high != nil && *low > *high }
	return above(s.MinLength, s.MaxLength) || above(s.MinItems, s.MaxItems)
}

func setDefault(s *jsonschema.Schema, word string) error {
	switch s.Type {
	case "string":
		s.Default, _ = json.Marshal(word)
		return nil
	case "integer", "number", "boolean":
		if !json.Valid([]byte(word)) {
			return fmt.Errorf("it is no JSON %s", s.Type)
		}
		s.Default = json.RawMessage(word)
		return nil
	}
	return fmt.Errorf("only texts, numbers and booleans have one, not %q", s.Type)
}

// kindWord is how an error names the type that an argument must have.
func kindWord(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number, written without a point or an exponent"
}
