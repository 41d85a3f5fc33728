package wire

import (
	"context"
	"errors"
	"io"
	"net/http"
	"os"

	"rein"
	"rein/api"
)

// Whole refuses every request whose body did not arrive, or not whole, whatever the handler makes of
// the part that came: nobody may take an answer for a receipt of what was never read.
func Whole(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body == nil || r.Body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		body := &watched{ReadCloser: r.Body}
		r.Body = body
		a := &honest{ResponseWriter: w, body: body}
		next.ServeHTTP(a, r)
		if body.failed != nil && !a.begun {
			a.WriteHeader(http.StatusOK) // it says that instead
		}
	})
}

// watched is a body that remembers that it could not be read to its end.
type watched struct {
	io.ReadCloser
	came   int64
	failed error
}

func (b *watched) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.came += int64(n)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, http.ErrBodyReadAfterClose) {
		b.failed = err
	}
	return n, err
}

// honest is an answer to a request whose body it knows.
type honest struct {
	http.ResponseWriter
	body    *watched
	begun   bool
	replace bool // what the handler writes is not sent
}

func (h *honest) Unwrap() http.ResponseWriter { return h.ResponseWriter }

func (h *honest) WriteHeader(status int) {
	if h.body.failed == nil || h.begun {
		h.begun = h.begun || status >= http.StatusOK // others come before the answer
		h.ResponseWriter.WriteHeader(status)
		return
	}
	h.begun, h.replace = true, true
	for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Disposition", "ETag", "Location", "Set-Cookie"} {
		h.Header().Del(name)
	}
	h.Header().Set("Connection", "close")
	p := h.body.problem()
	_ = Answer(h.ResponseWriter, p.Status, api.ProblemType, p) // who has gone cannot be told
}

// problem says what was wrong with the body.
func (b *watched) problem() api.Problem {
	if errors.Is(b.failed, os.ErrDeadlineExceeded) || errors.Is(b.failed, io.ErrUnexpectedEOF) {
		p := api.ProblemOf(rein.Errorf(rein.CodeInvalid, "the body did not arrive completely: only %d bytes came. Nothing was done: send the request again", b.came))
		p.Status = http.StatusRequestTimeout
		return p
	}
	return api.ProblemOf(rein.Errorf(rein.CodeInvalid, "the body cannot be read: %w", b.failed))
}

func (h *honest) Write(p []byte) (int, error) {
	if !h.begun {
		h.WriteHeader(http.StatusOK)
	}
	if h.replace {
		return len(p), nil
	}
	return h.ResponseWriter.Write(p)
}

// A Noted answer knows whether it has begun.
type Noted struct {
	http.ResponseWriter
	Begun bool
}

// Unwrap is for http.ResponseController.
func (n *Noted) Unwrap() http.ResponseWriter { return n.ResponseWriter }

// WriteHeader implements http.ResponseWriter.
func (n *Noted) WriteHeader(status int) {
	n.Begun = true
	n.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (n *Noted) Write(p []byte) (int, error) {
	n.Begun = true
	return n.ResponseWriter.Write(p)
}

// Bare returns the writer below all others, which knows how to end a request that is too large.
func Bare(w http.ResponseWriter) http.ResponseWriter {
	for {
		outer, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return w
		}
		w = outer.Unwrap()
	}
}

// Told is the error to tell for a handler's. A request that was cut off failed for that reason,
// whatever the handler met: a login that ended, or a connection that was lost.
func Told(ctx context.Context, err error) error {
	if ctx.Err() == nil {
		return err
	}
	if cause := context.Cause(ctx); rein.CodeOf(cause) == rein.CodeUnauthenticated {
		return cause
	}
	return rein.Errorf(rein.CodeUnavailable, "the request was cut off before it was done")
}
