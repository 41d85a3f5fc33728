package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"rein"
	"rein/tool/web"
)

// A service is a server that answers as one of the real ones does, and keeps what it was asked.
type service struct {
	*httptest.Server
	mu       sync.Mutex
	requests []request
	answer   func(w http.ResponseWriter, r *http.Request)
}

type request struct {
	method, path, body string
	query              url.Values
	header             http.Header
}

// serve starts a service that answers everything with a body.
func serve(t *testing.T, status int, body string, headers ...string) *service {
	return serveBy(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		for i := 0; i+1 < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	})
}

func serveBy(t *testing.T, answer func(http.ResponseWriter, *http.Request)) *service {
	t.Helper()
	s := &service{answer: answer}
	s.Server = httptest.NewServer(s)
	t.Cleanup(func() { s.CloseClientConnections(); s.Close() })
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	s.mu.Lock()
	s.requests = append(s.requests, request{r.Method, r.URL.Path, string(body), r.URL.Query(), r.Header})
	s.mu.Unlock()
	s.answer(w, r)
}

// last is the last request, and how many there were.
func (s *service) last() (request, int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.requests) == 0 {
		return request{}, 0
	}
	return s.requests[len(s.requests)-1], len(s.requests)
}

// key is one that everything must keep to itself.
const key = "SECRET-1234567890"

func keyed(kind, at, setting string) web.Service {
	return web.Service{Kind: kind, URL: at, Setting: setting, Key: func(context.Context, rein.Invocation) (string, error) { return key, nil }}
}

// call calls a tool.
func call(t *testing.T, s web.Settings, name, args string) (rein.Done, error) {
	t.Helper()
	return callWith(t, web.Options{Settings: func() web.Settings { return s }, Agent: "rein/test"}, name, args)
}

func callWith(t *testing.T, o web.Options, name, args string) (rein.Done, error) {
	t.Helper()
	tools, err := web.New(o).Tools()
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools {
		if tool.Name == name {
			done, err := tool.Do(t.Context(), rein.Invocation{Args: json.RawMessage(args)})
			if shown := fmt.Sprint(done.Text, string(done.Data), err); strings.Contains(shown, key) {
				t.Errorf("%s shows the key: %s", name, shown)
			}
			return done, err
		}
	}
	t.Fatalf("there is no tool %s", name)
	return rein.Done{}, nil
}

// has wants all of the parts in a text.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in:\n%s", part, text)
		}
	}
}

// fails wants an error with a code and these words.
func fails(t *testing.T, what string, err error, code rein.Code, words ...string) {
	t.Helper()
	if rein.CodeOf(err) != code {
		t.Errorf("%s: %v, code %q, want %q", what, err, rein.CodeOf(err), code)
		return
	}
	has(t, err.Error(), words...)
}
