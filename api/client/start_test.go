package client_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"rein"
	"rein/api"
	"rein/api/client"
)

// A script answers the nth request with the nth function, and remembers the requests.
type script struct {
	answers []http.HandlerFunc
	seen    []string
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.seen = append(s.seen, r.Method+" "+r.URL.RequestURI())
	if n := len(s.seen); n <= len(s.answers) {
		s.answers[n-1](w, r)
		return
	}
	panic("no more")
}

// sends answers with a status, a type and a body; a stream that does not end breaks off.
func sends(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
		if kind == "text/event-stream" && !strings.Contains(body, "event: end\n") {
			panic("broken off")
		}
	}
}

// TestStartAndFollow starts a run and follows it with as few requests as the server and the network allow:
// nothing comes twice, and what has an answer is not started again.
func TestStartAndFollow(t *testing.T) {
	const started = "retry: 1000\n\nevent: started\ndata: {\"id\":\"r\",\"may_ask\":[]}\n\n"
	stream, whole := "text/event-stream", event(1, rein.RunStarted, "")+event(2, rein.RunCompleted, "")+end
	for name, c := range map[string]struct {
		answers []http.HandlerFunc
		flat    bool
		lines   string
		seen    string
		code    rein.Code
	}{
		"one request": {
			answers: []http.HandlerFunc{sends(201, stream, started+whole)}, lines: "1 2", seen: "POST /v1/runs?tree=1",
		},
		"without its children": {
			answers: []http.HandlerFunc{sends(201, stream, started+whole)}, flat: true, lines: "1 2", seen: "POST /v1/runs",
		},
		"cut off": {
			answers: []http.HandlerFunc{sends(201, stream, started+event(1, rein.RunStarted, "")), sends(200, stream, event(2, rein.RunCompleted, "")+end)},
			lines:   "1 2", seen: "POST /v1/runs?tree=1|GET /v1/runs/r/events?after=1&tree=1",
		},
		"cut off before the first line": {
			answers: []http.HandlerFunc{sends(201, stream, "retry: 1"), sends(200, stream, whole)},
			lines:   "1 2", seen: "POST /v1/runs?tree=1|GET /v1/runs/r/events?tree=1",
		},
		"an older server": {
			answers: []http.HandlerFunc{sends(201, "application/json", `{"id":"r"}`), sends(200, stream, whole)}, flat: true,
			lines: "1 2", seen: "POST /v1/runs|GET /v1/runs/r/events",
		},
		"an older server that knows no parameter": {
			answers: []http.HandlerFunc{sends(400, api.ProblemType, `{"code":"invalid","detail":"this request has no parameters"}`), sends(201, "application/json", `{"id":"r"}`), sends(200, stream, whole)},
			lines:   "1 2", seen: "POST /v1/runs?tree=1|POST /v1/runs|GET /v1/runs/r/events?tree=1",
		},
		"refused": {
			answers: []http.HandlerFunc{sends(409, api.ProblemType, `{"code":"conflict","detail":"another task"}`)},
			seen:    "POST /v1/runs?tree=1", code: rein.CodeConflict,
		},
		"refused for its task": {
			answers: []http.HandlerFunc{sends(400, api.ProblemType, `{"code":"invalid","detail":"no flow"}`), sends(400, api.ProblemType, `{"code":"invalid","detail":"no flow"}`)},
			seen:    "POST /v1/runs?tree=1|POST /v1/runs", code: rein.CodeInvalid,
		},
		"no answer": {seen: "POST /v1/runs?tree=1", code: rein.CodeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := &script{answers: c.answers}
				var lines []string
				var code rein.Code
				for line, err := range client.Handler(s).StartAndFollow(t.Context(), "r", rein.Task{Flow: "chat"}, client.FollowOptions{Tree: !c.flat, After: "9"}) {
					if err != nil {
						code = rein.CodeOf(err)
						continue
					}
					lines = append(lines, fmt.Sprint(line.Event.Seq))
				}
				if got := strings.Join(lines, " "); got != c.lines || strings.Join(s.seen, "|") != c.seen || code != c.code {
					t.Errorf("lines %q, code %q, requests %q", got, code, s.seen)
				}
			})
		})
	}
	for _, err := range client.Handler(&script{}).StartAndFollow(t.Context(), "", rein.Task{}, client.FollowOptions{}) {
		wantCode(t, "no ID", err, rein.CodeInvalid)
	}
}
