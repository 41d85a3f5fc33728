package telemetry

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
)

// Requests logs each request when it has been served: method, route, status, duration, size, who sent
// it and its ID. Paths, queries, bodies and credentials are never logged. The route is as for
// Metrics.HTTP. The ID is in the answer's X-Request-Id; a sender may bring one.
func Requests(next http.Handler, log *slog.Logger, route func(*http.Request) string) http.Handler {
	if route == nil {
		route = Pattern
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		about := &request{id: requestID(r)}
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, about))
		w.Header().Set("X-Request-Id", about.id)
		seen, began := &seen{ResponseWriter: w}, time.Now()
		defer func() { // also if the handler panics
			user, via := about.caller()
			log.LogAttrs(
				context.WithoutCancel(r.Context()), levelOf(seen.code()), "request",
				slog.String("id", about.id), slog.String("method", methodOf(r)), slog.String("route", route(r)), slog.Int("status", seen.code()),
				slog.Float64("duration_ms", float64(time.Since(began).Microseconds())/1000), slog.Int64("bytes", seen.bytes),
				slog.String("user", user), slog.String("via", via),
			)
		}()
		seen.serve(next, r)
	})
}

// levelOf is how much a status matters to who runs the server.
func levelOf(status int) slog.Level {
	switch {
	case status >= 500:
		return slog.LevelError
	case status == http.StatusUnauthorized || status == http.StatusForbidden || status == http.StatusTooManyRequests:
		return slog.LevelWarn
	}
	return slog.LevelInfo
}

type requestKey struct{}

// A request is what is known of one while it is served.
type request struct {
	id string

	mu        sync.Mutex
	user, via string
}

func (r *request) caller() (user, via string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.user, r.via
}

// Caller tells the log of requests who sends this one. Who checks credentials calls it.
func Caller(ctx context.Context, user, via string) {
	if r, ok := ctx.Value(requestKey{}).(*request); ok {
		r.mu.Lock()
		r.user, r.via = user, via
		r.mu.Unlock()
	}
}

const idAlphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"

// requestID takes the sender's ID if it looks like one.
func requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); len(id) >= 8 && len(id) <= 64 && strings.Trim(id, idAlphabet) == "" {
		return id
	}
	return rand.Text()
}
