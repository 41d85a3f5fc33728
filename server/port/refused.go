package port

import (
	"context"
	"net/http"
)

type refusedKey struct{}

// WithRefusal returns the request as one whose handler checks a secret itself, such as one in its address. count counts a
// secret that was wrong as any credential that was refused, and returns what to answer.
func WithRefusal(r *http.Request, count func(error) error) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), refusedKey{}, count))
}

// Refused returns what to answer to a request whose secret is wrong: the error, or that there were too many. Where nobody
// counts, it is the error.
func Refused(ctx context.Context, err error) error {
	count, ok := ctx.Value(refusedKey{}).(func(error) error)
	if !ok {
		return err
	}
	return count(err)
}
