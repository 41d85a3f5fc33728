package wire

import (
	"bytes"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/household/shelf"
)

// ReadBody reads a body of at most this many bytes. A large one waits for its turn; then ReadBody makes
// room for all of it at once, because growing step by step takes several times the memory.
func ReadBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	return shelf.ReadAll(http.MaxBytesReader(Bare(w), r.Body, most), min(r.ContentLength, most))
}

// ReadJSON reads the JSON of a request into value, a pointer to a struct. The request must declare JSON,
// which keeps web forms out.
func ReadJSON(w http.ResponseWriter, r *http.Request, value any) error {
	return ReadLongJSON(w, r, value, api.MaxBody)
}

// ReadLongJSON is ReadJSON with another limit for the body.
func ReadLongJSON(w http.ResponseWriter, r *http.Request, value any, most int64) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return Refuse(http.StatusUnsupportedMediaType, rein.Errorf(rein.CodeInvalid, "the Content-Type is %.60q: send JSON, with Content-Type: application/json", r.Header.Get("Content-Type")))
	}
	defer r.Body.Close() // a handler may run for a long time after this
	data, err := ReadBody(w, r, most)
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return Refuse(http.StatusRequestEntityTooLarge, rein.Errorf(rein.CodeInvalid, "the body has more than %d bytes: send less", most))
	}
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "the body cannot be read: %w", err)
	}
	return Decode(data, value)
}

// Decode reads one JSON object into value. It refuses a field that value does not have: a household_id
// in a body, for example, must not look as if it had an effect.
func Decode(data []byte, value any) error {
	if err := checkValues(data); err != nil {
		return Refuse(http.StatusRequestEntityTooLarge, err)
	}
	var raw any
	if err := json.Unmarshal(data, &raw); err != nil {
		return BadJSON(data, err)
	}
	if err := CheckKeys(data); err != nil {
		return err
	}
	if _, ok := raw.(map[string]any); !ok {
		return rein.Errorf(rein.CodeInvalid, "the JSON is not an object: send {…}")
	}
	if err := checkFields(raw, value); err != nil {
		return err
	}
	if err := json.Unmarshal(data, value); err != nil {
		return BadJSON(data, err)
	}
	return nil
}

// BadJSON says where the JSON is wrong.
func BadJSON(data []byte, err error) error {
	if len(bytes.TrimSpace(data)) == 0 {
		return rein.Errorf(rein.CodeInvalid, "the request is empty: send a JSON object")
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return rein.Errorf(rein.CodeInvalid, "this is not JSON, at byte %d: %w", e.Offset, err)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return rein.Errorf(rein.CodeInvalid, "field %.100q is %.60s; it must be %s", jsonPath(e.Field), inWords(e.Value), kindOf(e.Type))
	}
	return rein.Errorf(rein.CodeInvalid, "the JSON cannot be read: %w", err)
}

// jsonPath leaves out the names of embedded Go structs, which JSON does not have: keys of this API begin
// in lower case.
func jsonPath(field string) string {
	return strings.Join(slices.DeleteFunc(strings.Split(field, "."), func(part string) bool {
		return part != "" && part[0] >= 'A' && part[0] <= 'Z'
	}), ".")
}

// inWords is what package json calls a value, with its article.
func inWords(value string) string {
	switch value {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "true or false"
	}
	return "a " + value
}
