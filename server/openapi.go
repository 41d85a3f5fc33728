package server

import (
	"net/http"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"

	"rein/people"
	"rein/server/openapi"
)

// about is what a reader of the document has to know before anything else.
const about = `The API of a rein process: start runs, follow them, and answer what they ask.

Over the network a request brings a token (` + "`Authorization: Bearer …`" + `) or the cookie of a browser that has logged in; on the unix socket of the data folder it needs neither.
Every operation names the scope that the credential must have. What belongs to someone else does not exist: it is answered with 404.

Errors are application/problem+json: act on ` + "`code`" + `, and show ` + "`detail`" + ` and ` + "`hint`" + ` to people. In a request a field or parameter that is not known is refused; answers may get new fields, so ignore those that you do not know.`

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
	page     openapi.Page
	err      error
}

func describeAll() {
	described.document, described.types = describe((&server{}).operations())
	described.page, described.err = openapi.NewPage(described.document)
}

// documentOperations are those that everyone may use who wants to know what there is.
func (s *server) documentOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/openapi.json", name: "openapi", tag: "process", summary: "This description of the API, as OpenAPI 3.1",
			answers: []reply{{status: http.StatusOK, media: "application/json"}}, do: s.openapi,
		},
		{
			method: "GET", path: "/docs", name: "docs", tag: "process", summary: "This description of the API, as a page to read",
			answers: []reply{{status: http.StatusOK, media: "text/html"}}, do: s.docsPage,
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
				"token":      {Type: "http", Scheme: "bearer", Description: "A token of a user or a service, with the scopes it was made with."},
				"browser":    {Type: "apiKey", In: "cookie", Name: "rein_session", Description: "A browser that has logged in over plain HTTP. A request that changes something must also bring X-CSRF-Token, which GET /v1/me tells."},
				"browserTLS": {Type: "apiKey", In: "cookie", Name: "__Host-rein", Description: "A browser that has logged in over TLS; all else as for browser."},
			},
		},
	}
	for _, trouble := range troubles {
		d.Components.Responses[trouble.name()] = trouble.response(schemas)
	}
	for _, o := range operations {
		if !tagged(d.Tags, o.tag) {
			d.Tags = append(d.Tags, openapi.Tag{Name: o.tag})
		}
		path := plainPath(o.path)
		if d.Paths[path] == nil {
			d.Paths[path] = map[string]openapi.Operation{}
		}
		d.Paths[path][strings.ToLower(o.method)] = o.describe(schemas)
	}
	d.Components.Schemas = schemas.All()
	return d, schemas.Types()
}

func tagged(tags []openapi.Tag, name string) bool {
	for _, t := range tags {
		if t.Name == name {
			return true
		}
	}
	return false
}

func (o operation) describe(schemas *openapi.Schemas) openapi.Operation {
	d := openapi.Operation{
		ID: o.name, Tags: []string{o.tag}, Summary: o.summary, Scope: string(o.needs),
		Parameters: o.parameters(), Responses: map[string]openapi.Response{},
	}
	if o.needs == "" {
		d.Description, d.Security = "Needs no credential.", &[]openapi.Security{}
	} else {
		d.Description = "Needs the scope `" + string(o.needs) + "`."
	}
	if o.media != "" {
		d.Body = &openapi.Body{Required: true, Content: map[string]openapi.Media{o.media: {}}}
	}
	if o.body != nil {
		d.Body = &openapi.Body{Required: true, Content: map[string]openapi.Media{"application/json": {Schema: schemas.Of(reflect.TypeOf(o.body))}}}
	}
	for _, reply := range o.answers {
		reply.describe(d.Responses, schemas)
	}
	for _, trouble := range troubles {
		if trouble.of(o) {
			d.Responses[strconv.Itoa(trouble.status)] = openapi.ResponseRef(trouble.name())
		}
	}
	return d
}

// describe adds a reply to those of its status.
func (r reply) describe(all map[string]openapi.Response, schemas *openapi.Schemas) {
	status := strconv.Itoa(r.status)
	d, known := all[status]
	if !known {
		d = openapi.Response{Description: http.StatusText(r.status)}
	}
	if r.value == nil && r.media == "" {
		all[status] = d
		return
	}
	if d.Content == nil {
		d.Content = map[string]openapi.Media{}
	}
	switch {
	case r.value != nil:
		d.Content["application/json"] = openapi.Media{Schema: schemas.Of(reflect.TypeOf(r.value))}
	case strings.HasPrefix(r.media, "text/"):
		d.Content[r.media] = openapi.Media{Schema: &jsonschema.Schema{Type: "string"}}
	default:
		d.Content[r.media] = openapi.Media{}
	}
	all[status] = d
}

var inPath = regexp.MustCompile(`\{([^}.]+)(\.\.\.)?\}`)

// plainPath writes a pattern of the router as the document does.
func plainPath(pattern string) string { return inPath.ReplaceAllString(pattern, "{$1}") }

// parameters are those of the path, the query and the header.
func (o operation) parameters() (all []openapi.Parameter) {
	for _, at := range inPath.FindAllStringSubmatchIndex(o.path, -1) {
		of := strings.TrimSuffix(plainPath(o.path[:at[0]]), "/")
		all = append(all, openapi.Parameter{
			Name: o.path[at[2]:at[3]], In: "path", Required: true, Description: "which one of " + of, Schema: &jsonschema.Schema{Type: "string"},
		})
	}
	for _, p := range o.query {
		all = append(all, openapi.Parameter{Name: p.name, In: "query", Description: p.about, Schema: p.schema()})
	}
	if o.once {
		all = append(all, openapi.Parameter{
			Name: "Idempotency-Key", In: "header", Schema: &jsonschema.Schema{Type: "string"},
			Description: "chosen by the sender: the same key and body again are answered as the first time, and nothing is started twice",
		})
	}
	for _, r := range o.answers {
		if r.media == "text/event-stream" {
			all = append(all, openapi.Parameter{
				Name: "Last-Event-ID", In: "header", Schema: &jsonschema.Schema{Type: "string"},
				Description: "of a stream: the ID of the last event that was read; it goes on after that one",
			})
		}
	}
	return all
}

func (p parameter) schema() *jsonschema.Schema {
	words := p.words
	if p.flag {
		words = flags
	}
	switch {
	case words != nil:
		s := &jsonschema.Schema{Type: "string"}
		for _, word := range words {
			s.Enum = append(s.Enum, word)
		}
		return s
	case p.most > 0:
		return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(1.0), Maximum: jsonschema.Ptr(float64(p.most))}
	}
	return &jsonschema.Schema{Type: "string"}
}

// openapi answers with the document as JSON.
func (s *server) openapi(w http.ResponseWriter, _ *http.Request, _ people.Identity) error {
	return answer(w, http.StatusOK, OpenAPI())
}

// docsPage answers with the document as a page for people.
func (s *server) docsPage(w http.ResponseWriter, _ *http.Request, _ people.Identity) error {
	OpenAPI()
	page, err := described.page, described.err
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Security-Policy", page.Policy)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, err = w.Write(page.HTML)
	return err
}
