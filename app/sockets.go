package app

import (
	"context"
	"net/http"

	"rein"
)

type senderKey struct{}

// withSender keeps a request for stillWelcome: a socket outlives what was found out about its sender.
func (s *Service) withSender(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), senderKey{}, r)))
	})
}

// stillWelcome asks anew who sends a request. What is told has the code that clients of the socket
// know.
func (s *Service) stillWelcome(ctx context.Context, before rein.Identity) error {
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
