package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"rein/server/openapi"
)

const (
	typesFile      = "clients/ts/src/types.ts"
	operationsFile = "clients/ts/src/operations.ts"
	generated      = "// Generated from the code by make generate. Do not edit.\n\n"
)

// refined has the fields whose schema is any JSON, because Go writes them with its own function, and that have a
// type anyway.
var refined = map[string]string{"Ask.call": "ToolCall", "StepEnd.call": "ToolCall", "StepStart.call": "ToolCall"}

// typescript returns the types and the methods of the client in TypeScript.
func typescript(d openapi.Document) files {
	return files{typesFile: []byte(typesOf(d)), operationsFile: []byte(operationsOf(d))}
}

// typesOf writes every schema as a type.
func typesOf(d openapi.Document) string {
	var b strings.Builder
	b.WriteString(generated)
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		s := d.Components.Schemas[name]
		comment(&b, "", s.Description)
		switch {
		case len(s.Enum) > 0 || s.Type != "object":
			fmt.Fprintf(&b, "export type %s = %s;\n\n", name, typeOf(s, ""))
		case len(s.Properties) == 0:
			fmt.Fprintf(&b, "export type %s = Record<string, %s>;\n\n", name, valuesOf(s))
		default:
			fmt.Fprintf(&b, "export interface %s {\n", name)
			fields(&b, name, s)
			b.WriteString("}\n\n")
		}
	}
	payloads(&b, d)
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func fields(b *strings.Builder, of string, s *jsonschema.Schema) {
	for _, name := range propertiesOf(s) {
		p := s.Properties[name]
		comment(b, "  ", p.Description)
		mark := "?"
		if slices.Contains(s.Required, name) {
			mark = ""
		}
		typ := typeOf(p, "  ")
		if better, ok := refined[of+"."+name]; ok {
			typ = better
		}
		fmt.Fprintf(b, "  %s%s: %s;\n", name, mark, typ)
	}
}

// propertiesOf lists the fields in the order of the Go type.
func propertiesOf(s *jsonschema.Schema) []string {
	names := slices.Clone(s.PropertyOrder)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// payloads writes what the data of an event is, by its kind.
func payloads(b *strings.Builder, d openapi.Document) {
	b.WriteString("/** Payloads has the type of the data of an event, by its kind. */\nexport interface Payloads {\n")
	for _, p := range openapi.PayloadsOf(d.Components.Schemas["Event"]) {
		fmt.Fprintf(b, "  %q: %s;\n", p.Word, refName(p.Schema.Ref))
	}
	b.WriteString("}\n")
}

func refName(ref string) string { return ref[strings.LastIndexByte(ref, '/')+1:] }

func typeOf(s *jsonschema.Schema, indent string) string {
	switch {
	case s == nil:
		return "unknown"
	case s.Ref != "":
		return refName(s.Ref)
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, w := range s.Enum {
			words[i] = fmt.Sprintf("%q", w)
		}
		return strings.Join(words, " | ")
	}
	switch s.Type {
	case "string":
		return "string"
	case "integer", "number":
		return "number"
	case "boolean":
		return "boolean"
	case "array":
		of := typeOf(s.Items, indent)
		if strings.Contains(of, " ") {
			of = "(" + of + ")"
		}
		return of + "[]"
	case "object":
		return objectType(s, indent)
	}
	return "unknown"
}

func objectType(s *jsonschema.Schema, indent string) string {
	if len(s.Properties) == 0 {
		return "Record<string, " + valuesOf(s) + ">"
	}
	var b strings.Builder
	b.WriteString("{\n")
	for _, line := range strings.SplitAfter(inner(s), "\n") {
		if line != "" {
			b.WriteString(indent + line)
		}
	}
	return b.String() + indent + "}"
}

func inner(s *jsonschema.Schema) string {
	var b strings.Builder
	fields(&b, "", s)
	return b.String()
}

func valuesOf(s *jsonschema.Schema) string { return typeOf(s.AdditionalProperties, "") }

// commentWidth is where the lines of a comment are folded.
const commentWidth = 116

func comment(b *strings.Builder, indent, text string) {
	text = strings.ReplaceAll(strings.TrimSpace(text), "*/", "* /")
	if text == "" {
		return
	}
	if len(indent)+len(text)+7 <= commentWidth && !strings.Contains(text, "\n") {
		fmt.Fprintf(b, "%s/** %s */\n", indent, text)
		return
	}
	b.WriteString(indent + "/**\n")
	for paragraph := range strings.SplitSeq(text, "\n") {
		line := indent + " *"
		for _, word := range strings.Fields(paragraph) {
			if len(line)+1+len(word) > commentWidth {
				b.WriteString(line + "\n")
				line = indent + " *"
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	b.WriteString(indent + " */\n")
}

// An op is an operation as a method of the client.
type op struct {
	openapi.Place
	path, query []openapi.Parameter
	once        bool
	body        string // its type; empty: it has none
	answer      string // the type of what the method returns
	kind        string // how the answer is read: json, text, blob or none
}

// operationsOf writes a method for each operation. What can only be followed has none: it has functions of its own.
func operationsOf(d openapi.Document) string {
	var methods strings.Builder
	used := map[string]bool{}
	for _, tag := range d.Tags {
		for _, at := range d.Of(tag.Name) {
			if o, ok := opOf(d, at); ok {
				o.method(&methods)
				o.uses(used)
			}
		}
	}
	var b strings.Builder
	b.WriteString(generated)
	b.WriteString("import type {\n")
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if d.Components.Schemas[name] != nil {
			b.WriteString("  " + name + ",\n")
		}
	}
	b.WriteString("} from \"./types.ts\";\n")
	b.WriteString(operationsHead)
	return b.String() + methods.String() + "}\n"
}

const operationsHead = `
/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal;
  /** For an operation that takes an Idempotency-Key: the key; empty: the client makes one. */
  key?: string;
}

/** A Call is a request as an operation describes it. */
export interface Call {
  name: string;
  method: string;
  path: string;
  query?: object;
  body?: unknown;
  /** The body is sent as it is, and not as JSON. */
  raw?: boolean;
  /** It takes an Idempotency-Key: sending it again with the same key does nothing twice. */
  once?: boolean;
  /** How the answer is read. */
  reads: "json" | "text" | "blob" | "none";
}

const part = encodeURIComponent;

/** Operations has a method for each operation of the API: the parts of its path, its body, its query, options. */
export abstract class Operations {
  abstract call<T>(call: Call, options?: CallOptions): Promise<T>;
`

func opOf(d openapi.Document, at openapi.Place) (o op, ok bool) {
	o = op{Place: at, kind: "none", answer: "void"}
	for _, p := range at.Parameters {
		switch {
		case p.In == "path":
			o.path = append(o.path, p)
		case p.In == "query":
			o.query = append(o.query, p)
		case p.Name == "Idempotency-Key":
			o.once = true
		}
	}
	if at.Body != nil {
		o.body = "BodyInit"
		if m, ok := at.Body.Content["application/json"]; ok {
			o.body = typeOf(m.Schema, "")
		}
	}
	ok = true
	well, _ := at.Statuses()
	for _, status := range well {
		content := d.Response(at.Responses[status]).Content
		if len(content) == 0 {
			continue
		}
		if o.kind, o.answer = reads(content); o.kind != "" {
			return o, true
		}
		ok = false
	}
	return o, ok
}

// reads says how an answer is read and what it is; empty: it is a stream.
func reads(content map[string]openapi.Media) (kind, answer string) {
	if m, ok := content["application/json"]; ok {
		return "json", typeOf(m.Schema, "")
	}
	media := slices.Sorted(maps.Keys(content))
	switch first := media[0]; {
	case first == "text/event-stream":
		return "", ""
	case strings.HasPrefix(first, "text/"):
		return "text", "string"
	}
	return "blob", "Blob"
}

func (o op) method(b *strings.Builder) {
	b.WriteString("\n")
	comment(b, "  ", o.Summary+". "+o.Description)
	var params []string
	for _, p := range o.path {
		params = append(params, p.Name+": string")
	}
	if o.body != "" {
		params = append(params, "body: "+o.body)
	}
	call := fmt.Sprintf("name: %q, method: %q, path: %s", o.ID, o.Method, o.template())
	if len(o.query) > 0 {
		params = append(params, "query: "+o.queryType()+" = {}")
		call += ", query"
	}
	if o.body != "" {
		call += ", body"
	}
	if o.body == "BodyInit" {
		call += ", raw: true"
	}
	if o.once {
		call += ", once: true"
	}
	params = append(params, "options?: CallOptions")
	fmt.Fprintf(b, "  %s(%s): Promise<%s> {\n    return this.call<%s>({ %s, reads: %q }, options);\n  }\n",
		o.ID, strings.Join(params, ", "), o.answer, o.answer, call, o.kind)
}

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

func (o op) template() string {
	if len(o.path) == 0 {
		return fmt.Sprintf("%q", o.Path)
	}
	return "`" + placeholder.ReplaceAllString(o.Path, "$${part($1)}") + "`"
}

func (o op) queryType() string {
	parts := make([]string, len(o.query))
	for i, p := range o.query {
		parts[i] = p.Name + "?: " + queryValue(p.Schema)
	}
	return "{ " + strings.Join(parts, "; ") + " }"
}

// queryValue is the type of a parameter: flags are written as words, and are booleans here.
func queryValue(s *jsonschema.Schema) string {
	if slices.Contains(s.Enum, any("true")) && slices.Contains(s.Enum, any("0")) {
		return "boolean"
	}
	return typeOf(s, "")
}

var word = regexp.MustCompile(`[A-Za-z]\w*`)

// uses notes the types that the method names.
func (o op) uses(used map[string]bool) {
	for _, text := range []string{o.body, o.answer, o.queryType()} {
		for _, name := range word.FindAllString(text, -1) {
			used[name] = true
		}
	}
}
