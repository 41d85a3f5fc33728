package port

import (
	"context"
	"net/http"
)

type frameKey struct{}

// WithFrames returns the request as one whose connection brings messages after it. take waits until its
// sender may send one more, so that messages of a socket count as requests do.
func WithFrames(r *http.Request, take func(context.Context) error) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), frameKey{}, take))
}

// Frame waits until the sender of a request may send one more message over its connection. Whoever
// reads a socket calls it before each message; what is sent too fast waits in the connection. The error
// is that of the context. Where nobody counts, it never waits.
func Frame(ctx context.Context) error {
	take, ok := ctx.Value(frameKey{}).(func(context.Context) error)
	if !ok {
		return ctx.Err()
	}
	return take(ctx)
}
