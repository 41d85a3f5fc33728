package explore_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/engine"
	"rein/flow"
	rigs "rein/internal/rig"
	"rein/server"
	"rein/server/dialect/explore"
)

// patience is never waited for unless something is wrong.
const patience = 30 * time.Second

// readTimeout is how long a request may take to arrive. What follows may take longer.
const readTimeout = 300 * time.Millisecond

// A rig is a whole server with the dialect: store, engine, feed and HTTP.
type rig struct {
	*rigs.Rig
	handler http.Handler
}

// quiet are settings of a run that asks nobody beforehand and has no children.
const quiet = `{"clarify": false, "questions": 0, "child_questions": 0, "depth": 0}`

func newRig(t *testing.T, model rein.Model, tools map[string]rein.Tool, settings string) *rig {
	t.Helper()
	r := &rig{Rig: rigs.Open(t, rigs.Options{})}
	r.Begin(engine.Options{Flows: flow.All(), Grace: engine.NoGrace, DrainGrace: engine.NoGrace, Worker: rigs.Worker(model, tools)})
	dialect := explore.New(explore.Options{
		Engine: r.Engine, Store: r.Store, Feed: r.Feed, Heartbeat: 20 * time.Millisecond, Origins: []string{"https://app.example.org"},
		Task: func(_ context.Context, _ rein.Identity, flow string) (rein.Task, error) {
			task := rein.Task{Settings: json.RawMessage(settings), Language: "en"}
			for name := range tools {
				task.Tools = append(task.Tools, name)
			}
			return task, nil
		},
	})
	r.handler = server.New(server.Options{
		Engine: r.Engine, Store: r.Store, Feed: r.Feed, Who: who,
		Health: func() api.Health { return api.Health{} },
		Mounts: []server.Mount{{Pattern: "/agent/", Needs: rein.ScopeRead, Handler: dialect}},
	})
	r.Listen(r.handler, func(web *http.Server) { web.ReadTimeout = readTimeout })
	return r
}

// scripted is a rig whose model plays a script.
func scripted(t *testing.T, text string, tools map[string]rein.Tool, settings string) *rig {
	t.Helper()
	return newRig(t, rigs.Script(t, text), tools, settings)
}

// who lets a test be someone else.
func who(r *http.Request) (rein.Identity, error) {
	id := rein.Identity{Household: "home", User: r.Header.Get("X-User"), Role: rein.Member, Scopes: rein.Scopes(), Via: "test"}
	switch id.User {
	case "":
		return rein.Host(), nil
	case "stranger":
		id.Household, id.User, id.Role = "elsewhere", "owner", rein.Owner
	case "viewer":
		id.Role = rein.Viewer
	}
	return id, nil
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// native is a client of the native API, as the owner.
func (r *rig) native() *client.Client { return client.Handler(r.handler) }

// send sends a request and returns its status and JSON.
func (r *rig) send(method, path, body string, headers ...string) (int, map[string]any) {
	r.Helper()
	req, err := http.NewRequest(method, r.Web.URL+path, strings.NewReader(body))
	check(r, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	check(r, err)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	check(r, err)
	var value map[string]any
	if len(data) > 0 && json.Unmarshal(data, &value) != nil {
		r.Fatalf("%s %s: %s is no JSON object", method, path, data)
	}
	return res.StatusCode, value
}

// A frame is one event of a stream: its id, if it has one, and its chunk.
type frame struct {
	id    string
	chunk explore.Chunk
}

// A stream reads what a client of the stream is sent.
type stream struct {
	*rig
	status int
	frames chan frame
	last   string // the newest id
	close  func()
}

// open opens a stream; last is the id to go on from.
func (r *rig) open(query url.Values, last string) *stream {
	r.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, r.Web.URL+"/agent/stream?"+query.Encode(), nil)
	check(r, err)
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	res, err := http.DefaultClient.Do(req)
	check(r, err)
	if res.StatusCode >= 400 {
		data, _ := io.ReadAll(res.Body)
		r.Fatalf("the stream from %q is refused with %d %s", last, res.StatusCode, data)
	}
	s := &stream{rig: r, status: res.StatusCode, frames: make(chan frame), last: last, close: cancel}
	r.Cleanup(cancel)
	go func() {
		defer close(s.frames)
		defer res.Body.Close()
		var f frame
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			switch name, value, _ := strings.Cut(lines.Text(), ": "); name {
			case "id":
				f.id = value
			case "data":
				if json.Unmarshal([]byte(value), &f.chunk) != nil {
					return
				}
			case "": // an event is whole
				select {
				case s.frames <- f:
				case <-ctx.Done():
					return
				}
				f = frame{}
			}
		}
	}()
	return s
}

func (r *rig) ask(prompt string) *stream { return r.open(url.Values{"prompt": {prompt}}, "") }

// next returns the next frame; not ok is the end.
func (s *stream) next() (frame, bool) {
	s.Helper()
	select {
	case f, ok := <-s.frames:
		if f.id != "" {
			s.last = f.id
		}
		if ok && f.chunk.Type == "" {
			return s.next() // it has an id only, or says that the connection is alive
		}
		return f, ok
	case <-time.After(patience):
		s.Fatal("no chunk came")
	}
	return frame{}, false
}

// until reads chunks up to one of the type.
func (s *stream) until(kind explore.ChunkType) explore.Chunk {
	s.Helper()
	for {
		f, ok := s.next()
		if !ok {
			s.Fatalf("no %s came", kind)
		}
		if f.chunk.Type == kind {
			return f.chunk
		}
	}
}

// status is what a chunk says of its agent; empty if it says nothing.
func status(c explore.Chunk) rein.AgentStatus {
	if c.State == nil {
		return ""
	}
	return c.State.Status
}
