package dialect_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/engine"
	"rein/flow"
	"rein/flow/kit"
	"rein/follow/keeper"
	rigs "rein/internal/rig"
	"rein/server"
	"rein/server/dialect/assist"
	"rein/server/dialect/explore"
	"rein/server/dialect/strict"
	"rein/store"
	"rein/tool/session"
)

// patience is never waited for unless something is wrong.
const patience = 30 * time.Second

// A rig is a whole server with the native API and all dialects, and a model that wants money spent.
type rig struct {
	*rigs.Rig
	model *spender
	chats atomic.Int64 // requests of /chat that the server has not finished

	mu   sync.Mutex
	paid []payment
}

// A payment is one call of the tool: what was really done.
type payment struct {
	run  rein.RunID
	step rein.StepKey
	n    int64
}

func newRig(t testing.TB) *rig {
	t.Helper()
	r := &rig{Rig: rigs.Open(t, rigs.Options{}), model: &spender{wanted: map[rein.RunID]int{}}}
	tools := map[string]rein.Tool{"pay": r.pay()}
	for _, tool := range session.Tools(r.Store) {
		tools[tool.Name] = tool
	}
	r.Begin(engine.Options{
		Flows: flow.All(), Grace: engine.NoGrace, DrainGrace: engine.NoGrace,
		Prepare: func(task rein.Task) (rein.Task, error) { return flow.Kinds().Prepare(task, kit.Ceiling{Rounds: 20}) },
		Worker:  rigs.Worker(r.model, tools),
	})
	r.Listen(server.New(server.Options{
		Engine: r.Engine, Store: r.Store, Feed: r.Feed, Who: who, Health: func() api.Health { return api.Health{} }, Mounts: r.mounts(),
	}))
	return r
}

func (r *rig) mounts() []server.Mount {
	names := keeper.NewNames()
	begin := func(_ context.Context, _ rein.Identity, flow string) (rein.Task, error) {
		task := rein.Task{Tools: []string{"pay"}, Language: "nl"}
		if flow == explore.Flow {
			task.Settings = json.RawMessage(`{"clarify": false, "questions": 0, "depth": 0}`)
		}
		return task, nil
	}
	chats := assist.New(assist.Options{
		Engine: r.Engine, Store: r.Store, Feed: r.Feed, Task: begin,
		SessionFor: func(ctx context.Context, who rein.Identity) (string, error) {
			return names.SessionFor(ctx, r.Store, who.Household, who.User, time.Now(), 0)
		},
	})
	return []server.Mount{
		{Pattern: "/ws", Needs: rein.ScopeRead, Handler: strict.New(strict.Options{Engine: r.Engine, Store: r.Store, Watcher: r.Store, Feed: r.Feed})},
		{Pattern: "/agent/", Needs: rein.ScopeRead, Handler: explore.New(explore.Options{Engine: r.Engine, Store: r.Store, Feed: r.Feed, Task: begin})},
		{Pattern: "/chat", Needs: rein.ScopeRead, Handler: r.counted(chats)},
		{Pattern: "/chat/", Needs: rein.ScopeRead, Handler: chats},
	}
}

// counted is a handler whose requests can be waited for.
func (r *rig) counted(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.chats.Add(1)
		defer r.chats.Add(-1)
		h.ServeHTTP(w, req)
	})
}

// untilHeardOut waits until the server has finished every request of /chat.
func (r *rig) untilHeardOut() {
	r.Helper()
	for deadline := time.Now().Add(patience); r.chats.Load() > 0; runtime.Gosched() {
		if time.Now().After(deadline) {
			r.Fatal("the server does not notice that nobody listens")
		}
	}
}

// who is always ann, with the credential that the request names.
func who(r *http.Request) (rein.Identity, error) {
	return rein.Identity{Household: "home", User: "ann", Role: rein.Member, Scopes: rein.Scopes(), Via: r.Header.Get("X-Via")}, nil
}

// pay is the effect that needs a person.
func (r *rig) pay() rein.Tool {
	return rein.Tool{
		Name: "pay", Description: "Pays.", Effect: rein.Unsafe, Approval: true,
		Schema: json.RawMessage(`{"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}`),
		Do: func(_ context.Context, inv rein.Invocation) (rein.Done, error) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.paid = append(r.paid, payment{inv.Run, inv.Step, amount(inv.Args)})
			return rein.Done{Text: "paid"}, nil
		},
	}
}

// amount reads the arguments of the tool.
func amount(args json.RawMessage) int64 {
	var a struct{ N int64 }
	if json.Unmarshal(args, &a) != nil {
		return -1
	}
	return a.N
}

// mostCalls is how often a run wants something paid.
const mostCalls = 3

// A spender wants something paid in every turn, always under the same call ID and never the same amount
// twice. While its gate is held it thinks.
type spender struct {
	gate   sync.RWMutex
	mu     sync.Mutex
	wanted map[rein.RunID]int
	next   int64
}

func (*spender) Info() rein.ModelInfo { return rein.ModelInfo{Name: "spender", MaxOutput: 1000} }

func (m *spender) Generate(_ context.Context, r rein.ModelRequest, _ func(string)) (rein.ModelReply, error) {
	m.gate.RLock()
	defer m.gate.RUnlock()
	m.mu.Lock()
	defer m.mu.Unlock()
	done := m.wanted[r.Run] >= mostCalls
	said := rein.Message{Role: rein.Assistant, Text: "Done."}
	switch {
	case r.Phase == "chat":
		said.Text = "[NEED_RESEARCH]"
	case r.Phase == "plan":
		said.Text = fmt.Sprintf(`{"goal": "pay", "plan_steps": [], "next_action": "tool", "tool_calls": [{"name": "pay", "arguments": {"n": %d}}]}`, m.want(r.Run))
	case r.Phase == "reflect" && done:
		said.Text = `{"reflection": "paid", "next_action": "respond", "response_outline": "paid"}`
	case r.Phase == "reflect":
		said.Text = fmt.Sprintf(`{"reflection": "more", "next_action": "tool", "tool_calls": [{"name": "pay", "arguments": {"n": %d}}]}`, m.want(r.Run))
	case r.Phase != "write" && !done:
		said = rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{{ID: "call_1", Name: "pay", Args: fmt.Appendf(nil, `{"n":%d}`, m.want(r.Run))}}}
	}
	return rein.ModelReply{Message: said, Usage: &rein.Usage{}}, nil
}

func (m *spender) want(run rein.RunID) int64 {
	m.wanted[run]++
	m.next++
	return m.next
}

// open returns what waits for a person.
func (r *rig) open() []rein.Ask {
	r.Helper()
	asks, err := r.Store.Asks(context.Background(), store.AskFilter{Pending: true})
	check(r, err)
	return asks
}

// quiet waits until nothing is driven or is to be.
func (r *rig) quiet() {
	r.Helper()
	for deadline := time.Now().Add(patience); ; runtime.Gosched() {
		due, _, err := r.Store.Due(context.Background(), time.Now(), 1)
		check(r, err)
		busy := len(due) > 0
		for info, err := range r.Store.Runs(context.Background(), store.Filter{Unfinished: true}) {
			check(r, err)
			busy = busy || info.Status == rein.StatusReady || info.Status == rein.StatusRunning
		}
		if !busy && r.Engine.Live() == 0 {
			return
		}
		if time.Now().After(deadline) {
			r.Fatal("runs do not come to rest")
		}
	}
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// post sends a body and returns the status and what came back.
func (r *rig) post(ctx context.Context, via, path, body string, headers ...string) (int, map[string]any) {
	r.Helper()
	method := http.MethodPost
	if body == "" {
		method = http.MethodGet
	}
	inTime, stop := context.WithTimeout(ctx, patience)
	defer stop()
	req, err := http.NewRequestWithContext(inTime, method, r.Web.URL+path, strings.NewReader(body))
	check(r, err)
	req.Header.Set("X-Via", via)
	req.Header.Set("Content-Type", "application/json")
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil && ctx.Err() != nil {
		return 0, nil
	}
	check(r, err)
	defer res.Body.Close()
	var value map[string]any
	_ = json.NewDecoder(res.Body).Decode(&value)
	return res.StatusCode, value
}
