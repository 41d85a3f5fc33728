package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/server"
	"rein/server/port"
)

// TestHostileRequests sends what no client should, over the socket. Every answer is a problem with a
// status, a code, a detail that names the thing and a hint.
func TestHostileRequests(t *testing.T) {
	r := newRig(t)
	r.start("r", task("ask", ""))
	follow(t, r.Client, "r", followAll).untilKind("r", rein.RunParked)
	long := strings.Repeat("x", 1000)
	for _, c := range []struct {
		request string // method and path
		body    string
		status  int
		code    rein.Code
		says    string
	}{
		{"GET /", "", 404, rein.CodeNotFound, "/v1"},
		{"GET /v1", "", 404, rein.CodeNotFound, "/v1"},
		{"GET /v1/", "", 404, rein.CodeNotFound, "/v1"},
		{"GET /v2/runs", "", 404, rein.CodeNotFound, "/v1"},
		{"GET /v1/runs/", "", 404, rein.CodeNotFound, "/v1"},
		{"GET /v1//runs", "", 404, rein.CodeNotFound, "/v1"},
		{"GET /v1/runs/../health", "", 404, rein.CodeNotFound, "/v1"},
		{"GET /v1/runs/r/nothing", "", 404, rein.CodeNotFound, "/v1"},
		{"GET /" + long, "", 404, rein.CodeNotFound, "/v1"},
		{"DELETE /v1/runs/r", "", 405, rein.CodeInvalid, "GET"},
		{"PUT /v1/runs", "", 405, rein.CodeInvalid, "GET, POST"},
		{"GET /v1/commands", "", 405, rein.CodeInvalid, "POST"},
		{"BREW /v1/health", "", 405, rein.CodeInvalid, "GET"},

		{"GET /v1/health?x=1", "", 400, rein.CodeInvalid, "has no parameters"},
		{"GET /v1/runs?sesion=1", "", 400, rein.CodeInvalid, `did you mean "session"`},
		{"GET /v1/runs?limit=1&limit=2", "", 400, rein.CodeInvalid, "2 times"},
		{"GET /v1/runs?limit=0", "", 400, rein.CodeInvalid, "from 1 to 1000"},
		{"GET /v1/runs?limit=9999999999999999999999", "", 400, rein.CodeInvalid, "from 1 to 1000"},
		{"GET /v1/runs?limit=" + long, "", 400, rein.CodeInvalid, "from 1 to 1000"},
		{"GET /v1/runs?status=runing", "", 400, rein.CodeInvalid, `did you mean "running"`},
		{"GET /v1/runs?roots=maybe", "", 400, rein.CodeInvalid, "1 or 0"},
		{"GET /v1/runs?tree=none", "", 404, rein.CodeNotFound, "none"},
		{"GET /v1/runs?tree=%2e%2e", "", 400, rein.CodeInvalid, "run ID"},
		{"GET /v1/runs?after=none", "", 404, rein.CodeNotFound, "none"},
		{"GET /v1/runs?a;b=%zz", "", 400, rein.CodeInvalid, "parameters"},
		{"POST /v1/runs?tree=r", `{}`, 400, rein.CodeInvalid, "1 or 0"},
		{"POST /v1/commands?tree=1", `{}`, 400, rein.CodeInvalid, "has no parameters"},
		{"GET /v1/runs/none", "", 404, rein.CodeNotFound, "none"},
		{"GET /v1/runs/a%2fb", "", 400, rein.CodeInvalid, "run ID"},
		{"GET /v1/runs/a%00b", "", 400, rein.CodeInvalid, "run ID"},
		{"GET /v1/runs/%ff", "", 400, rein.CodeInvalid, "run ID"},
		{"GET /v1/runs/" + long, "", 400, rein.CodeInvalid, "run ID"},
		{"GET /v1/runs/none/tree", "", 404, rein.CodeNotFound, "none"},
		{"GET /v1/runs/none/events", "", 404, rein.CodeNotFound, "none"},
		{"GET /v1/runs/r/events?after=99", "", 400, rein.CodeInvalid, "after the end"},
		{"GET /v1/runs/r/events?after=-1", "", 400, rein.CodeInvalid, "cursor"},
		{"GET /v1/runs/r/events?after=1,1=1", "", 400, rein.CodeInvalid, "whole tree"},
		{"GET /v1/runs/r/events?after=1,1=1&tree=1", "", 400, rein.CodeInvalid, "not below"},
		{"GET /v1/runs/r/events?tree=x", "", 400, rein.CodeInvalid, "1 or 0"},
		{"POST /v1/runs/none/resume", "", 404, rein.CodeNotFound, "none"},
		{"GET /v1/asks?state=open", "", 400, rein.CodeInvalid, "pending"},
		{"GET /v1/asks?tree=none", "", 404, rein.CodeNotFound, "none"},
		{"GET /v1/asks/none", "", 400, rein.CodeInvalid, "colon"},
		{"GET /v1/asks/r:9.ask", "", 404, rein.CodeNotFound, "r:9.ask"},

		{"POST /v1/runs", ``, 400, rein.CodeInvalid, "empty"},
		{"POST /v1/runs", `[]`, 400, rein.CodeInvalid, "object"},
		{"POST /v1/runs", `null`, 400, rein.CodeInvalid, "object"},
		{"POST /v1/runs", `{"task":{}} {}`, 400, rein.CodeInvalid, "byte 13"},
		{"POST /v1/runs", `{"task":`, 400, rein.CodeInvalid, "byte 8"},
		{"POST /v1/runs", strings.Repeat(`[`, 20_000), 400, rein.CodeInvalid, "depth"},
		{"POST /v1/runs", `{"task":{"flow":"chat","mesages":[]}}`, 400, rein.CodeInvalid, `"task.mesages" does not exist`},
		{"POST /v1/runs", `{"task":{"flow":"chat","messages":[{"rol":"user"}]}}`, 400, rein.CodeInvalid, `did you mean "role"`},
		{"POST /v1/runs", `{"Task":{}}`, 400, rein.CodeInvalid, `did you mean "task"`},
		{"POST /v1/runs", `{"` + long + `":1}`, 400, rein.CodeInvalid, "does not exist"},
		{"POST /v1/runs", `{"id":7}`, 400, rein.CodeInvalid, `field "id" is a number; it must be a string`},
		{"POST /v1/runs", `{"task":{"budget":{"rounds":"many"}}}`, 400, rein.CodeInvalid, "it must be a number"},
		{"POST /v1/runs", `{"task":{"messages":{}}}`, 400, rein.CodeInvalid, "it must be a list"},
		{"POST /v1/runs", `{"id":"../r","task":{"flow":"chat"}}`, 400, rein.CodeInvalid, "run ID"},
		{"POST /v1/runs", `{"id":"r.1","task":{"flow":"chat"}}`, 400, rein.CodeInvalid, "child"},
		{"POST /v1/runs", `{"task":{"flow":"chit"}}`, 400, rein.CodeInvalid, "chat"},
		{"POST /v1/runs", `{"id":"r","task":{"flow":"chat"}}`, 409, rein.CodeConflict, "r"},
		{"POST /v1/runs", `{"task":{"flow":"chat","user":"ann"}}`, 403, rein.CodeForbidden, "ann"},
		{"POST /v1/runs", `{"task":{"flow":"chat","household":"elsewhere"}}`, 403, rein.CodeForbidden, "elsewhere"},
		{"POST /v1/runs", `{"id":"` + strings.Repeat("x", api.MaxRun) + `"}`, 413, rein.CodeInvalid, "8388608"},

		{"POST /v1/commands", `{"kind":"stop"}`, 400, rein.CodeInvalid, "run ID is empty"},
		{"POST /v1/commands", `{"kind":"stop","run":"none"}`, 404, rein.CodeNotFound, "none"},
		{"POST /v1/commands", `{"kind":"expire","run":"r"}`, 400, rein.CodeInvalid, "expire"},
		{"POST /v1/commands", `{"kind":"child","run":"r","child":"r.1"}`, 400, rein.CodeInvalid, "child"},
		{"POST /v1/commands", `{"kind":"stop","run":"r","cause":"r:1"}`, 400, rein.CodeInvalid, "cause"},
		{"POST /v1/commands", `{"kind":"explode","run":"r"}`, 400, rein.CodeInvalid, "explode"},
		{"POST /v1/commands", `{"kind":"message","run":"r"}`, 400, rein.CodeInvalid, "text"},
		{"POST /v1/commands", `{"kind":"stop","run":"r","ask":"r:1.ask"}`, 400, rein.CodeInvalid, "ask"},
		{"POST /v1/commands", `{"kind":"answer","run":"r"}`, 400, rein.CodeInvalid, "ID of an ask"},
		{"POST /v1/commands", `{"kind":"answer","ask":"r:9.ask"}`, 404, rein.CodeNotFound, "r:9.ask"},
		{"POST /v1/commands", `{"kind":"answer","ask":"r:1.ask","run":"s"}`, 400, rein.CodeInvalid, "belongs to run r"},
		{"POST /v1/commands", `{"kind":"answer","ask":"r:1.ask","answer":{"state":"approved"}}`, 400, rein.CodeInvalid, "question"},
		{"POST /v1/commands", `{"kind":"message","run":"r","txt":"hello"}`, 400, rein.CodeInvalid, `did you mean "text"`},
		{"POST /v1/commands", `{"kind":"answer","ask":"r:1.ask","answer":{"sate":"approved"}}`, 400, rein.CodeInvalid, `"answer.sate"`},
	} {
		method, target, _ := strings.Cut(c.request, " ")
		got := r.raw(method, target, c.body, nil)
		name := c.request
		if len(name) > 100 {
			name = name[:100]
		}
		if got.Status != c.status || got.Code != c.code || !strings.Contains(got.Detail, c.says) {
			t.Errorf("%s %.60s: %d %s %.300q, want %d %s with %q", name, c.body, got.Status, got.Code, got.Detail, c.status, c.code, c.says)
		}
		if got.Hint == "" || got.Title == "" || got.Type == "" || len(got.Detail) > 1000 {
			t.Errorf("%s: the problem is %+v", name, got)
		}
	}
	for header, status := range map[string]int{"Content-Type: text/plain": 415, "Content-Type: ": 415, "X-User: nobody": 403} {
		if got := r.raw("POST", "/v1/commands", `{}`, strings.SplitN(header, ": ", 2)); got.Status != status {
			t.Errorf("%s: %+v", header, got)
		}
	}
	if got := r.raw("GET", "/v1/runs/r/events", "", []string{"Last-Event-ID", "x"}); got.Status != 400 {
		t.Errorf("a bad Last-Event-ID: %+v", got)
	}
	if info, err := r.Client.Run(t.Context(), "r"); err != nil || info.Status != rein.StatusWaiting {
		t.Errorf("after all that the run is %+v, %v", info, err)
	}
}

// raw sends a request as it is, over the socket, and returns the problem it is answered with.
func (r *rig) raw(method, target, body string, header []string) (p api.Problem) {
	r.Helper()
	transport := &http.Transport{DisableKeepAlives: true, DialContext: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", r.socket)
	}}
	ctx, cancel := context.WithTimeout(r.Context(), patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, method, "http://rein/", strings.NewReader(body))
	check(r, err)
	request.URL.Opaque = target
	request.Header.Set("Content-Type", "application/json")
	if len(header) == 2 {
		request.Header.Set(header[0], header[1])
		if header[0] == "Last-Event-ID" {
			request.Header.Set("Accept", "text/html, text/event-stream;q=0.9")
		}
	}
	answer, err := transport.RoundTrip(request)
	check(r, err)
	defer answer.Body.Close()
	data, err := io.ReadAll(answer.Body)
	check(r, err)
	if answer.Header.Get("Content-Type") != api.ProblemType || json.Unmarshal(data, &p) != nil || p.Status != answer.StatusCode {
		r.Errorf("%s %.60s is answered with %d %s: %.300s", method, target, answer.StatusCode, answer.Header.Get("Content-Type"), data)
	}
	return p
}

// panicky is an engine with a bug.
type panicky struct{ port.Commander }

func (panicky) Start(context.Context, rein.RunID, rein.Task) (rein.RunInfo, error) {
	panic("the secret of the stack")
}

// TestPanic answers with a problem that tells nothing; the log has it all.
func TestPanic(t *testing.T) {
	r := newRig(t)
	var log bytes.Buffer
	h := server.New(server.Options{
		Engine: panicky{}, Store: r.store, Feed: r.feed, Who: who, Health: func() api.Health { panic(http.ErrAbortHandler) },
		Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	w := httptest.NewRecorder()
	request := httptest.NewRequest("POST", "/v1/runs", strings.NewReader(`{"task":{"flow":"chat"}}`))
	request.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(w, request)
	if w.Code != 500 || strings.Contains(w.Body.String(), "secret") || strings.Contains(w.Body.String(), ".go") || !strings.Contains(w.Body.String(), `"code":"internal"`) {
		t.Errorf("answer is %d %s", w.Code, w.Body)
	}
	if !strings.Contains(log.String(), "the secret of the stack") || !strings.Contains(log.String(), "hostile_test.go") {
		t.Errorf("the log is %s", log.String())
	}
	defer func() {
		if p := recover(); p != http.ErrAbortHandler {
			t.Errorf("panicked with %v", p)
		}
	}()
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/v1/health", nil))
	t.Error("an aborted handler must abort")
}

// TestNobody lets nobody in if it is not said who they are.
func TestNobody(t *testing.T) {
	r := newRig(t)
	h := server.New(server.Options{Engine: r.engine, Store: r.store, Feed: r.feed, Health: func() api.Health { return api.Health{} }})
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest("GET", "/v1/health", nil))
	if w.Code != 403 {
		t.Errorf("answer is %d %s", w.Code, w.Body)
	}
}
