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

// The flows of a message: as it is, and with the header that selects the task path.
const (
	Flow     = "assist"
	TaskFlow = "task"
)

// TaskHeader with the value 1 selects the task path. Other values are ignored.
const TaskHeader = "X-Agent-Task-Mode"

// Options say what the dialect is of. Engine, Store, Feed and SessionFor are needed.
type Options struct {
	Engine port.Commander
	Store  store.Reader
	Feed   *feed.Feed
	// SessionFor names the session that a message of the caller belongs to now.
	SessionFor func(ctx context.Context, who rein.Identity) (string, error)
	// Task is what a run of this flow begins with for the caller: model, tools, settings, language. The
	// message is added. Nil begins with nothing.
	Task func(ctx context.Context, who rein.Identity, flow string) (rein.Task, error)
	// Deadline is how long POST /chat, or the execution of an action, is waited for; zero means 5 minutes.
	// The work goes on after it.
	Deadline time.Duration
	Log      *slog.Logger // nil is silent
	// Heartbeat is how long a stream may be quiet before it says that it is alive; zero means 15 s.
	Heartbeat time.Duration
}

type dialect struct {
	Options
	clients shown.Clients // what each was shown, and under which IDs
}

// New returns the handler of /chat and everything below it. It stands behind the server's checks and
// finds the sender by port.Caller.
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
	d := &dialect{Options: o}
	mux := http.NewServeMux()
	mux.Handle("/chat", d.serve(http.MethodPost, rein.ScopeAct, d.chat))
	mux.Handle("/chat/stream", d.serve(http.MethodPost, rein.ScopeAct, d.stream))
	mux.Handle("/chat/actions/execute", d.serve(http.MethodPost, rein.ScopeAnswer, d.execute))
	mux.Handle("/chat/history", d.serve(http.MethodGet, rein.ScopeRead, d.history))
	mux.Handle("/", d.serve("", "", func(http.ResponseWriter, *http.Request, rein.Identity) error {
		return rein.Errorf(rein.CodeNotFound, "there is nothing here: there is /chat, /chat/stream, /chat/actions/execute and /chat/history")
	}))
	return mux
}

type handler func(http.ResponseWriter, *http.Request, rein.Identity) error

// serve checks method and sender, and tells what a handler returns.
func (d *dialect) serve(method string, needs rein.Scope, h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		who, a := port.Caller(r.Context()), &wire.Noted{ResponseWriter: w}
		var err error
		switch {
		case method != "" && r.Method != method:
			w.Header().Set("Allow", method)
			p := api.ProblemOf(rein.Errorf(rein.CodeInvalid, "use %s", method))
			p.Status = http.StatusMethodNotAllowed
			tell(w, p)
			return
		case needs != "":
			err = wire.May(who, needs)
		}
		if err == nil {
			err = h(a, r, who)
		}
		if err == nil || a.Begun {
			return
		}
		err = wire.Told(r.Context(), err)
		d.note(r, err)
		tell(w, api.ProblemOf(err))
	})
}

// note logs what is a fault of this program.
func (d *dialect) note(r *http.Request, err error) {
	if code := rein.CodeOf(err); api.Status(code) >= 500 && code != rein.CodeUnavailable && code != rein.CodeTimeout {
		d.Log.Error("a request failed", "method", r.Method, "path", r.URL.Path, "error", err)
	}
}

func tell(w http.ResponseWriter, p api.Problem) {
	_ = wire.Answer(w, p.Status, api.ProblemType, p) // who has gone cannot be told
}

func answer(w http.ResponseWriter, status int, value any) (sent bool) {
	return wire.Answer(w, status, "application/json", value) == nil
}
