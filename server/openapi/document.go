// Package openapi builds an OpenAPI 3.1 document: its parts, the schemas of Go types, and the page
// and the Markdown for people. The server fills it from its table of operations.
package openapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Version is the version of the specification that a Document is of.
const Version = "3.1.0"

// A Document is a whole description of an API.
type Document struct {
	OpenAPI    string                          `json:"openapi"`
	Info       Info                            `json:"info"`
	Servers    []Server                        `json:"servers"`
	Tags       []Tag                           `json:"tags"` // in the order in which people read them
	Security   []Security                      `json:"security"`
	Paths      map[string]map[string]Operation `json:"paths"` // by path and by method, in lower case
	Components Components                      `json:"components"`

	// Order has the IDs of the operations as people should read them.
	Order []string `json:"-"`
}

// Info says what the API is.
type Info struct {
	Title       string `json:"title"`
	Version     string `json:"version"`
	Description string `json:"description,omitempty"`
}

// A Server is where the API is.
type Server struct {
	URL string `json:"url"`
}

// A Tag names a group of operations.
type Tag struct {
	Name string `json:"name"`
}

// Security names one way to be let in, by the schemes that must all be there.
type Security map[string][]string

// An Operation is what one method of a path does.
type Operation struct {
	ID          string              `json:"operationId"`
	Tags        []string            `json:"tags"`
	Summary     string              `json:"summary"`
	Description string              `json:"description,omitempty"`
	Scope       string              `json:"x-rein-scope,omitempty"` // what the credential must be good for
	Security    *[]Security         `json:"security,omitempty"`     // nil: as the document says; empty: everyone
	Parameters  []Parameter         `json:"parameters,omitempty"`
	Body        *Body               `json:"requestBody,omitempty"`
	Responses   map[string]Response `json:"responses"` // by status
}

// A Parameter is a part of a request beside its body.
type Parameter struct {
	Name        string             `json:"name"`
	In          string             `json:"in"` // path, query or header
	Description string             `json:"description,omitempty"`
	Required    bool               `json:"required,omitempty"`
	Schema      *jsonschema.Schema `json:"schema"`
}

// A Body is what a request carries.
type Body struct {
	Required bool             `json:"required"`
	Content  map[string]Media `json:"content"`
}

// A Response is what a request is answered with.
type Response struct {
	Ref         string            `json:"$ref,omitempty"` // it is one of the components; nothing else is set
	Description string            `json:"description,omitempty"`
	Headers     map[string]Header `json:"headers,omitempty"`
	Content     map[string]Media  `json:"content,omitempty"`
}

// A Header comes with a response.
type Header struct {
	Description string             `json:"description,omitempty"`
	Schema      *jsonschema.Schema `json:"schema"`
}

// Media is the shape of content of one media type.
type Media struct {
	Schema *jsonschema.Schema `json:"schema,omitempty"`
}

// Components are what other parts refer to.
type Components struct {
	Schemas   map[string]*jsonschema.Schema `json:"schemas"`
	Responses map[string]Response           `json:"responses"`
	Security  map[string]Scheme             `json:"securitySchemes"`
}

// A Scheme is a kind of credential.
type Scheme struct {
	Type        string `json:"type"`
	Scheme      string `json:"scheme,omitempty"`
	In          string `json:"in,omitempty"`
	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
}

// Where components are, for references to them.
const (
	schemasAt   = "#/components/schemas/"
	responsesAt = "#/components/responses/"
)

// ResponseRef refers to a response of the components.
func ResponseRef(name string) Response { return Response{Ref: responsesAt + name} }

// Response returns what a response that may be a reference stands for.
func (d Document) Response(r Response) Response {
	if name, ok := strings.CutPrefix(r.Ref, responsesAt); ok {
		return d.Components.Responses[name]
	}
	return r
}

// JSON writes the document, the same for the same document.
func (d Document) JSON() ([]byte, error) {
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(d)
	return out.Bytes(), err
}

// Place is an operation with where it is.
type Place struct {
	Method, Path string
	Operation
}

// Of returns the operations of a tag.
func (d Document) Of(tag string) (all []Place) {
	for path, at := range d.Paths {
		for method, o := range at {
			if slices.Contains(o.Tags, tag) {
				all = append(all, Place{Method: strings.ToUpper(method), Path: path, Operation: o})
			}
		}
	}
	slices.SortFunc(all, func(a, b Place) int {
		return cmp.Or(slices.Index(d.Order, a.ID)-slices.Index(d.Order, b.ID), strings.Compare(a.ID, b.ID))
	})
	return all
}
