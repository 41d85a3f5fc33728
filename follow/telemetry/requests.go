package telemetry

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Pattern is the route of a request as http.ServeMux found it, without the method. It is known only
// after the request was served, and empty if no route fits.
func Pattern(r *http.Request) string {
	if _, path, ok := strings.Cut(r.Pattern, " "); ok {
		return path
	}
	return r.Pattern
}

// HTTP counts the requests that the handler serves. The route must be a pattern, not a path; it is
// asked for after the request was served, and nil means Pattern.
func (m *Metrics) HTTP(next http.Handler, route func(*http.Request) string) http.Handler {
	if route == nil {
		route = Pattern
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		m.inFlight.Inc()
		began := time.Now()
		seen := &seen{ResponseWriter: w}
		defer func() { // also if the handler panics
			m.inFlight.Dec()
			method, where := methodOf(r), m.routes.name(route(r))
			m.requests.WithLabelValues(method, where, strconv.Itoa(seen.code())).Inc()
			if !seen.isStream() {
				m.requestTime.WithLabelValues(method, where).Observe(time.Since(began).Seconds())
			}
		}()
		seen.serve(next, r)
	})
}

// methodOf is the method, if it is one that HTTP knows: anybody can send another.
func methodOf(r *http.Request) string {
	switch r.Method {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return r.Method
	}
	return other
}
