package server

import (
	"errors"
	"maps"
	"net/http"
	"path"
	"runtime/debug"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/server/wire"
)

// guard tells what a handler returns or panics with. What is a fault of this program goes into its
// log; the client learns no more than that it is one.
func (s *server) guard(h func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &wire.Noted{ResponseWriter: w}
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p != http.ErrAbortHandler {
				s.Log.Error("a request caused a panic", "method", r.Method, "route", r.Pattern, "panic", p, "stack", string(debug.Stack()))
			}
			if a.Begun || p == http.ErrAbortHandler {
				panic(http.ErrAbortHandler) // too late for an answer: cut the connection
			}
			wire.Problem(w, errors.New("panic"))
		}()
		err := h(a, r)
		if err == nil || a.Begun {
			return
		}
		err = wire.Told(r.Context(), err)
		if code := rein.CodeOf(err); api.Status(code) >= 500 && code != rein.CodeUnavailable {
			s.Log.Error("a request failed", "method", r.Method, "route", r.Pattern, "error", err)
		}
		wire.Problem(w, err)
	})
}

// answer answers with a value.
func answer(w http.ResponseWriter, status int, value any) error {
	return wire.Answer(w, status, "application/json", value)
}

// plainPaths refuses paths that a mux would redirect: nobody who means well sends them.
func plainPaths(next, otherwise http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := r.URL.Path; !strings.HasPrefix(p, "/") || path.Clean(p) != p || r.Method == http.MethodConnect {
			otherwise.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

func noRoute(_ http.ResponseWriter, r *http.Request) error {
	return rein.Errorf(rein.CodeNotFound, "there is nothing at %.200q: the paths of the API begin with /v1, and GET /docs lists them", r.URL.Path)
}

func noMethod(w http.ResponseWriter, at resource, method string) error {
	allowed := strings.Join(slices.Sorted(maps.Keys(at.methods)), ", ")
	w.Header().Set("Allow", allowed)
	return wire.Refuse(http.StatusMethodNotAllowed, rein.Errorf(rein.CodeInvalid, "%s does not support the method %.20q: use %s", at.path, method, allowed))
}
