package server

import (
	"net/http"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"rein"
	"rein/api"
	"rein/server/openapi"
)

// describe says in the document's words what the operation does.
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
	if o.needs != rein.ScopeRead && slices.ContainsFunc(o.answers, reply.streams) {
		d.Description += streamOfStart
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

const eventStream = "text/event-stream"

// streamed says what no schema can of a stream.
const streamed = ". In a stream, the data of `" + api.StreamEvent + "`, `" + api.StreamDelta + "` and `" + api.StreamResync + "` is a Line, and that of `" +
	api.StreamError + "` is a Problem. `" + api.StreamEnd + "` means that everything was sent. The ID of an event is its cursor"

// streamedHints is streamed for a stream of hints.
const streamedHints = ". The data of `" + api.StreamHello + "` and `" + api.StreamHint + "` is a Hint, and that of `" + api.StreamError +
	"` is a Problem. The first event is `" + api.StreamHello + "`: anything may have changed, so read what you show. It comes again if too much changed at once"

// streamOfStart says what is different about the stream of a run that the request starts.
const streamOfStart = " A stream needs the scope `" + string(rein.ScopeRead) + "` too. It begins with `" + api.StreamStarted +
	"`, whose data is a Started, and continues like `GET /v1/runs/{id}/events`: if it breaks, continue there, after the last cursor that you read."

// streams reports whether the reply is a text/event-stream.
func (r reply) streams() bool { return r.media == eventStream }

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
	case r.hints:
		d.Description += streamedHints
		schemas.Of(reflect.TypeFor[api.Hint]()) // so that it is described
		d.Content[r.media] = openapi.Media{Schema: &jsonschema.Schema{Type: "string"}}
	case r.streams():
		d.Description += streamed
		d.Content[r.media] = openapi.Media{Schema: &jsonschema.Schema{Type: "string"}}
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
		name := o.path[at[2]:at[3]]
		all = append(all, openapi.Parameter{
			Name: name, In: "path", Required: true, Description: inWords(name, path.Base(o.path[:at[0]])), Schema: &jsonschema.Schema{Type: "string"},
		})
	}
	for _, p := range o.query {
		all = append(all, openapi.Parameter{Name: p.name, In: "query", Description: p.about, Schema: p.schema()})
	}
	if o.once {
		all = append(all, openapi.Parameter{
			Name: "Idempotency-Key", In: "header", Schema: &jsonschema.Schema{Type: "string"},
			Description: "a key that you choose. Sending the same key and body again returns the first answer and starts nothing",
		})
	}
	for _, r := range o.answers {
		if r.streams() && !r.hints && !o.once { // a stream of what is started begins at its beginning
			all = append(all, openapi.Parameter{
				Name: "Last-Event-ID", In: "header", Schema: &jsonschema.Schema{Type: "string"},
				Description: "for a stream: the ID of the last event that you read; the stream continues after it",
			})
		}
	}
	return all
}

// inWords describes a parameter of a path: the id below "runs" is the ID of the run.
func inWords(name, below string) string {
	switch name {
	case "id":
		return "the ID of the " + strings.TrimSuffix(below, "s")
	case "name":
		return "the name of the " + strings.TrimSuffix(below, "s")
	}
	return "the " + name
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
	case p.time:
		return &jsonschema.Schema{Type: "string", Format: "date-time"}
	case p.most > 0:
		return &jsonschema.Schema{Type: "integer", Minimum: jsonschema.Ptr(1.0), Maximum: jsonschema.Ptr(float64(p.most))}
	}
	return &jsonschema.Schema{Type: "string"}
}
