// Package wire reads request bodies and writes responses and streams, for the API and its dialects.
package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/household/shelf"
)

// MaxWrite is how long a client may take to read what it is sent. One that takes longer is cut off; it
// can go on from where it was.
const MaxWrite = 30 * time.Second

// Lasting is the context of what is carried out even if the one who asked has gone.
func Lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), time.Minute)
}

// May says what is wrong if the sender's credential is not good for what needs the scope.
func May(who rein.Identity, needs rein.Scope) error {
	switch {
	case who.May(needs):
		return nil
	case who.Bare:
		return rein.Errorf(rein.CodeForbidden, "the cookie of a browser is not enough for what needs the scope %q: send it from a page of this server, "+
			"with the header X-CSRF-Token and the csrf that GET /v1/me returns, or with a token", needs)
	}
	return rein.Errorf(rein.CodeForbidden, "this needs the scope %q, which your credential does not have", needs)
}

// ReadBody reads a body of at most so many bytes. Once some of a large one is there, and it was its turn, it
// makes room for all that the sender says there is: doing that again and again, as more comes, takes several
// times as much memory.
func ReadBody(w http.ResponseWriter, r *http.Request, most int64) ([]byte, error) {
	return shelf.ReadAll(http.MaxBytesReader(Bare(w), r.Body, most), min(r.ContentLength, most))
}

// ReadJSON reads the JSON of a request. That it must say that it is JSON keeps web forms out.
func ReadJSON(w http.ResponseWriter, r *http.Request, value any) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
		return rein.Errorf(rein.CodeInvalid, "the body is %.60q: send JSON, with Content-Type: application/json", r.Header.Get("Content-Type"))
	}
	defer r.Body.Close() // what follows may take long, as a talk does
	data, err := ReadBody(w, r, api.MaxBody)
	if err != nil {
		return rein.Errorf(rein.CodeInvalid, "the body cannot be read: %w", err)
	}
	return Decode(data, value)
}

// Decode reads one JSON object. Everything in it must be known: a household_id in a body, say, must not
// look as if it counted.
func Decode(data []byte, value any) error {
	if err := CheckValues(data); err != nil {
		return err
	}
	if err := CheckKeys(data); err != nil {
		return err
	}
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

// Answer sends a value as JSON, of this media type.
func Answer(w http.ResponseWriter, status int, media string, value any) error {
	w.Header().Set("Content-Type", media)
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	return encode(w, value)
}

func encode(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(value)
}
