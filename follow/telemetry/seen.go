package telemetry

import (
	"bufio"
	"net"
	"net/http"
	"strings"
)

// A seen is a ResponseWriter that takes note of what is answered. What the writer beneath can do,
// such as flush and hijack, it can too.
type seen struct {
	http.ResponseWriter
	status int
	bytes  int64
	served bool // the handler has returned
}

// serve lets the handler answer.
func (s *seen) serve(next http.Handler, r *http.Request) {
	next.ServeHTTP(s, r)
	s.served = true
}

// WriteHeader implements http.ResponseWriter.
func (s *seen) WriteHeader(status int) {
	if s.status == 0 && (status >= 200 || status == http.StatusSwitchingProtocols) {
		s.status = status
	}
	s.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (s *seen) Write(p []byte) (int, error) {
	if s.status == 0 {
		s.status = http.StatusOK
	}
	n, err := s.ResponseWriter.Write(p)
	s.bytes += int64(n)
	return n, err
}

// Flush implements http.Flusher.
func (s *seen) Flush() {
	if s.status == 0 {
		s.status = http.StatusOK
	}
	_ = http.NewResponseController(s.ResponseWriter).Flush() // who cannot flush has nothing to say about it
}

// Hijack implements http.Hijacker.
func (s *seen) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(s.ResponseWriter).Hijack()
	if err == nil && s.status == 0 {
		s.status = http.StatusSwitchingProtocols
	}
	return conn, rw, err
}

// Unwrap is for http.ResponseController.
func (s *seen) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// code is the status that was sent. A handler that returned without a word has said that all is well;
// one that did not return has not.
func (s *seen) code() int {
	switch {
	case s.status != 0:
		return s.status
	case s.served:
		return http.StatusOK
	}
	return http.StatusInternalServerError
}

// isStream reports whether the answer took as long as somebody wanted to listen.
func (s *seen) isStream() bool {
	return s.status == http.StatusSwitchingProtocols || strings.HasPrefix(s.Header().Get("Content-Type"), "text/event-stream")
}
