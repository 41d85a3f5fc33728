// Package wire reads request bodies and writes responses and streams, for the API and its dialects.
package wire

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"time"

	"rein"
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
		return rein.Errorf(rein.CodeForbidden, "the cookie of a browser is not enough for the scope %q: send the request from a page of this server, "+
			"with the header X-CSRF-Token and the csrf that GET /v1/me returns, or with a token", needs)
	}
	return rein.Errorf(rein.CodeForbidden, "this needs the scope %q, which your credential does not have", needs)
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
