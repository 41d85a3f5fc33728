package main

import (
	"context"
	"maps"
	"net"
	"net/http"
	"sync"
	"time"

	"rein"
	"rein/dispatch"
	"rein/engine"
	"rein/server/port"
	"rein/store"
)

// A place is one that a run passes on its way to its first token.
type place struct{ key, name string }

// passed are the places of a run in process, in their order.
var passed = []place{
	{"began", ""},
	{"woken", "the task is checked and completed, and handed to a goroutine"},
	{"flow", "that begins to drive it and calls the flow"},
	{"write", "the flow asks for the model; its request is reserved and prepared"},
	{"durable", "the start and the reservation are one durable commit"},
	{"back", "the goroutine of the flow gets it"},
	{"call", "the call gets its context, its limits and a goroutine"},
	{"encoded", "the request is encoded"},
	{"sent", "and handed to its connection"},
	{"byte", "it is written, and the provider answers"},
	{"shown", "its answer is read and the delta shown"},
}

// passedServed are those of one through the API.
var passedServed = append(append([]place{
	{"posted", ""},
	{"entered", "the request is encoded, sent, received, and its sender looked up"},
	{"began", "the body is read and checked"},
}, passed[1:]...), place{"out", "the delta is handed to the stream"}, place{"got", "and read by the client"})

// passedRaw are those of the bare loop.
var passedRaw = []place{
	{"began", ""}, {"encoded", "the request is encoded"}, {"sent", "and handed to its connection"}, {"byte", "it is written, and the provider answers"}, {"shown", "its answer is read and the token shown"},
}

// marks remember when the run under way was first at a place.
type marks struct {
	mu sync.Mutex
	at map[string]time.Time
}

func (m *marks) hit(place string) {
	now := time.Now()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.at == nil {
		m.at = map[string]time.Time{}
	}
	if m.at[place].IsZero() {
		m.at[place] = now
	}
}

// take returns the times in ns since 1970, and forgets them.
func (m *marks) take() figures {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := figures{}
	for name, at := range m.at {
		f[name] = float64(at.UnixNano())
	}
	m.at = nil
	return f
}

func (m *marks) has(place string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return !m.at[place].IsZero()
}

// trace has the engine's parts mark their places.
func (m *marks) trace(o *engine.Options) {
	o.Store, o.Dispatch, o.Flows = markedStore{o.Store, m}, markedDispatch{o.Dispatch, m}, maps.Clone(o.Flows)
	for name, f := range o.Flows {
		do := f.Do
		f.Do = func(r rein.Run, t rein.Task) (rein.Outcome, error) {
			m.hit("flow")
			return do(r, t)
		}
		o.Flows[name] = f
	}
	for name, model := range o.Worker.Models {
		o.Worker.Models[name] = markedModel{model, m}
	}
	show := o.OnDelta
	o.OnDelta = func(d rein.Delta) {
		m.hit("shown")
		show(d)
	}
}

type markedStore struct {
	engine.Store
	marks *marks
}

func (s markedStore) Start(ctx context.Context, start store.Start) (rein.RunInfo, bool, error) {
	s.marks.hit("write")
	info, started, err := s.Store.Start(ctx, start)
	s.marks.hit("back")
	return info, started, err
}

type markedDispatch struct {
	dispatch.Dispatcher
	marks *marks
}

func (d markedDispatch) Wake(run rein.RunID) {
	d.marks.hit("woken")
	d.Dispatcher.Wake(run)
}

type markedModel struct {
	rein.Model
	marks *marks
}

func (m markedModel) Generate(ctx context.Context, r rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	m.marks.hit("call")
	return m.Model.Generate(ctx, r, show)
}

type markedEngine struct {
	port.Commander
	marks *marks
}

func (e markedEngine) Start(ctx context.Context, id rein.RunID, task rein.Task) (rein.RunInfo, error) {
	e.marks.hit("began")
	return e.Commander.Start(ctx, id, task)
}

// durable is for OnCommit.
func (m *marks) durable([]rein.Event) { m.hit("durable") }

// client returns one whose connections mark when a request leaves and its answer begins.
func (m *marks) client(like *http.Client) *http.Client {
	t := like.Transport.(*http.Transport).Clone()
	t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		return &markedConn{conn, m}, err
	}
	return &http.Client{Transport: markedTransport{t, m}}
}

type markedTransport struct {
	http.RoundTripper
	marks *marks
}

func (t markedTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	t.marks.hit("encoded")
	return t.RoundTripper.RoundTrip(r)
}

type markedConn struct {
	net.Conn
	marks *marks
}

func (c *markedConn) Write(p []byte) (int, error) {
	c.marks.hit("sent") // before: the answer may come before Write returns
	return c.Conn.Write(p)
}

func (c *markedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 && c.marks.has("sent") {
		c.marks.hit("byte")
	}
	return n, err
}

// A markedListener marks when the first bytes leave after a delta was shown.
type markedListener struct {
	net.Listener
	marks *marks
}

func (l markedListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	return &markedOut{conn, l.marks}, err
}

type markedOut struct {
	net.Conn
	marks *marks
}

func (c *markedOut) Write(p []byte) (int, error) {
	if c.marks.has("shown") {
		c.marks.hit("out")
	}
	return c.Conn.Write(p)
}

// entered marks when a request to start a run has come.
func (m *marks) entered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			m.hit("entered")
		}
		next.ServeHTTP(w, r)
	})
}
