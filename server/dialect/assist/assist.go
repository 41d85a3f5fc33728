// Package assist serves the contract of document 004: a household's chat, whole or as a stream, and
// actions that wait for a yes. It is a thin adapter: a message starts a run, steers it or answers
// what it asks, and a Translator turns the run's feed into what clients see.
package assist

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/journal/feed"
	"rein/server/port"
	"rein/server/shown"
	"rein/server/wire"
	"rein/store"
)

// The flows of a message: without and with TaskHeader.
const (
	Flow     = "assist"
	TaskFlow = "task"
)

// TaskHeader with the value 1 selects TaskFlow. Other values are ignored.
const TaskHeader = "X-Agent-Task-Mode"

// Options are the parts that the dialect works with. Engine, Store, Feed and SessionFor are required.
type Options struct {
	Engine port.Commander
	Store  store.Reader
	Feed   *feed.Feed
	// SessionFor returns the session that a message of the caller belongs to now.
	SessionFor func(ctx context.Context, who rein.Identity) (string, error)
	// Task returns the task that a run of this flow starts with for the caller: model, tools, settings,
	// language. The dialect adds the message. Nil means an empty task.
	Task func(ctx context.Context, who rein.Identity, flow string) (rein.Task, error)
	// Deadline is how long POST /chat and the execution of an action wait; zero means 5 minutes. The work
	// continues after it.
	Deadline time.Duration
	Log      *slog.Logger // nil is silent
	// Heartbeat is how long a stream may be quiet before the server sends a sign of life; zero means 15 s.
	Heartbeat time.Duration
}

type dialect struct {
	Options
	serve   wire.Dialect
	clients shown.Clients // what each was shown, and under which IDs
}

// New returns the handler of /chat and everything below it. Mount it behind the server's checks: it finds
// the sender with port.Caller.
func New(o Options) http.Handler {
	if o.Task == nil {
		o.Task = func(context.Context, rein.Identity, string) (rein.Task, error) { return rein.Task{}, nil }
	}
	if o.Deadline == 0 {
		o.Deadline = 5 * time.Minute
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 15 * time.Second
	}
	d := &dialect{Options: o, serve: wire.Dialect{Log: o.Log, Tell: tell}}
	mux := http.NewServeMux()
	mux.Handle("/chat", d.serve.Handle(http.MethodPost, rein.ScopeAct, d.chat))
	mux.Handle("/chat/stream", d.serve.Handle(http.MethodPost, rein.ScopeAct, d.stream))
	mux.Handle("/chat/actions/execute", d.serve.Handle(http.MethodPost, rein.ScopeAnswer, d.execute))
	mux.Handle("/chat/history", d.serve.Handle(http.MethodGet, rein.ScopeRead, d.history))
	mux.Handle("/", d.serve.Handle("", "", func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeNotFound, "there is nothing here: the paths are /chat, /chat/stream, /chat/actions/execute and /chat/history")
	}))
	return mux
}

// tell answers with a problem, as the API does.
func tell(w http.ResponseWriter, status int, err error) {
	p := api.ProblemOf(err)
	p.Status = status
	_ = wire.Answer(w, status, api.ProblemType, p) // a client that has hung up reads no error either
}

func answer(w http.ResponseWriter, status int, value any) (sent bool) {
	return wire.Answer(w, status, "application/json", value) == nil
}
