// Package realclients lets clients loose on the server that others wrote and people use: eventsource and
// ws, from npm. What they see is compared with what rein's own client sees.
package realclients

import (
	"context"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	toxiproxy "github.com/Shopify/toxiproxy/v2"
	"github.com/rs/zerolog"

	"rein"
	"rein/api"
	"rein/api/client"
	"rein/engine"
	"rein/flow"
	"rein/flow/kit"
	"rein/follow/keeper"
	"rein/household/people"
	"rein/household/shelf"
	rigs "rein/internal/rig"
	"rein/server"
	"rein/server/access"
	"rein/server/dialect/assist"
	"rein/server/dialect/explore"
	"rein/server/dialect/strict"
	"rein/tool/basics"
	"rein/tool/session"
)

// patience is never waited for unless something is wrong.
const patience = 30 * time.Second

// A rig is a whole server on a port of this machine, behind a proxy that can cut connections.
type rig struct {
	*rigs.Rig
	ctx    context.Context
	token  string
	inside *client.Client // without network and proxy
	proxy  *toxiproxy.Proxy
	model  *held

	mu   sync.Mutex
	last []string // the Last-Event-ID of each request for a stream
}

func newRig(t *testing.T, text string) *rig {
	t.Helper()
	r := &rig{Rig: rigs.Open(t, rigs.Options{})}
	var cancel context.CancelFunc
	r.ctx, cancel = context.WithTimeout(context.Background(), patience)
	t.Cleanup(cancel)
	r.model = &held{rigs.Script(t, text), make(chan struct{})}
	r.Begin(engine.Options{
		Flows: flow.All(), Grace: engine.NoGrace, DrainGrace: engine.NoGrace,
		Prepare: func(task rein.Task) (rein.Task, error) { return flow.Kinds().Prepare(task, kit.Ceiling{Rounds: 20}) },
		Worker:  rigs.Worker(r.model, r.tools()),
	})
	r.listen()
	return r
}

func (r *rig) tools() map[string]rein.Tool {
	r.Helper()
	asking, err := basics.RequestInput()
	check(r, err)
	clock, err := basics.GetCurrentTime(time.Now)
	check(r, err)
	letter := rein.Tool{
		Name: "send_letter", Description: "sends a letter", Schema: []byte(`{"type":"object","properties":{"to":{"type":"string"}},"required":["to"]}`),
		Effect: rein.Unsafe, Approval: true,
		Do: func(context.Context, rein.Invocation) (rein.Done, error) {
			return rein.Done{Text: "the letter is sent"}, nil
		},
	}
	tools := map[string]rein.Tool{asking.Name: asking, clock.Name: clock, letter.Name: letter}
	for _, t := range session.Tools(r.Store) {
		tools[t.Name] = t
	}
	return tools
}

// A held model says what it has to say in its second round, and then waits.
type held struct {
	rein.Model
	release chan struct{}
}

func (h *held) Generate(ctx context.Context, q rein.ModelRequest, show func(string)) (rein.ModelReply, error) {
	reply, err := h.Model.Generate(ctx, q, show)
	if q.Round == 2 {
		select {
		case <-h.release:
		case <-ctx.Done():
		}
	}
	return reply, err
}

// listen serves as rein serve does: access before everything, and sockets of the strict agent beside the
// native API.
func (r *rig) listen() {
	r.Helper()
	persons := &people.People{Tables: r.Store}
	check(r, persons.Begin(r.ctx))
	var err error
	r.token, _, err = persons.NewToken(r.ctx, rein.Host(), people.TokenRequest{Label: "the test"})
	check(r, err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	check(r, err)
	guard, err := access.New(access.Options{People: persons, Listen: l.Addr().String()})
	check(r, err)
	options := server.Options{
		Engine: r.Engine, Store: r.Store, Feed: r.Feed, Who: guard.Who, CSRF: guard.CSRF, People: persons, Shelf: &shelf.Shelf{Tables: r.Store},
		Health: func() api.Health { return api.Health{Version: "test", Live: r.Engine.Live()} },
		Mounts: r.dialects(),
	}
	network := r.note(guard.Wrap(server.New(options)))
	options.Who = server.Host
	r.inside = client.Handler(server.New(options))
	r.Serve(func(ctx context.Context) error { return server.Serve(ctx, l, network, nil) })
	r.proxy = toxiproxy.NewProxy(toxiproxy.NewServer(toxiproxy.NewMetricsContainer(nil), zerolog.Nop()), "cut", "127.0.0.1:0", l.Addr().String())
	check(r, r.proxy.Start())
	r.Cleanup(func() {
		r.proxy.Stop()
		r.Leave()
		guard.Close()
	})
}

// dialects are the documents' contracts.
func (r *rig) dialects() []server.Mount {
	s, e, watched := r.Store, r.Engine, r.Feed
	kept := &shelf.Shelf{Tables: s}
	chat := strict.New(strict.Options{Engine: e, Store: s, Watcher: s, Feed: watched, Shelf: kept})
	agents := explore.New(explore.Options{Engine: e, Store: s, Feed: watched})
	names := keeper.NewNames()
	house := assist.New(assist.Options{
		Engine: e, Store: s, Feed: watched,
		SessionFor: func(ctx context.Context, who rein.Identity) (string, error) {
			return names.SessionFor(ctx, s, who.Household, who.User, time.Now(), 0)
		},
		Task: func(context.Context, rein.Identity, string) (rein.Task, error) {
			return rein.Task{Language: "en", Tools: []string{"get_current_time", "send_letter"}}, nil
		},
	})
	return []server.Mount{
		{Pattern: "/chat", Needs: rein.ScopeRead, Handler: house},
		{Pattern: "/chat/", Needs: rein.ScopeRead, Handler: house},
		{Pattern: "/ws", Needs: rein.ScopeRead, Handler: chat},
		{Pattern: "/agent/", Needs: rein.ScopeRead, Handler: agents},
	}
}

// note notes from where streams are to go on.
func (r *rig) note(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Header.Get("Accept") == "text/event-stream" {
			r.mu.Lock()
			r.last = append(r.last, q.Header.Get("Last-Event-ID"))
			r.mu.Unlock()
		}
		h.ServeHTTP(w, q)
	})
}

// cut ends every connection that goes through the proxy.
func (r *rig) cut() {
	r.Helper()
	r.proxy.Stop()
	check(r, r.proxy.Start())
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
