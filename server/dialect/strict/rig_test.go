package strict_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rein"
	"rein/engine"
	"rein/flow"
	"rein/flow/kit"
	"rein/household/shelf"
	rigs "rein/internal/rig"
	"rein/model/script"
	"rein/server/dialect/strict"
	"rein/server/port"
	"rein/store/sqlite"
	"rein/tool/basics"
	"rein/tool/session"
)

// patience is never waited for unless something is wrong.
const patience = 30 * time.Second

// A rig is a whole server with one address for sockets.
type rig struct {
	*rigs.Rig
	late  atomic.Int64 // how far the clock is ahead
	gates map[string]*gate

	mu     sync.Mutex
	log    []rein.Event
	grown  chan struct{} // closed when the log has grown
	closed chan struct{} // as strict.Options.Shutdown
}

// A gate holds a tool until it is opened.
type gate struct {
	entered, opened chan struct{}
}

// A stage is what a rig plays: a script of the model, and tools. Those that are held run until their
// gate is opened.
type stage struct {
	model   rein.Model
	tools   map[string]rein.Tool
	hold    []string
	grace   time.Duration // of a stop; zero is a moment
	options func(*strict.Options)
	flow    rein.FlowFunc // in place of chat; nil leaves that
}

func newRig(t *testing.T, s stage) *rig {
	t.Helper()
	r := &rig{grown: make(chan struct{}), closed: make(chan struct{}), gates: map[string]*gate{}}
	t.Cleanup(r.nothingLeft) // after the rig was left
	r.Rig = rigs.Open(t, rigs.Options{Store: sqlite.Options{OnCommit: r.note}})
	tools := r.tools(s)
	flows := flow.All()
	if s.flow != nil {
		flows["chat"] = rein.Flow{Do: s.flow}
	}
	r.Begin(engine.Options{
		Flows: flows, Now: r.now, Grace: engine.NoGrace, DrainGrace: engine.NoGrace, StopGrace: cmp.Or(s.grace, 20*time.Millisecond),
		Prepare: func(task rein.Task) (rein.Task, error) { return flow.Kinds().Prepare(task, kit.Ceiling{Rounds: 20}) },
		Worker:  rigs.Worker(s.model, tools),
	})
	var ids atomic.Int64
	o := strict.Options{
		Engine: r.Engine, Store: r.Store, Watcher: r.Store, Feed: r.Feed, Shutdown: r.closed, Shelf: &shelf.Shelf{Tables: r.Store},
		NewID: func(time.Time) rein.RunID { return rein.RunID(fmt.Sprintf("r%d", ids.Add(1))) },
	}
	if s.options != nil {
		s.options(&o)
	}
	r.Listen(identified(strict.New(o)))
	return r
}

// nothingLeft fails if a goroutine of a socket is left. They may take a moment to end.
func (r *rig) nothingLeft() {
	buffer := make([]byte, 4<<20)
	for deadline := time.Now().Add(patience); ; runtime.Gosched() {
		stacks := string(buffer[:runtime.Stack(buffer, true)])
		if !strings.Contains(stacks, "rein/server/dialect/strict.(") {
			return
		}
		if time.Now().After(deadline) {
			r.Fatalf("left running:\n%s", stacks)
		}
	}
}

func (r *rig) now() time.Time { return time.Now().Add(time.Duration(r.late.Load())) }

func (r *rig) tools(s stage) map[string]rein.Tool {
	tools := map[string]rein.Tool{}
	for name, tool := range s.tools {
		tools[name] = tool
	}
	for _, tool := range session.Tools(r.Store) {
		tools[tool.Name] = tool
	}
	asking, err := basics.RequestInput()
	check(r, err)
	tools[asking.Name] = asking
	for _, name := range s.hold {
		g := &gate{make(chan struct{}, 10), make(chan struct{})}
		tool := tools[name]
		do := tool.Do
		tool.Do = func(ctx context.Context, inv rein.Invocation) (rein.Done, error) {
			g.entered <- struct{}{}
			select {
			case <-g.opened:
				return do(ctx, inv)
			case <-ctx.Done():
				return rein.Done{}, ctx.Err()
			}
		}
		tools[name], r.gates[name] = tool, g
	}
	return tools
}

// identified lets a test be someone else, by the parameter user.
func identified(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who := rein.Host()
		switch name := r.URL.Query().Get("user"); name {
		case "":
		case "viewer":
			who = rein.Identity{Household: "home", User: name, Role: rein.Viewer, Scopes: rein.Scopes()}
		case "stranger":
			who = rein.Identity{Household: "elsewhere", User: "owner", Role: rein.Owner, Scopes: rein.Scopes()}
		case "nobody":
			who = rein.Identity{}
		default:
			who = rein.Identity{Household: "home", User: name, Role: rein.Member, Scopes: rein.Scopes()}
		}
		h.ServeHTTP(w, port.WithCaller(r, who))
	})
}

func (r *rig) note(events []rein.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = append(r.log, events...)
	close(r.grown)
	r.grown = make(chan struct{})
}

// until waits for an event of the run.
func (r *rig) until(run rein.RunID, kind rein.Kind) {
	r.Helper()
	for deadline := time.After(patience); ; {
		r.mu.Lock()
		grown := r.grown
		for _, e := range r.log {
			if e.Run == run && e.Kind == kind {
				r.mu.Unlock()
				return
			}
		}
		r.mu.Unlock()
		select {
		case <-grown:
		case <-deadline:
			r.Fatalf("no %s of %s came", kind, run)
		}
	}
}

// untilCount waits until there are so many events of a kind.
func (r *rig) untilCount(kind rein.Kind, n int) {
	r.Helper()
	for deadline := time.After(patience); ; {
		r.mu.Lock()
		grown := r.grown
		r.mu.Unlock()
		if r.count(kind) >= n {
			return
		}
		select {
		case <-grown:
		case <-deadline:
			r.Fatalf("%d %s, want %d", r.count(kind), kind, n)
		}
	}
}

// entered waits until a tool that is held has begun.
func (r *rig) entered(tool string) {
	r.Helper()
	select {
	case <-r.gates[tool].entered:
	case <-time.After(patience):
		r.Fatalf("%s does not begin", tool)
	}
}

// count says how many events of a kind all runs have.
func (r *rig) count(kind rein.Kind) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.log {
		if e.Kind == kind {
			n++
		}
	}
	return n
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func parseScript(t testing.TB, text string) *script.Model {
	t.Helper()
	m, err := script.Parse("model", []byte(text))
	check(t, err)
	return m
}

// A client is one socket, read only when the test asks for a message.
type client struct {
	testing.TB
	conn *websocket.Conn
	seen []strict.Message
}

func (r *rig) dial(params ...string) *client {
	r.Helper()
	c, _, err := r.tryDial(params...)
	check(r, err)
	return c
}

// watch opens a socket that watches a conversation in which nothing is under way.
func (r *rig) watch(conversation string, params ...string) *client {
	r.Helper()
	c := r.dial(append(params, "conversation_id", conversation)...)
	if m := c.next(); m.Type != "session_state" { // it watches by now
		r.Fatalf("it begins with %+v", m)
	}
	for c.seen[0].State == "idle" && c.seen[len(c.seen)-1].Type != "response_complete" {
		c.next()
	}
	c.fence()
	c.seen = nil
	return c
}

// tryDial opens a socket with parameters: name, value, name, value.
func (r *rig) tryDial(params ...string) (*client, *http.Response, error) {
	query := url.Values{}
	for i := 0; i+1 < len(params); i += 2 {
		query.Set(params[i], params[i+1])
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, response, err := websocket.Dial(ctx, strings.Replace(r.Web.URL, "http", "ws", 1)+"/ws?"+query.Encode(), nil)
	if err != nil {
		return nil, response, err
	}
	conn.SetReadLimit(16 << 20)
	r.Cleanup(func() { conn.CloseNow() })
	return &client{TB: r, conn: conn}, response, nil
}

func (c *client) send(frame string) {
	c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	check(c, c.conn.Write(ctx, websocket.MessageText, []byte(frame)))
}

func (c *client) next() strict.Message {
	c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	_, data, err := c.conn.Read(ctx)
	if err != nil {
		c.Fatalf("%v; so far:\n%s", err, told(c.seen))
	}
	var m strict.Message
	check(c, json.Unmarshal(data, &m))
	c.seen = append(c.seen, m)
	return m
}

// until reads up to a message of the type, or of the update type.
func (c *client) until(kind string) strict.Message {
	c.Helper()
	for {
		if m := c.next(); m.Type == kind || m.UpdateType == kind {
			return m
		}
	}
}

// ended waits until the server has closed the socket, and returns with what status.
func (c *client) ended() websocket.StatusCode {
	c.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		if _, _, err := c.conn.Read(ctx); err != nil {
			if ctx.Err() != nil {
				c.Fatal("the socket stays open")
			}
			return websocket.CloseStatus(err)
		}
	}
}

// fence makes sure that the socket has nothing more to say: the next message must be the answer to a
// type that does not exist.
func (c *client) fence() {
	c.Helper()
	c.send(`{"type": "fence"}`)
	if m := c.next(); m.Type != "error" || !strings.Contains(m.Message, `"fence"`) {
		c.Errorf("there is more: %+v", m)
	}
	c.seen = c.seen[:len(c.seen)-1]
}
