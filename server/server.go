// Package server is the /v1 API as an http.Handler: it passes commands to the engine, reads views
// and streams feeds. A function identifies the sender, so the same handler serves a unix socket and
// a network. Closing a connection never affects a run.
package server

import (
	"log/slog"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/household/people"
	"rein/household/shelf"
	"rein/journal/feed"
	"rein/server/port"
	"rein/store"
)

// Options say what the API is of. Engine, Store, Feed, Who and Health are needed.
type Options struct {
	Engine port.Commander
	Store  store.Reader
	Feed   *feed.Feed
	// Who says who sends a request. Nobody sees anything of another user; nil lets nobody in.
	Who    func(*http.Request) (rein.Identity, error)
	Health func() api.Health
	// Ready says why the process should be sent no work now, if it should not; nil is always ready.
	Ready func() error
	// Catalogue is what runs can be made of; nil is nothing.
	Catalogue Catalogue
	// People are those who may use the server, if it keeps any; CSRF tells a browser what it sends with
	// requests that change something.
	People *people.People
	CSRF   func(*http.Request) string
	// Notifier tells of what waits for a person; nil: nobody is told.
	Notifier Notifier
	Notes    Vaults // the notes of workspaces; nil: there are none
	// Workspaces are the folders that runs can work in; nil: there are none.
	Workspaces  Workspaces
	Shelf       *shelf.Shelf      // keeps the files of sessions; nil keeps none
	Accounts    Accounts          // what users use of what they may; nil: nobody counts
	Checkpoints store.Checkpoints // nil makes none
	Eraser      Eraser            // nil erases nothing
	// Calls says how many model calls a user has under way, or the household if the user is empty; nil: it
	// is not told.
	Calls func(household, user string) api.Calls
	// Ceiling is the largest budget that a run may ask for.
	Ceiling rein.Budget
	Mounts  []Mount      // what is served beside /v1
	Log     *slog.Logger // nil is silent
	// Heartbeat is how long a stream may be quiet before it says that it is alive; zero means 15 s.
	Heartbeat time.Duration
}

// A Mount is something beside /v1 that is served behind the same checks. Its handler finds the sender
// by port.Caller.
type Mount struct {
	Pattern string     // as of http.ServeMux
	Needs   rein.Scope // empty lets everyone in, without a credential
	// Operators says that it is about the process as a whole: only admins of the household that the
	// process belongs to are let in.
	Operators bool
	Handler   http.Handler
}

// Host is the Who of a unix socket that only the owner of the data can connect to.
func Host(*http.Request) (rein.Identity, error) { return rein.Host(), nil }

type server struct {
	Options
	turns turns
}

// New returns the handler of the API.
func New(o Options) http.Handler {
	s := &server{Options: o}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if s.Catalogue == nil {
		s.Catalogue = nothing{}
	}
	if s.Heartbeat == 0 {
		s.Heartbeat = 15 * time.Second
	}
	mux := http.NewServeMux()
	for _, at := range resources(s.operations()) {
		mux.Handle(at.path, s.serve(at))
	}
	for _, m := range s.Mounts {
		mux.Handle(m.Pattern, s.mount(m))
	}
	mux.Handle("/", s.guard(noRoute))
	return plainPaths(mux, s.guard(noRoute))
}

// mount serves what stands beside the API.
func (s *server) mount(m Mount) http.Handler {
	return s.guard(func(w http.ResponseWriter, r *http.Request) error {
		if m.Needs != "" {
			who, err := s.admit(r, m.Needs)
			if err != nil {
				return err
			}
			if m.Operators && !who.Operates() {
				return rein.Errorf(rein.CodeForbidden, "%s is about the whole server: only admins of the household that owns the server may read it", r.URL.Path)
			}
			r = port.WithCaller(r, who)
		}
		m.Handler.ServeHTTP(w, r)
		return nil
	})
}
