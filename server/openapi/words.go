package openapi

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// A Piece is a part of what a schema is in words: plain, or the name of a component.
type Piece struct {
	Text string
	Name string // of the component that the text is
}

// InWords says what a schema allows, on one line.
func InWords(s *jsonschema.Schema) []Piece {
	plain := func(format string, args ...any) []Piece { return []Piece{{Text: fmt.Sprintf(format, args...)}} }
	switch {
	case s == nil:
		return plain("anything")
	case s.Ref != "":
		name := strings.TrimPrefix(s.Ref, schemasAt)
		return []Piece{{Text: name, Name: name}}
	case s.AnyOf != nil:
		return append(InWords(s.AnyOf[0]), Piece{Text: " or null"})
	case s.Enum != nil:
		words := make([]string, len(s.Enum))
		for i, word := range s.Enum {
			words[i] = fmt.Sprint(word)
		}
		return plain("%s", strings.Join(words, " | "))
	case s.Items != nil:
		return append(plain("list of "), InWords(s.Items)...)
	case s.AdditionalProperties != nil:
		return append(plain("object of "), InWords(s.AdditionalProperties)...)
	case s.Maximum != nil && s.Minimum != nil:
		return plain("%s from %g to %g", s.Type, *s.Minimum, *s.Maximum)
	case s.Format != "":
		return plain("%s, %s", s.Type, s.Format)
	case s.ContentEncoding != "":
		return plain("%s, %s", s.Type, s.ContentEncoding)
	case s.Type == "":
		return plain("anything")
	}
	return plain("%s", s.Type)
}

// Statuses returns the statuses of an operation's responses in order: those that are no trouble, and
// those that are.
func (o Operation) Statuses() (well, trouble []string) {
	for status := range o.Responses {
		if status < "400" {
			well = append(well, status)
		} else {
			trouble = append(trouble, status)
		}
	}
	slices.Sort(well)
	slices.Sort(trouble)
	return well, trouble
}

// Curl is how the operation is called from a shell.
func (d Document) Curl(at Place) string {
	var line strings.Builder
	line.WriteString("curl")
	if at.Method != "GET" {
		line.WriteString(" -X " + at.Method)
	}
	if at.Security == nil {
		line.WriteString(` -H "Authorization: Bearer $REIN_TOKEN"`)
	}
	for _, p := range at.Parameters {
		if p.Name == "Idempotency-Key" {
			line.WriteString(` -H "Idempotency-Key: $KEY"`)
		}
	}
	if at.Body != nil {
		for media, body := range at.Body.Content {
			switch media {
			case "application/json":
				line.WriteString(" \\\n  -H 'Content-Type: application/json' -d '" + string(d.Example(body.Schema)) + "'")
			case "*/*":
				line.WriteString(" \\\n  -H 'Content-Type: application/octet-stream' --data-binary @FILE")
			default:
				line.WriteString(" \\\n  -H 'Content-Type: " + media + "' --data-binary @FILE")
			}
		}
	}
	target := at.Path
	for _, p := range at.Parameters {
		if p.In == "path" {
			target = strings.ReplaceAll(target, "{"+p.Name+"}", strings.ToUpper(p.Name))
		}
	}
	return line.String() + " \\\n  http://127.0.0.1:7717" + target
}

// Example is JSON of a schema, with what is required and no more.
func (d Document) Example(s *jsonschema.Schema) []byte {
	text, err := json.Marshal(d.exampleOf(s, 0))
	if err != nil {
		return []byte("{}")
	}
	return text
}

func (d Document) exampleOf(s *jsonschema.Schema, depth int) any {
	if s != nil && s.Ref != "" {
		s = d.Components.Schemas[strings.TrimPrefix(s.Ref, schemasAt)]
	}
	switch {
	case s == nil || depth > 8:
		return nil
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type == "string":
		return "…"
	case s.Type == "integer" || s.Type == "number":
		return 1
	case s.Type == "boolean":
		return true
	case s.Type == "array":
		return []any{d.exampleOf(s.Items, depth+1)}
	}
	all := map[string]any{}
	for _, name := range s.Required {
		all[name] = d.exampleOf(s.Properties[name], depth+1)
	}
	return all
}
