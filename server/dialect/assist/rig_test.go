package assist_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/engine"
	"rein/flow"
	"rein/follow/keeper"
	rigs "rein/internal/rig"
	"rein/server"
	"rein/server/dialect/assist"
	"rein/tool/session"
)

// patience is never waited for unless something is wrong.
const patience = 30 * time.Second

// A rig is a whole server with the dialect: store, engine, feed and HTTP.
type rig struct{ *rigs.Rig }

func newRig(t *testing.T, model rein.Model, tools map[string]rein.Tool, deadline time.Duration) *rig {
	t.Helper()
	r := &rig{rigs.Open(t, rigs.Options{})}
	var names []string
	all := map[string]rein.Tool{}
	for name, tool := range tools {
		all[name] = tool
		if !tool.Internal {
			names = append(names, name)
		}
	}
	for _, tool := range session.Tools(r.Store) {
		all[tool.Name] = tool
	}
	r.Begin(engine.Options{Flows: flow.All(), Grace: engine.NoGrace, DrainGrace: engine.NoGrace, Worker: rigs.Worker(model, all)})
	chats := keeper.NewNames()
	dialect := assist.New(assist.Options{
		Engine: r.Engine, Store: r.Store, Feed: r.Feed, Heartbeat: 20 * time.Millisecond, Deadline: deadline,
		SessionFor: func(ctx context.Context, who rein.Identity) (string, error) {
			return chats.SessionFor(ctx, r.Store, who.Household, who.User, time.Now(), 0)
		},
		Task: func(context.Context, rein.Identity, string) (rein.Task, error) { return rein.Task{Tools: names}, nil },
	})
	r.Listen(server.New(server.Options{
		Engine: r.Engine, Store: r.Store, Feed: r.Feed, Who: who, Health: func() api.Health { return api.Health{} },
		Mounts: []server.Mount{
			{Pattern: "/chat", Needs: rein.ScopeRead, Handler: dialect},
			{Pattern: "/chat/", Needs: rein.ScopeRead, Handler: dialect},
		},
	}))
	return r
}

// scripted is a rig whose model plays a script.
func scripted(t *testing.T, text string, tools map[string]rein.Tool) *rig {
	t.Helper()
	return newRig(t, rigs.Script(t, text), tools, patience)
}

// who lets a test be someone else: ann by default.
func who(r *http.Request) (rein.Identity, error) {
	id := rein.Identity{Household: "home", User: r.Header.Get("X-User"), Role: rein.Member, Scopes: rein.Scopes(), Via: "test"}
	if via := r.Header.Get("X-Via"); via != "" {
		id.Via = via
	}
	switch id.User {
	case "":
		id.User = "ann"
	case "nobody":
		return rein.Identity{}, rein.Errorf(rein.CodeForbidden, "nobody may do nothing")
	case "stranger":
		id.Household, id.User, id.Role = "elsewhere", "ann", rein.Owner
	case "owner":
		id.Role = rein.Owner
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

// request sends a request; its answer must be closed.
func (r *rig) request(ctx context.Context, method, path, body string, headers ...string) *http.Response {
	r.Helper()
	req, err := http.NewRequestWithContext(ctx, method, r.Web.URL+path, strings.NewReader(body))
	check(r, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	check(r, err)
	return res
}

// send sends a request and returns its status and JSON.
func (r *rig) send(method, path, body string, headers ...string) (int, map[string]any) {
	r.Helper()
	res := r.request(context.Background(), method, path, body, headers...)
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	check(r, err)
	var value map[string]any
	if json.Unmarshal(data, &value) != nil {
		r.Fatalf("%s %s: %s is no JSON object", method, path, data)
	}
	return res.StatusCode, value
}

func message(text string) string {
	data, _ := json.Marshal(assist.Request{Message: text})
	return string(data)
}

// chat sends a message and returns the reply.
func (r *rig) chat(text string, headers ...string) map[string]any {
	r.Helper()
	status, reply := r.send("POST", "/chat", message(text), headers...)
	if status != http.StatusOK {
		r.Fatalf("%q is answered with %d %v", text, status, reply)
	}
	return reply
}

// stream sends a message and hands over the chunks as they come.
func (r *rig) stream(ctx context.Context, text string, headers ...string) <-chan assist.Chunk {
	r.Helper()
	res := r.request(ctx, "POST", "/chat/stream", message(text), headers...)
	if res.StatusCode != http.StatusOK {
		r.Fatalf("%q is answered with %d", text, res.StatusCode)
	}
	chunks := make(chan assist.Chunk)
	go func() {
		defer close(chunks)
		defer res.Body.Close()
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			var c assist.Chunk
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok && json.Unmarshal([]byte(data), &c) == nil {
				select {
				case chunks <- c:
				case <-ctx.Done():
					return
				}
			}
		}
	}()
	return chunks
}

// streamed sends a message and returns all chunks.
func (r *rig) streamed(text string, headers ...string) (all []assist.Chunk) {
	r.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for c := range r.stream(ctx, text, headers...) {
		all = append(all, c)
	}
	return all
}

// action returns the ID of the only action of a reply.
func (r *rig) action(reply map[string]any) string {
	r.Helper()
	actions, _ := reply["actions"].([]any)
	if len(actions) != 1 {
		r.Fatalf("the actions of %v are not one", reply)
	}
	return actions[0].(map[string]any)["id"].(string)
}
