// Package server is the /v1 API as an http.Handler: it passes commands on, reads views and streams
// feeds. Who asks is told by a function, so that the same handler serves a unix socket and a network.
// A connection that closes takes nothing with it.
package server

import (
	"context"
	"iter"
	"log/slog"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/feed"
	"rein/store"
)

// Options say what the API is of. All but Log and Heartbeat are needed.
type Options struct {
	Engine Commander
	Store  Reader
	Feed   *feed.Feed
	// Who says who sends a request. Nobody sees anything of another user; nil lets nobody in.
	Who    func(*http.Request) (user, household string, err error)
	Health func() api.Health
	Log    *slog.Logger // nil is silent
	// Heartbeat is how long a stream may be quiet before it says that it is alive; zero means 15 s.
	Heartbeat time.Duration
}

// A Commander carries out what people want: an engine.
type Commander interface {
	Start(ctx context.Context, id rein.RunID, task rein.Task) (store.RunInfo, error)
	Command(context.Context, rein.Command) (rein.Receipt, error)
	Resume(ctx context.Context, run rein.RunID, by string) error
}

// A Reader is the part of a store that is read.
type Reader interface {
	store.Views
	Events(ctx context.Context, run rein.RunID, after int64) iter.Seq2[rein.Event, error]
}

// Owner is the Who of a unix socket that only the owner of the data can connect to.
func Owner(*http.Request) (user, household string, err error) { return "owner", "home", nil }

type server struct{ Options }

// A caller is who sends a request.
type caller struct{ user, household string }

func (c caller) owns(r store.RunInfo) bool { return r.User == c.user && r.Household == c.household }

// A handler answers a request, or returns the error to be told.
type handler func(http.ResponseWriter, *http.Request, caller) error

// A route is one path of the API.
type route struct {
	path    string
	methods map[string]handler
	query   []string // the parameters that a GET takes
}

func (s *server) routes() []route {
	return []route{
		{"/v1/health", map[string]handler{"GET": s.health}, nil},
		{"/v1/runs", map[string]handler{"GET": s.listRuns, "POST": s.startRun}, []string{"session", "tree", "status", "roots", "after", "limit"}},
		{"/v1/runs/{id}", map[string]handler{"GET": s.showRun}, nil},
		{"/v1/runs/{id}/tree", map[string]handler{"GET": s.showTree}, nil},
		{"/v1/runs/{id}/events", map[string]handler{"GET": s.events}, []string{"after", "tree", "limit"}},
		{"/v1/runs/{id}/resume", map[string]handler{"POST": s.resume}, nil},
		{"/v1/commands", map[string]handler{"POST": s.command}, nil},
		{"/v1/asks", map[string]handler{"GET": s.listAsks}, []string{"tree", "state", "for"}},
		{"/v1/asks/{id}", map[string]handler{"GET": s.showAsk}, nil},
	}
}

// New returns the handler of the API.
func New(o Options) http.Handler {
	s := &server{o}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if s.Heartbeat == 0 {
		s.Heartbeat = 15 * time.Second
	}
	mux := http.NewServeMux()
	for _, r := range s.routes() {
		mux.Handle(r.path, s.serve(r))
	}
	mux.Handle("/", s.guard(noRoute))
	return plainPaths(mux, s.guard(noRoute))
}

// serve checks method, sender and parameters of a request before its handler sees it.
func (s *server) serve(r route) http.Handler {
	return s.guard(func(w http.ResponseWriter, req *http.Request) error {
		h := r.methods[req.Method]
		if h == nil {
			return noMethod(w, r, req.Method)
		}
		if s.Who == nil {
			return rein.Errorf(rein.CodeForbidden, "this server lets nobody in")
		}
		user, household, err := s.Who(req)
		if err != nil {
			return err
		}
		known := r.query
		if req.Method != http.MethodGet {
			known = nil
		}
		if err := checkQuery(req, known); err != nil {
			return err
		}
		return h(w, req, caller{user, household})
	})
}

func (s *server) health(w http.ResponseWriter, _ *http.Request, _ caller) error {
	return answer(w, http.StatusOK, s.Health())
}
