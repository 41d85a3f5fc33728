package telemetry_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"rein/follow/telemetry"
)

// site answers in every way that a handler can.
func site() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /runs/{id}", func(w http.ResponseWriter, r *http.Request) {
		telemetry.Caller(r.Context(), "ann", "token:7")
		_, _ = io.WriteString(w, w.Header().Get("X-Request-Id"))
	})
	mux.HandleFunc("POST /runs", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusCreated)
		w.WriteHeader(http.StatusOK) // too late
	})
	mux.HandleFunc("/denied", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	mux.HandleFunc("/panic", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/stream", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		_ = http.NewResponseController(w).Flush()
	})
	mux.HandleFunc("/socket", func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			panic(err)
		}
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\n\r\n")
		_ = conn.Close()
	})
	return mux
}

// watched is a buffer that a test can wait on: a request is logged after it is answered.
type watched struct {
	mu    sync.Mutex
	buf   bytes.Buffer
	lines chan struct{}
}

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() { w.lines <- struct{}{} }()
	return w.buf.Write(p)
}

var requests = []struct{ method, path string }{
	{"GET", "/runs/r1?key=" + secret},
	{"GET", "/runs/r2"},
	{"POST", "/runs"},
	{"BREW", "/runs"},
	{"GET", "/" + secret},
	{"GET", "/denied"},
	{"POST", "/panic"},
	{"GET", "/stream"},
	{"GET", "/socket"},
}

// visit sends all requests over a real connection, one after the other.
func visit(t *testing.T, handler http.Handler, log *watched) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.Start()
	defer server.Close()
	for _, r := range requests {
		req, err := http.NewRequest(r.method, server.URL+r.path, strings.NewReader(secret))
		check(t, err)
		req.Header.Set("Authorization", "Bearer "+secret)
		if resp, err := server.Client().Do(req); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		<-log.lines
	}
}

func TestRequestsAreLoggedAndCounted(t *testing.T) {
	m := telemetry.NewMetrics(telemetry.MetricsOptions{})
	out := &watched{lines: make(chan struct{}, 100)}
	visit(t, telemetry.Requests(m.HTTP(site(), nil), telemetry.NewLog(out, slog.LevelInfo, nil), nil), out)
	var got []string
	for line := range strings.Lines(out.buf.String()) {
		var l struct {
			Level, Msg, ID, Method, Route, User, Via string
			Status                                   int
			Duration                                 *float64 `json:"duration_ms"`
		}
		check(t, json.Unmarshal([]byte(line), &l))
		if l.Msg != "request" || l.ID == "" || l.Duration == nil {
			t.Errorf("incomplete: %s", line)
		}
		got = append(got, strings.Join([]string{l.Level, l.Method, l.Route, http.StatusText(l.Status), l.User, l.Via}, "|"))
	}
	want := `INFO|GET|/runs/{id}|OK|ann|token:7
INFO|GET|/runs/{id}|OK|ann|token:7
INFO|POST|/runs|Created||
INFO|other||Method Not Allowed||
INFO|GET||Not Found||
WARN|GET|/denied|Forbidden||
ERROR|POST|/panic|Internal Server Error||
INFO|GET|/stream|OK||
INFO|GET|/socket|Switching Protocols||`
	if strings.Join(got, "\n") != want {
		t.Errorf("log:\n%s\nwant:\n%s", strings.Join(got, "\n"), want)
	}
	metrics := scrape(m)
	golden(t, "requests.txt", lines(metrics, "rein_http_requests_total{")+"\n"+lines(metrics, "rein_http_request_duration_seconds_count")+"\n"+lines(metrics, "in_flight")+"\n")
	if strings.Contains(out.buf.String()+metrics, secret) {
		t.Error("a secret of a path, query, header or body is told")
	}
}

// The ID that a sender brings is kept if it looks like one.
func TestRequestIDs(t *testing.T) {
	handler := telemetry.Requests(site(), slog.New(slog.DiscardHandler), nil)
	for sent, keep := range map[string]bool{"abcd-1234": true, "": false, "short": false, "a b c d e f g": false, strings.Repeat("a", 65): false, `"},"x":"`: false} {
		w, r := httptest.NewRecorder(), httptest.NewRequest("GET", "/runs/r1", nil)
		r.Header.Set("X-Request-Id", sent)
		handler.ServeHTTP(w, r)
		id := w.Header().Get("X-Request-Id")
		if (id == sent) != keep || id == "" || w.Body.String() != id {
			t.Errorf("%q became %q, and the handler saw %q", sent, id, w.Body)
		}
	}
	telemetry.Caller(context.Background(), "ann", "") // outside of a request it is nothing
}

// Routes are bounded like every label.
func TestRoutesAreBounded(t *testing.T) {
	m := telemetry.NewMetrics(telemetry.MetricsOptions{})
	handler := m.HTTP(http.NotFoundHandler(), func(r *http.Request) string { return r.URL.Path })
	for i := range 3 * telemetry.MaxNames {
		handler.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/"+strings.Repeat("a", i), nil))
	}
	if n := strings.Count(scrape(m), "\nrein_http_requests_total{"); n != telemetry.MaxNames+1 {
		t.Errorf("%d series, want %d", n, telemetry.MaxNames+1)
	}
}

// The log of a server redacts every text.
//
// Attack: 65
func TestLogIsRedacted(t *testing.T) {
	var out bytes.Buffer
	log := telemetry.NewLog(&out, slog.LevelInfo, redact)
	log.Debug("not told")
	log.With("a", secret).WithGroup("g").Warn("key "+secret, "err", io.ErrUnexpectedEOF, "text", "x"+secret, "any", []string{secret}, "n", 7)
	if strings.Contains(out.String(), secret) || strings.Contains(out.String(), "not told") {
		t.Errorf("the log has %s", &out)
	}
	line, _ := bufio.NewReader(&out).ReadString('\n')
	for _, want := range []string{`"level":"WARN"`, `"msg":"key [redacted]"`, `"a":"[redacted]"`, `"g":{"err":"unexpected EOF","text":"x[redacted]","any":"[[redacted]]","n":7}`} {
		if !strings.Contains(line, want) {
			t.Errorf("no %s in %s", want, line)
		}
	}
}
