// Package server is the /v1 API as an http.Handler: it passes commands on, reads views and streams
// feeds. Who asks is told by a function, so that the same handler serves a unix socket and a network.
// A connection that closes takes nothing with it.
package server

import (
	"log/slog"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/feed"
	"rein/people"
	"rein/server/port"
)

// Options say what the API is of. All but Mounts, Log and Heartbeat are needed.
type Options struct {
	Engine port.Commander
	Store  port.Reader
	Feed   *feed.Feed
	// Who says who sends a request. Nobody sees anything of another user; nil lets nobody in.
	Who    func(*http.Request) (people.Identity, error)
	Health func() api.Health
	Mounts []Mount      // what is served beside /v1
	Log    *slog.Logger // nil is silent
	// Heartbeat is how long a stream may be quiet before it says that it is alive; zero means 15 s.
	Heartbeat time.Duration
}

// A Mount is something beside /v1 that is served behind the same checks. Its handler finds the sender
// by port.Caller.
type Mount struct {
	Pattern string       // as of http.ServeMux
	Needs   people.Scope // empty lets everyone in, without a credential
	Handler http.Handler
}

// Host is the Who of a unix socket that only the owner of the data can connect to.
func Host(*http.Request) (people.Identity, error) { return people.Host(), nil }

type server struct{ Options }

// operations is all that the API does, in the order of its documentation.
func (s *server) operations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/health", name: "health", tag: "process", summary: "Which process this is, and how it is",
			needs: people.Read, answers: ok(api.Health{}), do: s.health,
		},
		{
			method: "GET", path: "/v1/runs", name: "listRuns", tag: "runs", summary: "List runs, the oldest first",
			needs: people.Read, answers: ok(api.Runs{}), do: s.listRuns,
			query: []parameter{
				{name: "session", about: "only those of this session"},
				{name: "tree", about: "only this run and everything below it"},
				{name: "status", about: "only those with this status", words: statuses},
				{name: "roots", about: "only those without a parent", flag: true},
				{name: "after", about: "only those that started after this run: for paging"},
				{name: "limit", about: "at most so many", most: api.MaxLimit},
			},
		},
		{
			method: "POST", path: "/v1/runs", name: "startRun", tag: "runs", summary: "Start a run",
			needs: people.Act, body: api.NewRun{}, do: s.startRun,
			answers: []reply{{status: http.StatusCreated, value: api.Run{}}, {status: http.StatusOK, value: api.Run{}}},
		},
		{
			method: "GET", path: "/v1/runs/{id}", name: "showRun", tag: "runs", summary: "One run",
			needs: people.Read, answers: ok(api.Run{}), do: s.showRun,
		},
		{
			method: "GET", path: "/v1/runs/{id}/tree", name: "showTree", tag: "runs", summary: "A run with everything below it, what it is doing and what it waits for",
			needs: people.Read, answers: ok(api.Node{}), do: s.showTree,
		},
		{
			method: "GET", path: "/v1/runs/{id}/events", name: "events", tag: "runs", summary: "The log of a run: a page of it, or a stream that goes on until the run ends",
			needs: people.Read, do: s.events,
			answers: []reply{{status: http.StatusOK, value: api.Lines{}}, {status: http.StatusOK, media: "text/event-stream"}},
			query: []parameter{
				{name: "after", about: "the cursor to go on from; empty: the beginning"},
				{name: "tree", about: "with everything below the run", flag: true},
				{name: "limit", about: "at most so many lines of a page", most: api.MaxLimit},
			},
		},
		{
			method: "POST", path: "/v1/runs/{id}/resume", name: "resumeRun", tag: "runs", summary: "Try a blocked run again",
			needs: people.Act, answers: ok(api.Run{}), do: s.resume,
		},
		{
			method: "POST", path: "/v1/commands", name: "command", tag: "commands", summary: "Send a run what you want of it: message, modify, comment, stop, cancel, delete, or the answer to an ask",
			needs: people.Read, body: rein.Command{}, answers: ok(rein.Receipt{}), do: s.command,
		},
		{
			method: "GET", path: "/v1/asks", name: "listAsks", tag: "asks", summary: "List what waits, or waited, for a person",
			needs: people.Read, answers: ok(api.Asks{}), do: s.listAsks,
			query: []parameter{
				{name: "tree", about: "only those of this run and everything below it"},
				{name: "state", about: "only those in this state", words: states},
				{name: "for", about: "only those that this user may answer"},
			},
		},
		{
			method: "GET", path: "/v1/asks/{id}", name: "showAsk", tag: "asks", summary: "One ask",
			needs: people.Read, answers: ok(rein.Ask{}), do: s.showAsk,
		},
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
			r = port.WithCaller(r, who)
		}
		m.Handler.ServeHTTP(w, r)
		return nil
	})
}

func (s *server) health(w http.ResponseWriter, _ *http.Request, _ people.Identity) error {
	return answer(w, http.StatusOK, s.Health())
}
