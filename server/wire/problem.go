package wire

import (
	"errors"
	"math"
	"net/http"
	"strconv"

	"rein"
	"rein/api"
)

// A refusal is an error with a more precise status than its code has.
type refusal struct {
	error
	status int
}

func (r *refusal) Unwrap() error { return r.error }

// Refuse gives an error a status of its own, for Problem. The dialects report errors by code alone.
func Refuse(status int, err error) error { return &refusal{err, status} }

// Problem answers with an error. The header Retry-After says when to try again, if the error does.
func Problem(w http.ResponseWriter, err error) {
	p := api.ProblemOf(err)
	if r, ok := errors.AsType[*refusal](err); ok {
		p.Status = r.status
	}
	SetRetryAfter(w.Header(), err)
	_ = Answer(w, p.Status, api.ProblemType, p) // a client that has hung up reads no error either
}

// SetRetryAfter sets the header from the error. It rounds up: a client that comes back too early is
// refused again.
func SetRetryAfter(h http.Header, err error) {
	if e, ok := errors.AsType[*rein.Error](err); ok && e.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.RetryAfter.Seconds()))))
	}
}
