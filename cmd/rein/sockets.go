package main

import (
	"bufio"
	"context"
	"net"
	"net/http"

	"rein"
	"rein/people"
)

type senderKey struct{}

// whileWelcome is for sockets that outlive the context of their request: the connection closes when
// that context ends, as it does when the sender's credential does, and the request is kept for
// stillWelcome.
func (s *service) whileWelcome(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx := context.WithValue(r.Context(), senderKey{}, r)
		next.ServeHTTP(&bounded{w, ctx}, r.WithContext(ctx))
	})
}

// stillWelcome asks anew who sends a request. What is told has the code that clients of the socket
// know.
func (s *service) stillWelcome(ctx context.Context, before people.Identity) error {
	r, ok := ctx.Value(senderKey{}).(*http.Request)
	if !ok {
		return nil
	}
	who, err := s.access.Who(r.WithContext(context.Background())) // its own knows who it was
	if err == nil && who.Role != before.Role {
		err = rein.Errorf(rein.CodeForbidden, "the role of %s has changed: connect again", who.User)
	}
	if err != nil {
		return rein.Errorf(rein.CodeUnauthorized, "%v", err)
	}
	return nil
}

// bounded lends its connection only until the context ends.
type bounded struct {
	http.ResponseWriter
	ctx context.Context
}

func (b *bounded) Unwrap() http.ResponseWriter { return b.ResponseWriter }

func (b *bounded) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffer, err := http.NewResponseController(b.ResponseWriter).Hijack()
	if err == nil {
		context.AfterFunc(b.ctx, func() { _ = conn.Close() }) // it may be closed already
	}
	return conn, buffer, err
}
