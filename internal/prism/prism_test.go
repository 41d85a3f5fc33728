package prism

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/internal/labs"
	"rein/server"
	"rein/server/openapi"
)

// TestBehindPrism uses the API through the proxy as people do, then asks once for each operation that
// was left out, with the document's own example.
func TestBehindPrism(t *testing.T) {
	labs.Only(t)
	address, token, asked := serve(t)
	document, err := server.OpenAPI().JSON()
	check(t, err)
	way := proxy(t, document, address, token, func(found string) { t.Errorf("Prism complains: %s", found) })
	c := client.Handler(way)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	converse(ctx, t, c)
	mistakes(ctx, t, c)
	look(ctx, t, c)
	manage(ctx, t, way)
	sweep(ctx, t, way, asked)
}

// TestPrismComplains gives Prism a document that is wrong about the server: so we know that it looks.
func TestPrismComplains(t *testing.T) {
	labs.Only(t)
	address, token, _ := serve(t)
	document, err := server.OpenAPI().JSON()
	check(t, err)
	var found []string
	wrong := bytes.Replace(document, []byte(`"version": {`), []byte(`"vrsion": {`), 1)
	wrong = bytes.ReplaceAll(wrong, []byte(`"version",`), []byte(`"vrsion",`))
	way := proxy(t, wrong, address, token, func(complaint string) { found = append(found, complaint) })
	get := func(target string) {
		way.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(t.Context(), "GET", target, nil))
	}
	get("/v1/health")
	get("/v1/runs?limit=0")
	get("/v1/nothing")
	if len(found) != 3 || !strings.Contains(found[0], "vrsion") || !strings.Contains(found[1], "limit") {
		t.Errorf("Prism complains of %q", found)
	}
}

// converse starts runs, follows them and answers what they ask.
func converse(ctx context.Context, t *testing.T, c *client.Client) {
	t.Helper()
	say := func(flow, text string) rein.Task {
		return rein.Task{Flow: flow, Messages: []rein.Message{{Role: rein.User, Text: text}}}
	}
	for range 2 { // the second time it is there
		run, err := c.Start(ctx, "chat", say("chat", "hello"))
		check(t, err)
		if run.ID != "chat" {
			t.Errorf("the run is %+v", run)
		}
	}
	end(ctx, t, c, "chat")
	_, err := c.Start(ctx, "asks", say("ask", ""))
	check(t, err)
	ask := waiting(ctx, t, c, "asks")
	_, err = c.Tree(ctx, "asks")
	check(t, err)
	_, err = c.Ask(ctx, ask.ID)
	check(t, err)
	_, err = c.Command(ctx, rein.Command{Kind: rein.CommandComment, Run: "asks", Text: "soon"})
	check(t, err)
	_, err = c.Answer(ctx, ask.ID, api.Answer{Answer: rein.Answer{State: rein.AskAnswered, Text: "blue", Shown: ask.Shown}})
	check(t, err)
	end(ctx, t, c, "asks")
	_, err = c.Start(ctx, "stops", say("ask", ""))
	check(t, err)
	waiting(ctx, t, c, "stops")
	_, err = c.Command(ctx, rein.Command{Kind: rein.CommandStop, Run: "stops", Key: "k"})
	check(t, err)
	end(ctx, t, c, "stops")
	_, err = c.Say(ctx, "talk", api.NewMessage{Text: "hello", Task: rein.Task{Flow: "chat"}})
	check(t, err)
}

// end follows a run to its end.
func end(ctx context.Context, t *testing.T, c *client.Client, run rein.RunID) {
	t.Helper()
	lines := 0
	for _, err := range c.Follow(ctx, run, client.FollowOptions{}) {
		check(t, err)
		lines++
	}
	if info, err := c.Run(ctx, run); err != nil || !info.Status.Ended() || lines == 0 {
		t.Fatalf("after %d lines run %s is %+v, %v", lines, run, info, err)
	}
}

// waiting reads the log until the run asks something. Prism passes a stream on when it is over, so a
// run that waits is read by pages.
func waiting(ctx context.Context, t *testing.T, c *client.Client, run rein.RunID) rein.Ask {
	t.Helper()
	for after := ""; ; {
		page, err := c.Events(ctx, run, after, true)
		check(t, err)
		for _, line := range page.Lines {
			if line.Event.Kind == rein.RunParked {
				asks, err := c.Asks(ctx, api.AskQuery{Tree: run, State: rein.AskPending})
				if check(t, err); len(asks) != 1 {
					t.Fatalf("run %s asks %+v", run, asks)
				}
				return asks[0]
			}
		}
		after = page.Next
	}
}

// mistakes are answered with problems that the document describes.
func mistakes(ctx context.Context, t *testing.T, c *client.Client) {
	t.Helper()
	_, err := c.Run(ctx, "none")
	wantCode(t, err, rein.CodeNotFound)
	_, err = c.Run(ctx, "no/run")
	wantCode(t, err, rein.CodeInvalid)
	_, err = c.Start(ctx, "chat", rein.Task{Flow: "answer"})
	wantCode(t, err, rein.CodeConflict)
	_, err = c.Start(ctx, "new", rein.Task{Flow: "chit"})
	wantCode(t, err, rein.CodeInvalid)
	wantCode(t, c.Resume(ctx, "stops"), rein.CodeFinished)
	_, err = c.Command(ctx, rein.Command{Kind: rein.CommandAnswer, Ask: "asks:1.ask", Answer: rein.Answer{State: rein.AskAnswered, Text: "red"}})
	wantCode(t, err, rein.CodeClosed)
}

func wantCode(t *testing.T, err error, code rein.Code) {
	t.Helper()
	if rein.CodeOf(err) != code {
		t.Errorf("error %v has code %q, want %q", err, rein.CodeOf(err), code)
	}
}

// look reads the views.
func look(ctx context.Context, t *testing.T, c *client.Client) {
	t.Helper()
	page, err := c.Runs(ctx, api.RunQuery{Roots: true, Status: string(rein.Status(rein.EndDone)), Limit: 10})
	check(t, err)
	if len(page.Runs) < 2 {
		t.Errorf("done are %+v", page.Runs)
	}
	_, err = c.Sessions(ctx, "")
	check(t, err)
	_, err = c.Session(ctx, "talk")
	check(t, err)
	_, err = c.Usage(ctx, "", "")
	check(t, err)
	_, err = c.Audit(ctx, "", 0)
	check(t, err)
	_, err = c.Health(ctx)
	check(t, err)
}

// manage keeps files, users and tokens.
func manage(ctx context.Context, t *testing.T, way http.Handler) {
	t.Helper()
	for _, c := range []struct {
		request, media, body string
		status               int
	}{
		{"PUT /v1/sessions/talk/files/note.txt", "text/plain", "remember the milk", 200},
		{"GET /v1/sessions/talk/files", "", "", 200},
		{"GET /v1/sessions/talk/files/note.txt", "", "", 200},
		{"DELETE /v1/sessions/talk/files/note.txt", "", "", 204},
		{"GET /v1/sessions/talk/files/note.txt", "", "", 404},
		{"POST /v1/users", "application/json", `{"name":"ann","role":"member"}`, 201},
		{"PATCH /v1/users/ann", "application/json", `{"disabled":false}`, 200},
		{"GET /v1/users", "", "", 200},
		{"POST /v1/users/ann/link", "", "", 201},
		{"POST /v1/users/ann/logout", "", "", 204},
		{"POST /v1/tokens", "application/json", `{"user":"ann","label":"phone","scopes":["read"]}`, 201},
		{"GET /v1/tokens", "", "", 200},
		{"DELETE /v1/tokens/none", "", "", 404},
		{"GET /v1/changes", "", "", 200},
		{"GET /v1/me", "", "", 200},
		{"POST /v1/commands", "application/json", `{"kind":"answer","ask":"none:1.ask"}`, 404},
	} {
		method, target, _ := strings.Cut(c.request, " ")
		r := httptest.NewRequestWithContext(ctx, method, target, strings.NewReader(c.body))
		if c.media != "" {
			r.Header.Set("Content-Type", c.media)
		}
		w := httptest.NewRecorder()
		if way.ServeHTTP(w, r); w.Code != c.status {
			t.Errorf("%s is answered with %d, want %d: %s", c.request, w.Code, c.status, w.Body)
		}
	}
}

// absent are the operations of parts that this server does not have: it says so as the document describes it.
var absent = regexp.MustCompile(`^/v1/(presets|secrets|secret-key|trust|mcp|hooks|push|channels|messages/preferences|workspaces/[^/]+/(trust|commands))`)

// sweep asks for every operation that was not reached yet.
func sweep(ctx context.Context, t *testing.T, way http.Handler, asked *reached) {
	t.Helper()
	d := server.OpenAPI()
	for _, tag := range d.Tags {
		for _, at := range d.Of(tag.Name) {
			asked.Lock()
			known := asked.patterns[at.Method+" "+at.Path]
			asked.Unlock()
			if known {
				continue
			}
			w := httptest.NewRecorder()
			way.ServeHTTP(w, example(ctx, d, at))
			if w.Code >= 500 && !(w.Code == http.StatusServiceUnavailable && absent.MatchString(at.Path)) {
				t.Errorf("%s %s: %d %s", at.Method, at.Path, w.Code, w.Body)
			}
			asked.Lock()
			if !asked.patterns[at.Method+" "+at.Path] {
				t.Errorf("%s %s did not come through: %d %s", at.Method, at.Path, w.Code, w.Body)
			}
			asked.Unlock()
		}
	}
}

// example is the request that the document shows for an operation.
func example(ctx context.Context, d openapi.Document, at openapi.Place) *http.Request {
	target, body, media := at.Path, "", ""
	for _, p := range at.Parameters {
		if p.In == "path" {
			target = strings.ReplaceAll(target, "{"+p.Name+"}", "none")
		}
	}
	if at.Body != nil {
		for media = range at.Body.Content {
			body = string(d.Example(at.Body.Content[media].Schema))
		}
	}
	r := httptest.NewRequestWithContext(ctx, at.Method, target, strings.NewReader(body))
	if media != "" {
		r.Header.Set("Content-Type", strings.ReplaceAll(media, "*/*", "application/octet-stream"))
	}
	return r
}
