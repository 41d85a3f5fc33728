package openai

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"rein"
)

//go:embed schema.md
var schemaText string

// schemaName is what a reply's shape is called at the provider.
const schemaName = "reply"

// schemaWords tells the shape of the reply in words, if the server cannot be given a schema. They
// come last, so that the beginning of the prompt stays the same for other shapes.
func (m *Model) schemaWords(r rein.ModelRequest) string {
	if len(r.Schema) == 0 || m.formOf(r) == BySchema {
		return ""
	}
	return strings.TrimSpace(schemaText) + "\n" + string(r.Schema)
}

// formOf returns how the reply's shape is asked for. Only objects can be asked for by schema.
func (m *Model) formOf(r rein.ModelRequest) Form {
	if m.opt.Quirks.Schema == BySchema && !isObject(r.Schema) {
		return ByWords
	}
	return m.opt.Quirks.Schema
}

func isObject(schema json.RawMessage) bool {
	var s struct{ Type any }
	return json.Unmarshal(schema, &s) == nil && s.Type == "object"
}

// appendChatFormat asks for the shape of the reply, if one is wanted.
func (m *Model) appendChatFormat(b []byte, r rein.ModelRequest) []byte {
	if len(r.Schema) == 0 {
		return b
	}
	switch m.formOf(r) {
	case BySchema:
		b = append(b, `,"response_format":{"json_schema":{"name":"`+schemaName+`","strict":`...)
		b = strconv.AppendBool(b, isStrict(r.Schema))
		b = append(append(b, `,"schema":`...), r.Schema...)
		b = append(b, `},"type":"json_schema"}`...)
	case ByObject:
		b = append(b, `,"response_format":{"type":"json_object"}`...)
	}
	return b
}

func (m *Model) appendResponsesFormat(b []byte, r rein.ModelRequest) []byte {
	if len(r.Schema) == 0 {
		return b
	}
	switch m.formOf(r) {
	case BySchema:
		b = append(b, `,"text":{"format":{"name":"`+schemaName+`","schema":`...)
		b = append(append(b, r.Schema...), `,"strict":`...)
		b = strconv.AppendBool(b, isStrict(r.Schema))
		b = append(b, `,"type":"json_schema"}}`...)
	case ByObject:
		b = append(b, `,"text":{"format":{"type":"json_object"}}`...)
	}
	return b
}

// isStrict reports whether the provider can hold the model to the schema: each object names all of
// its properties as required and allows no others. It refuses a request that says so of another one.
func isStrict(schema json.RawMessage) bool {
	var s any
	return json.Unmarshal(schema, &s) == nil && strictNode(s)
}

// loose are the words of a schema that a strict one may not have.
var loose = []string{"oneOf", "allOf", "not", "if", "patternProperties", "dependentRequired", "dependentSchemas", "propertyNames", "unevaluatedProperties", "$ref", "default"}

func strictNode(node any) bool {
	switch n := node.(type) {
	case []any:
		for _, v := range n {
			if !strictNode(v) {
				return false
			}
		}
	case map[string]any:
		for _, word := range loose {
			if _, has := n[word]; has {
				return false
			}
		}
		return strictObject(n) && strictNode(n["items"]) && strictNode(n["anyOf"])
	}
	return true
}

func strictObject(n map[string]any) bool {
	props, _ := n["properties"].(map[string]any)
	if n["type"] == "object" && n["additionalProperties"] != false {
		return false
	}
	required, _ := n["required"].([]any)
	for name, prop := range props {
		isRequired := slices.ContainsFunc(required, func(v any) bool { return v == any(name) })
		if !isRequired || !strictNode(prop) {
			return false
		}
	}
	return true
}
