package server

import (
	"net/http"
	"reflect"
	"slices"
	"strings"
	"sync"

	"rein"
	"rein/docs"
	"rein/server/openapi"
)

// about is what a reader of the document has to know before anything else.
const about = `The API of a rein process: start runs, follow them, and answer what they ask.

Over the network, send a token (` + "`Authorization: Bearer …`" + `) or the cookie of a browser that has logged in. On the unix socket of the data folder you need neither.
Every operation names the scope that your credential must have. Things that belong to someone else do not exist for you: you get 404.

Errors are application/problem+json. Act on ` + "`code`" + `, and show ` + "`detail`" + ` and ` + "`hint`" + ` to people. A request with an unknown field or parameter is refused. Answers may get new fields, so ignore fields that you do not know. If a path does not support a method, you get 405, and the header Allow lists the methods that it supports.`

// OpenAPI returns the description of the API, made of the table of operations. It must not be changed.
func OpenAPI() openapi.Document {
	described.once.Do(describeAll)
	return described.document
}

// ShownTypes returns the types that the document shows, for who collects their comments.
func ShownTypes() []reflect.Type {
	described.once.Do(describeAll)
	return described.types
}

// described is made once: the table is the same for every server.
var described struct {
	once     sync.Once
	document openapi.Document
	types    []reflect.Type
	text     []byte // of the document
	page     openapi.Page
	err      error
}

func describeAll() {
	d := &described
	d.document, d.types = describe((&server{}).operations())
	if d.text, d.err = d.document.JSON(); d.err == nil {
		d.page, d.err = openapi.NewPage(d.document)
	}
}

// documentOperations are those that everyone may use who wants to know what there is.
func (s *server) documentOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/openapi.json", name: "openapi", tag: "process", summary: "Get this description of the API as OpenAPI 3.1",
			answers: []reply{{status: http.StatusOK, media: "application/json"}}, do: s.openapi,
		},
		{
			method: "GET", path: "/docs", name: "docs", tag: "process", summary: "Get this description of the API as a web page",
			answers: []reply{{status: http.StatusOK, media: "text/html"}}, do: s.docsPage,
		},
		{
			method: "GET", path: "/docs/dialects", name: "dialects", tag: "process", summary: "Get the contracts of the dialects, which are served beside this API, as Markdown",
			answers: []reply{{status: http.StatusOK, media: "text/markdown"}}, do: s.dialectsPage,
		},
	}
}

func describe(operations []operation) (openapi.Document, []reflect.Type) {
	schemas := newSchemas()
	d := openapi.Document{
		OpenAPI: openapi.Version, Info: openapi.Info{Title: "rein", Version: "1", Description: about},
		Servers:  []openapi.Server{{URL: "/"}},
		Security: []openapi.Security{{"token": {}}, {"browser": {}}, {"browserTLS": {}}},
		Paths:    map[string]map[string]openapi.Operation{},
		Components: openapi.Components{
			Responses: map[string]openapi.Response{},
			Security: map[string]openapi.Scheme{
				"token":      {Type: "http", Scheme: "bearer", Description: "The token of a user or a service. It has the scopes that it was created with."},
				"browser":    {Type: "apiKey", In: "cookie", Name: "rein_session", Description: "The cookie of a browser that has logged in over plain HTTP. A request that changes something also needs the header X-CSRF-Token; GET /v1/me returns its value."},
				"browserTLS": {Type: "apiKey", In: "cookie", Name: "__Host-rein", Description: "The cookie of a browser that has logged in over TLS. Everything else is as for browser."},
			},
		},
	}
	for _, trouble := range troubles {
		d.Components.Responses[trouble.name()] = trouble.response(schemas)
	}
	for _, o := range operations {
		if tag := (openapi.Tag{Name: o.tag}); !slices.Contains(d.Tags, tag) {
			d.Tags = append(d.Tags, tag)
		}
		d.Order = append(d.Order, o.name)
		path := plainPath(o.path)
		if d.Paths[path] == nil {
			d.Paths[path] = map[string]openapi.Operation{}
		}
		d.Paths[path][strings.ToLower(o.method)] = o.describe(schemas)
	}
	schemas.Payloads(reflect.TypeFor[rein.Event](), payloads())
	d.Components.Schemas = schemas.All()
	return d, schemas.Types()
}

// openapi answers with the document as JSON.
func (s *server) openapi(w http.ResponseWriter, _ *http.Request, _ rein.Identity) error {
	OpenAPI()
	return show(w, "application/json", described.text)
}

// docsPage answers with the document as a page for people.
func (s *server) docsPage(w http.ResponseWriter, _ *http.Request, _ rein.Identity) error {
	OpenAPI()
	w.Header().Set("Content-Security-Policy", described.page.Policy)
	return show(w, "text/html; charset=utf-8", described.page.HTML)
}

// dialectsPage answers with what is said of the documents' contracts.
func (s *server) dialectsPage(w http.ResponseWriter, _ *http.Request, _ rein.Identity) error {
	return show(w, "text/markdown; charset=utf-8", []byte(docs.Dialects))
}

func show(w http.ResponseWriter, media string, text []byte) error {
	if described.err != nil {
		return described.err
	}
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, err := w.Write(text)
	return err
}
