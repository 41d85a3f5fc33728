package explore

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"

	"rein"
	"rein/api"
)

// readBody reads the JSON of a request. That it must say that it is JSON keeps web forms out.
func readBody(w http.ResponseWriter, r *http.Request, value any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return rein.Errorf(rein.CodeInvalid, "the body is %.60q: send JSON, with Content-Type: application/json", r.Header.Get("Content-Type"))
	}
	data, err := io.ReadAll(http.MaxBytesReader(w, r.Body, api.MaxBody))
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "the body cannot be read: %w", err)
	}
	return decode(data, value)
}

// decode reads one JSON object. Everything in it must be known: what is not understood must not be lost
// in silence.
func decode(data []byte, value any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(value); err != nil {
		return rein.Errorf(rein.CodeInvalid, "this is not the JSON object that is wanted here: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return rein.Errorf(rein.CodeInvalid, "there is more after the JSON object: send one")
	}
	return nil
}
