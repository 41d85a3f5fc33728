package openapi

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/google/jsonschema-go/jsonschema"
)

// Markdown writes the document as a page of the project's documentation.
func (d Document) Markdown() []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# The API\n\n<!-- Generated from the code by make generate. Do not edit. -->\n\n%s\n\n", d.Info.Description)
	out.WriteString("A running process shows this page at `/docs`, and the document that it is made of, OpenAPI " + d.OpenAPI + ", at `/openapi.json`. [openapi.json](openapi.json) is a copy.\n\n")
	d.contents(&out)
	for _, tag := range d.Tags {
		fmt.Fprintf(&out, "## %s\n\n", tag.Name)
		for _, at := range d.Of(tag.Name) {
			d.operation(&out, at)
		}
	}
	out.WriteString("## schemas\n\n")
	for _, name := range slices.Sorted(maps.Keys(d.Components.Schemas)) {
		component(&out, name, d.Components.Schemas[name])
	}
	return []byte(strings.TrimRight(out.String(), "\n") + "\n")
}

func (d Document) contents(out *strings.Builder) {
	out.WriteString("| operation | what it does | scope |\n|---|---|---|\n")
	for _, tag := range d.Tags {
		for _, at := range d.Of(tag.Name) {
			fmt.Fprintf(out, "| [`%s %s`](#%s) | %s | %s |\n", at.Method, at.Path, anchor(at.Method+" "+at.Path), cell(at.Summary), at.Scope)
		}
	}
	out.WriteString("\n")
}

func (d Document) operation(out *strings.Builder, at Place) {
	fmt.Fprintf(out, "### %s %s\n\n%s. %s (`%s`)\n\n", at.Method, at.Path, at.Summary, at.Description, at.ID)
	if len(at.Parameters) > 0 {
		out.WriteString("| parameter | in | type | what |\n|---|---|---|---|\n")
		for _, p := range at.Parameters {
			fmt.Fprintf(out, "| `%s` | %s | %s | %s |\n", p.Name, p.In, linked(p.Schema), cell(p.Description))
		}
		out.WriteString("\n")
	}
	if at.Body != nil {
		out.WriteString("- body: " + content(at.Body.Content) + "\n")
	}
	well, trouble := at.Statuses()
	for _, status := range well {
		r := d.Response(at.Responses[status])
		fmt.Fprintf(out, "- %s: %s\n", status, strings.TrimSuffix(r.Description+", "+content(r.Content), ", "))
	}
	fmt.Fprintf(out, "- problems: %s\n\n```sh\n%s\n```\n\n", strings.Join(trouble, ", "), d.Curl(at))
}

func content(all map[string]Media) string {
	var parts []string
	for _, media := range slices.Sorted(maps.Keys(all)) {
		part := "`" + media + "`"
		if s := all[media].Schema; s != nil {
			part += " " + linked(s)
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, " or ")
}

func component(out *strings.Builder, name string, s *jsonschema.Schema) {
	fmt.Fprintf(out, "### schema %s\n\n", name)
	if s.Description != "" {
		out.WriteString(s.Description + "\n\n")
	}
	if s.Enum != nil {
		out.WriteString("| word | what |\n|---|---|\n")
		for _, word := range WordsOf(s) {
			fmt.Fprintf(out, "| `%s` | %s |\n", word.Text, cell(word.About))
		}
		out.WriteString("\n")
		return
	}
	out.WriteString("| field | type | what |\n|---|---|---|\n")
	for _, field := range s.PropertyOrder {
		must := ""
		if slices.Contains(s.Required, field) {
			must = " (required)"
		}
		fmt.Fprintf(out, "| `%s`%s | %s | %s |\n", field, must, linked(s.Properties[field]), cell(s.Properties[field].Description))
	}
	out.WriteString("\n")
	if payloads := PayloadsOf(s); payloads != nil {
		out.WriteString("| kind | data |\n|---|---|\n")
		for _, p := range payloads {
			fmt.Fprintf(out, "| `%s` | %s |\n", p.Word, linked(p.Schema))
		}
		out.WriteString("\n")
	}
}

// linked says what a schema allows, with links to the components.
func linked(s *jsonschema.Schema) string {
	var out strings.Builder
	for _, piece := range InWords(s) {
		if piece.Name == "" {
			out.WriteString(cell(piece.Text))
		} else {
			fmt.Fprintf(&out, "[%s](#%s)", piece.Text, anchor("schema "+piece.Name))
		}
	}
	return out.String()
}

// anchor is how readers of Markdown call a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// cell makes a text fit into a table.
func cell(text string) string {
	return strings.NewReplacer("|", `\|`, "\n", " ").Replace(text)
}
