package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rein"
	"rein/api"
	"rein/api/client"
)

// A postedStream is the answer to POST /v1/runs over real HTTP, read message by message.
type postedStream struct {
	*testing.T
	*http.Response
	lines *bufio.Reader
}

// postStream starts a run and asks for its stream.
func (r *rig) postStream(t *testing.T, query, body string, headers ...string) *postedStream {
	t.Helper()
	there := httptest.NewServer(r.handler)
	t.Cleanup(there.Close)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, there.URL+"/v1/runs"+query, strings.NewReader(body))
	check(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "text/event-stream")
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	check(t, err)
	t.Cleanup(func() { answer.Body.Close() })
	return &postedStream{t, answer, bufio.NewReader(answer.Body)}
}

// next returns the next message that is not a comment.
func (s *postedStream) next() (id, event string, data []byte) {
	s.Helper()
	for {
		line, err := s.lines.ReadString('\n')
		if err != nil {
			s.Fatalf("the stream ends: %v", err)
		}
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" && event != "":
			return id, event, data
		case strings.HasPrefix(line, "id: "):
			id = line[4:]
		case strings.HasPrefix(line, "event: "):
			event = line[7:]
		case strings.HasPrefix(line, "data: "):
			data = []byte(line[6:])
		}
	}
}

// TestStartStreams starts a run and reads its stream from the same answer, while the model still writes: the
// run, its events with their cursors, and its words. Where it is left, GET continues.
//
// Covers: LAW-6/server
func TestStartStreams(t *testing.T) {
	r := newRig(t)
	s := r.postStream(t, "", `{"id":"r","task":{"flow":"chat","messages":[{"role":"user","text":"wait"}]}}`)
	if s.StatusCode != http.StatusCreated || s.Header.Get("Location") != "/v1/runs/r" || s.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("answer %s with %v", s.Status, s.Header)
	}
	var started api.Started
	id, event, data := s.next()
	check(t, json.Unmarshal(data, &started))
	if id != "" || event != api.StreamStarted || started.ID != "r" || started.User != "owner" {
		t.Errorf("the first message is %q %q %s", id, event, data)
	}
	r.tell("Once ")
	cursor := ""
	for event = ""; event != api.StreamDelta; {
		id, event, data = s.next()
		if event == api.StreamEvent {
			cursor = id
		}
	}
	if cursor != "2" || !bytes.Contains(data, []byte(`"Once "`)) {
		t.Errorf("after the cursor %q comes %s", cursor, data)
	}
	s.Body.Close() // the run does not notice
	later := follow(t, r.Client, "r", client.FollowOptions{After: cursor})
	later.wantText(0, "Once ")
	r.tell("upon", "")
	lines := later.wantEnd()
	if last := lines[len(lines)-1]; last.Event.Kind != rein.RunCompleted || !bytes.Contains(last.Event.Data, []byte("Once upon")) {
		t.Errorf("the last line is %+v", last)
	}
}

// TestStartStreamsAgain repeats a start by its key and by its ID: the answer is the stream of the same run,
// from its beginning, also when the run has ended.
func TestStartStreamsAgain(t *testing.T) {
	r := newRig(t)
	for _, c := range []struct{ name, body, key string }{
		{"by key", `{"task":{"flow":"chat","messages":[{"role":"user","text":"hi"}]}}`, "monday"},
		{"by ID", `{"id":"named","task":{"flow":"chat","messages":[{"role":"user","text":"hi"}]}}`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var headers []string
			if c.key != "" {
				headers = []string{"Idempotency-Key", c.key}
			}
			first, again := r.postStream(t, "?tree=1", c.body, headers...), (*postedStream)(nil)
			one, err := io.ReadAll(first.lines)
			check(t, err)
			again = r.postStream(t, "?tree=1", c.body, headers...)
			two, err := io.ReadAll(again.lines)
			check(t, err)
			if first.StatusCode != http.StatusCreated || again.StatusCode != http.StatusOK || first.Header.Get("Location") != again.Header.Get("Location") {
				t.Errorf("%s %v, then %s %v", first.Status, first.Header, again.Status, again.Header)
			}
			events := func(stream []byte) string { // without deltas: they pass
				_, log, _ := strings.Cut(string(stream), "id: 1\n")
				for {
					before, delta, found := strings.Cut(log, "event: delta\n")
					if !found {
						return log
					}
					_, after, _ := strings.Cut(delta, "\n\n")
					log = before + after
				}
			}
			if events(one) != events(two) || !strings.HasSuffix(string(two), "event: end\ndata: {}\n\n") {
				t.Errorf("one\n%s\ntwo\n%s", one, two)
			}
		})
	}
}

// TestStartStreamRefused tries starts that are refused: each is answered by a problem, as without a stream,
// and starts nothing.
func TestStartStreamRefused(t *testing.T) {
	r := newRig(t)
	r.start("taken", task("chat", "hi"))
	for _, c := range []struct {
		name, query, body string
		headers           []string
		status            int
		code              rein.Code
	}{
		{"no flow", "", `{"id":"x","task":{"flow":"none"}}`, nil, 400, rein.CodeInvalid},
		{"another task", "", `{"id":"taken","task":{"flow":"chat","messages":[{"role":"user","text":"ho"}]}}`, nil, 409, rein.CodeConflict},
		{"another's run", "", `{"id":"taken","task":{"flow":"chat","messages":[{"role":"user","text":"hi"}]}}`, []string{"X-User", "ann"}, 409, rein.CodeConflict},
		{"nobody", "", `{"id":"x","task":{"flow":"chat"}}`, []string{"X-User", "nobody"}, 403, rein.CodeForbidden},
		{"half a body", "", `{"id":"x","task":`, nil, 400, rein.CodeInvalid},
		{"a strange parameter", "?after=1", `{"id":"x","task":{"flow":"chat"}}`, nil, 400, rein.CodeInvalid},
		{"a strange tree", "?tree=r", `{"id":"x","task":{"flow":"chat"}}`, nil, 400, rein.CodeInvalid},
	} {
		s := r.postStream(t, c.query, c.body, c.headers...)
		var p api.Problem
		if err := json.NewDecoder(s.lines).Decode(&p); err != nil || s.StatusCode != c.status || p.Code != c.code || s.Header.Get("Content-Type") != api.ProblemType || s.Header.Get("Location") != "" {
			t.Errorf("%s: %s %v: %+v, %v", c.name, s.Status, s.Header, p, err)
		}
	}
	_, err := r.Client.Run(t.Context(), "x")
	wantCode(t, "what was refused", err, rein.CodeNotFound)
}

// TestStartAndFollow uses the client: the model's words come with the answer to the start, and the log to
// its end.
func TestStartAndFollow(t *testing.T) {
	r := newRig(t)
	for name, c := range map[string]*client.Client{"socket": r.Client, "inside": client.Handler(r.handler)} {
		t.Run(name, func(t *testing.T) {
			id := rein.RunID("r-" + name)
			f := read(t, func(ctx context.Context) iter.Seq2[api.Line, error] {
				return c.StartAndFollow(ctx, id, task("chat", "wait"), client.FollowOptions{Tree: true, After: "7"})
			})
			f.untilKind(id, rein.StepStarted)
			r.tell("Once ")
			f.wantText(0, "Once ")
			r.tell("")
			lines := f.wantEnd()
			if last := lines[len(lines)-1]; last.Event.Kind != rein.RunCompleted {
				t.Errorf("the last line is %+v", last)
			}
		})
	}
}
