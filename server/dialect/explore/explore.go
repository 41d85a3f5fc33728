// Package explore serves the contract of document 003: agents that stream chunks over SSE or a
// WebSocket, their tree, and interventions. It is a thin adapter: a run is an agent, a Translator
// turns its feed into chunks, and everything that people do becomes a command.
package explore

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/journal/feed"
	"rein/server/port"
	"rein/server/wire"
	"rein/store"
)

// Flow is the flow of an agent that starts here, and of those that the tree shows.
const Flow = "explore"

// Options are the parts that the dialect works with. Engine, Store and Feed are required.
type Options struct {
	Engine port.Commander
	Store  store.Reader
	Feed   *feed.Feed
	// Task returns the task that a run of this flow starts with for the caller: model, tools, settings,
	// language. The dialect adds what the caller asks. Nil means an empty task.
	Task func(ctx context.Context, who rein.Identity, flow string) (rein.Task, error)
	// Origins are the origins of other web pages that may start agents, such as https://app.example.org.
	Origins []string
	Log     *slog.Logger // nil is silent
	// Heartbeat is how long a stream may be quiet before the server sends a sign of life; zero means 15 s.
	Heartbeat time.Duration
}

type dialect struct{ Options }

// New returns the handler of everything below /agent/. Mount it behind the server's checks: it finds the
// sender with port.Caller.
func New(o Options) http.Handler {
	if o.Task == nil {
		o.Task = func(context.Context, rein.Identity, string) (rein.Task, error) { return rein.Task{}, nil }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 15 * time.Second
	}
	d, serve := &dialect{o}, wire.Dialect{Log: o.Log, Tell: tell}
	mux := http.NewServeMux()
	mux.Handle("/agent/stream", serve.Handle(http.MethodGet, rein.ScopeRead, d.stream))
	mux.Handle("/agent/tree", serve.Handle(http.MethodGet, rein.ScopeRead, d.showTree))
	mux.Handle("/agent/{id}", serve.Handle(http.MethodGet, rein.ScopeRead, d.showAgent))
	mux.Handle("/agent/{id}/intervene", serve.Handle(http.MethodPost, rein.ScopeAct, d.intervention))
	mux.Handle("/", serve.Handle("", "", func(http.ResponseWriter, *http.Request, rein.Identity) error { return errNotFound }))
	return mux
}

// errNotFound is told for whatever the caller cannot see.
var errNotFound = rein.Errorf(rein.CodeNotFound, "Not found")

// A failure is an error as this contract tells it.
type failure struct {
	Success *bool     `json:"success,omitempty"` // of an intervention
	Error   string    `json:"error"`
	Code    rein.Code `json:"code"`
}

func failureOf(err error) failure {
	p := api.ProblemOf(err)
	f := failure{Error: p.Detail, Code: p.Code}
	if p.Code == rein.CodeNotFound {
		f.Error = errNotFound.Msg
	}
	return f
}

func tell(w http.ResponseWriter, status int, err error) {
	answer(w, status, failureOf(err))
}

func answer(w http.ResponseWriter, status int, value any) {
	_ = wire.Answer(w, status, "application/json", value) // who has gone cannot be told
}
