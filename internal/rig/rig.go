// Package rig is what tests of the whole runtime stand on: a store in a folder of its own, a feed, an
// engine that serves, and a web server before it, all of them real, and ended in the order in which a
// process ends.
//
//	r := rig.Open(t, rig.Options{})
//	r.Begin(engine.Options{Flows: flows, Worker: rig.Worker(rig.Script(t, text), nil)})
//	r.Listen(handler)
//
// A package adds what its own tests say over and over: its rig embeds this one. The store begins as a
// copy of an empty one, and is in memory where "make test" keeps temporary files there.
package rig

import (
	"context"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/journal/feed"
	"rein/model/script"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// Patience bounds every wait of a test; it is waited for only if something is wrong.
const Patience = 2 * time.Minute

// Options are what differs between rigs.
type Options struct {
	Dir   string // of the data; empty is a new folder
	Store sqlite.Options
}

// A Rig is one process over a folder of data.
type Rig struct {
	testing.TB
	Dir    string
	Store  *sqlite.Store
	Feed   *feed.Feed
	Engine *engine.Engine   // nil until Begin
	Web    *httptest.Server // nil until Listen

	options Options
	ctx     context.Context // ends when the rig is left
	cancel  context.CancelFunc
	served  sync.WaitGroup
	leave   func()
}

// Open opens a store and its feed, and leaves them when the test ends.
func Open(t testing.TB, o Options) *Rig {
	t.Helper()
	r := &Rig{TB: t, Dir: o.Dir, options: o}
	if r.Dir == "" {
		r.Dir = t.TempDir()
	}
	r.open()
	t.Cleanup(r.Leave)
	return r
}

func (r *Rig) open() {
	r.Helper()
	s, err := sqlitetest.Open(r, filepath.Join(r.Dir, "rein.db"), r.options.Store)
	Check(r, err)
	r.Store, r.Feed, r.Engine, r.Web = s, feed.New(s), nil, nil
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.leave = sync.OnceFunc(r.end)
}

// Begin makes an engine over the store and serves it until the rig is left. It fills in the store, the
// dispatcher and where deltas go.
func (r *Rig) Begin(o engine.Options) {
	r.Helper()
	o.Store = r.Store
	if o.Dispatch == nil {
		o.Dispatch = &local.Dispatcher{}
	}
	if o.OnDelta == nil {
		o.OnDelta = r.Feed.OnDelta
	}
	var err error
	r.Engine, err = engine.New(o)
	Check(r, err)
	r.Serve(r.Engine.Serve)
}

// Serve runs something that serves until the rig is left, and must then end without an error.
func (r *Rig) Serve(serve func(context.Context) error) {
	ctx := r.ctx
	r.served.Go(func() {
		if err := serve(ctx); err != nil {
			r.Errorf("serve: %v", err)
		}
	})
}

// Listen serves a handler on a port of this machine; the URL is in Web.
func (r *Rig) Listen(h http.Handler, change ...func(*http.Server)) {
	r.Web = httptest.NewUnstartedServer(h)
	for _, c := range change {
		c(r.Web.Config)
	}
	r.Web.Start()
}

// Leave ends the process in good order. What it wrote stays in the folder.
func (r *Rig) Leave() { r.leave() }

// Again leaves and opens the store once more, as a program that is started again; then comes Begin.
func (r *Rig) Again() {
	r.Helper()
	r.Leave()
	r.open()
}

func (r *Rig) end() {
	r.Feed.Close()
	if r.Web != nil {
		r.Web.CloseClientConnections()
		r.Web.Close()
	}
	r.cancel()
	r.served.Wait()
	if err := r.Store.Close(); err != nil {
		r.Errorf("close: %v", err)
	}
}

// Worker is a worker with one model, which soon gives up on tools that do not end.
func Worker(m rein.Model, tools map[string]rein.Tool) *work.Worker {
	return &work.Worker{Models: map[string]rein.Model{"": m}, Tools: tools, Abandon: 50 * time.Millisecond}
}

// Script is a model that plays a script.
func Script(t testing.TB, text string) rein.Model {
	t.Helper()
	m, err := script.Parse("model", []byte(text))
	Check(t, err)
	return m
}

// Check ends the test at an error.
func Check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
