package server

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"rein"
	"rein/api"
	"rein/household/shelf"
	"rein/server/openapi"
)

// A trouble is a status that says that an operation was not carried out.
type trouble struct {
	status int
	of     func(operation) bool // which operations can be answered with it
	about  string               // in place of the codes that it is told for
}

func always(operation) bool      { return true }
func closed(o operation) bool    { return o.needs != "" || o.signed }
func withBody(o operation) bool  { return o.body != nil || o.media != "" }
func withJSON(o operation) bool  { return o.body != nil }
func changes(o operation) bool   { return o.method != http.MethodGet }
func conflicts(o operation) bool { return changes(o) || o.unfinished }
func namesAnother(o operation) bool {
	return o.later || changes(o) || strings.Contains(o.path, "{") || len(o.query) > 0
}

// troubles are told as a Problem. What an operation cannot be answered with is not in its description.
var troubles = []trouble{
	{status: http.StatusBadRequest, of: always},
	{status: http.StatusUnauthorized, of: closed},
	{status: http.StatusPaymentRequired, of: changes},
	{status: http.StatusForbidden, of: closed},
	{status: http.StatusNotFound, of: namesAnother},
	{status: http.StatusConflict, of: conflicts},
	{status: http.StatusRequestEntityTooLarge, of: withBody, about: fmt.Sprintf("The body is too large: JSON may have %d bytes (%d to start a run), a file %d", api.MaxBody, api.MaxRun, shelf.MaxFile)},
	{status: http.StatusUnsupportedMediaType, of: withJSON, about: "The body is not JSON"},
	{status: http.StatusUnprocessableEntity, of: changes},
	{status: http.StatusLocked, of: changes},
	{status: http.StatusTooManyRequests, of: always},
	{status: http.StatusInternalServerError, of: always},
	{status: http.StatusBadGateway, of: changes},
	{status: http.StatusServiceUnavailable, of: always},
	{status: http.StatusGatewayTimeout, of: always},
	{status: http.StatusInsufficientStorage, of: changes},
}

func (t trouble) name() string {
	return strings.NewReplacer(" ", "", "-", "").Replace(http.StatusText(t.status))
}

// response describes the trouble, with the codes that tell it apart.
func (t trouble) response(schemas *openapi.Schemas) openapi.Response {
	about := t.about
	if about == "" {
		about = "A problem with the code " + strings.Join(codesOf(t.status, schemas.Vocabulary), ", ")
	}
	r := openapi.Response{
		Description: about,
		Content:     map[string]openapi.Media{api.ProblemType: {Schema: schemas.Of(reflect.TypeFor[api.Problem]())}},
	}
	if t.status == http.StatusTooManyRequests {
		r.Headers = map[string]openapi.Header{"Retry-After": {Description: "seconds to wait", Schema: &jsonschema.Schema{Type: "integer"}}}
	}
	return r
}

// codesOf lists the codes that are told by a status.
func codesOf(status int, all openapi.Vocabulary) (codes []string) {
	for _, code := range all.Words[openapi.Key(reflect.TypeFor[rein.Code]())] {
		if api.Status(rein.Code(code)) == status {
			codes = append(codes, "`"+code+"`")
		}
	}
	return codes
}
