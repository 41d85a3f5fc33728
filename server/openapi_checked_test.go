package server_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"

	"rein/api"
	"rein/server"
	"rein/server/openapi"
)

// checked holds every request and answer of a handler to the document: what it does not describe must
// not be answered with success, and what is answered must be described. Whatever a test is about, its
// requests are tests of the document too.
func checked(t testing.TB, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bytes.Buffer
		request := r.WithContext(r.Context())
		if r.Body != nil {
			request.Body = struct {
				io.Reader
				io.Closer
			}{io.TeeReader(r.Body, &body), r.Body}
		}
		a := &answered{ResponseWriter: w}
		h.ServeHTTP(a, request)
		if a.status == 0 && r.Context().Err() != nil {
			return // nobody waited for an answer
		}
		if err := a.check(request, body.Bytes()); err != nil {
			t.Errorf("%s %.100s: answer %d is not as the document says: %v", r.Method, r.URL, a.status, err)
		}
	})
}

// answered remembers an answer.
type answered struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *answered) WriteHeader(status int) {
	a.status = status
	a.ResponseWriter.WriteHeader(status)
}

func (a *answered) Write(p []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.body.Write(p)
	return a.ResponseWriter.Write(p)
}

// check compares an answer with the operation that the request was for.
func (a *answered) check(r *http.Request, body []byte) error {
	doc := server.OpenAPI()
	media, _, _ := mime.ParseMediaType(a.Header().Get("Content-Type"))
	path, known := doc.Paths[r.Pattern]
	o, takes := path[strings.ToLower(r.Method)]
	switch {
	case !known && r.Pattern != "/" && r.Pattern != "":
		return nil // something beside the API
	case !known && a.status != http.StatusNotFound, known && !takes && a.status != http.StatusMethodNotAllowed:
		return fmt.Errorf("there is no such operation")
	case !known || !takes:
		return a.checkProblem(media)
	}
	if a.status < 400 {
		if err := checkRequest(r, o, body); err != nil {
			return fmt.Errorf("the request is wrong and was not refused: %w", err)
		}
	}
	described, ok := o.Responses[strconv.Itoa(a.status)]
	if !ok {
		return fmt.Errorf("the operation has no such status")
	}
	content := doc.Response(described).Content
	if len(content) == 0 && a.body.Len() == 0 {
		return nil
	}
	shape, ok := content[media]
	switch {
	case !ok:
		return fmt.Errorf("the operation does not answer with %q", media)
	case media == "text/event-stream":
		return a.checkStream()
	case media == api.ProblemType:
		return a.checkProblem(media)
	case media == "application/json":
		if o.ID == "events" {
			if err := checkPayloads(a.body.Bytes()); err != nil {
				return err
			}
		}
		return validate(shape.Schema, a.body.Bytes())
	}
	return nil
}

// checkProblem checks that the answer tells an error as all are told.
func (a *answered) checkProblem(media string) error {
	if media != api.ProblemType {
		return fmt.Errorf("a problem of type %q", media)
	}
	return validate(ref("Problem"), a.body.Bytes())
}

// checkStream checks the events of a stream that were sent whole.
func (a *answered) checkStream() error {
	for frame := range strings.SplitSeq(a.body.String(), "\n\n") {
		_, event, ok := strings.Cut(frame, "event: ")
		name, data, whole := strings.Cut(event, "\ndata: ")
		if !ok || !whole || !json.Valid([]byte(data)) {
			continue // a comment, or cut off
		}
		shape := ref("Line")
		switch name {
		case api.StreamStarted:
			if err := validate(ref("Started"), []byte(data)); err != nil {
				return fmt.Errorf("event %q: %w", name, err)
			}
			continue
		case api.StreamHello, api.StreamHint:
			shape = ref("Hint")
		case api.StreamError:
			shape = ref("Problem")
		case api.StreamEnd:
			shape = &jsonschema.Schema{Type: "object"}
		}
		if err := validate(shape, []byte(data)); err != nil {
			return fmt.Errorf("event %q: %w", name, err)
		}
		if err := checkPayloads([]byte(`{"lines":[` + data + `]}`)); err != nil {
			return err
		}
	}
	return nil
}

// checkPayloads checks what the events of a page tell.
func checkPayloads(page []byte) error {
	var lines api.Lines
	if err := json.Unmarshal(page, &lines); err != nil {
		return err
	}
	for _, line := range lines.Lines {
		if line.Event == nil || line.Event.Data == nil {
			continue
		}
		kind := line.Event.Kind
		known := openapi.PayloadsOf(server.OpenAPI().Components.Schemas["Event"])
		i := slices.IndexFunc(known, func(p openapi.Payload) bool { return p.Word == string(kind) })
		if i < 0 {
			return fmt.Errorf("event %s has data: %s", kind, line.Event.Data)
		}
		if err := validate(known[i].Schema, line.Event.Data); err != nil {
			return fmt.Errorf("data of %s: %w", kind, err)
		}
	}
	return nil
}

// checkRequest says what the document has against a request.
func checkRequest(r *http.Request, o openapi.Operation, body []byte) error {
	known := map[string]openapi.Parameter{}
	for _, p := range o.Parameters {
		if p.In == "query" {
			known[p.Name] = p
		}
	}
	for name, values := range r.URL.Query() {
		p, ok := known[name]
		if !ok {
			return fmt.Errorf("it has no parameter %q", name)
		}
		value := values[0]
		if value == "" {
			continue // as none
		}
		if p.Schema.Type != "integer" {
			value = strconv.Quote(value)
		}
		if err := validate(p.Schema, []byte(value)); err != nil {
			return fmt.Errorf("parameter %s: %w", name, err)
		}
	}
	if o.Body == nil {
		return nil
	}
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	shape, ok := o.Body.Content[media]
	if _, any := o.Body.Content["*/*"]; any {
		return nil
	}
	if !ok {
		return fmt.Errorf("it does not take %q", media)
	}
	if media == "application/json" {
		return validate(shape.Schema, body)
	}
	return nil
}

func ref(name string) *jsonschema.Schema {
	return &jsonschema.Schema{Ref: "#/components/schemas/" + name}
}

// validators are the schemas that were compiled so far, by their JSON.
var validators sync.Map

// validate checks JSON against a schema of the document.
func validate(s *jsonschema.Schema, data []byte) error {
	if s == nil {
		return nil
	}
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	compiled, ok := validators.Load(string(text))
	if !ok {
		if compiled, err = compile(text); err != nil {
			return err
		}
		validators.Store(string(text), compiled)
	}
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return fmt.Errorf("%.200q is not JSON: %w", data, err)
	}
	return compiled.(*jsonschema.Resolved).Validate(value)
}

var refs = regexp.MustCompile(`#/components/schemas/(\w+)`)

// compile makes a validator of a schema and the components that it needs. It is stricter than the
// document: a field that is not described is an error.
func compile(text []byte) (*jsonschema.Resolved, error) {
	components := map[string]json.RawMessage{}
	for needed := refs.FindAllSubmatch(text, -1); len(needed) > 0; needed = needed[1:] {
		name := string(needed[0][1])
		if components[name] != nil {
			continue
		}
		component, err := json.Marshal(server.OpenAPI().Components.Schemas[name])
		if err != nil {
			return nil, err
		}
		components[name] = component
		needed = append(needed, refs.FindAllSubmatch(component, -1)...)
	}
	whole, err := json.Marshal(map[string]any{"$defs": components, "allOf": []json.RawMessage{text}})
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(bytes.ReplaceAll(whole, []byte("#/components/schemas/"), []byte("#/$defs/")), &s); err != nil {
		return nil, err
	}
	for _, component := range s.Defs {
		if component.Properties != nil {
			component.AdditionalProperties = &jsonschema.Schema{Not: &jsonschema.Schema{}}
		}
	}
	return s.Resolve(nil)
}
