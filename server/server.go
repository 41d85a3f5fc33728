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
	"rein/follow/hook"
	"rein/household/channels"
	"rein/household/feedback"
	"rein/household/lists"
	"rein/household/page"
	"rein/household/people"
	"rein/household/post"
	"rein/household/recall"
	"rein/household/schedule"
	"rein/household/secrets"
	"rein/household/shelf"
	"rein/journal/feed"
	"rein/journal/usage"
	"rein/server/live"
	"rein/server/port"
	"rein/store"
)

// Options are the parts that the API works with. Engine, Store, Feed, Who and Health are required.
type Options struct {
	Engine port.Commander
	Store  store.Reader
	Feed   *feed.Feed
	// Who identifies the sender of a request. Nobody sees the things of another user; nil lets nobody in.
	Who    func(*http.Request) (rein.Identity, error)
	Health func() api.Health
	// Ready returns why the process cannot accept work now, or nil; a nil function is always ready.
	Ready func() error
	// Catalogue lists the flows, tools and models; nil lists nothing.
	Catalogue Catalogue
	Presets   Presets // nil: there are none
	// People has the users of the server, if it has any. CSRF returns what a browser must send with a
	// request that changes something.
	People *people.People
	CSRF   func(*http.Request) string
	// Notifier calls webhooks when something waits for a person; nil: there are none.
	Notifier Notifier
	Notes    Vaults // the notes of workspaces; nil: there are none
	// Workspaces are the folders that runs can work in; nil: there are none.
	Workspaces  Workspaces
	Folders     Folders           // what the folders of workspaces bring; nil: there are none
	MCP         MCP               // MCP servers; nil: there are none
	Background  Background        // commands that run in the background; nil: there are none
	Changes     Changes           // what runs changed in files; nil: nothing is known of it
	Shelf       *shelf.Shelf      // keeps the files of sessions; nil: there are none
	Tables      store.Snapshots   // say which sessions are branches; nil: none is
	Page        *page.Book        // keeps how people arranged what they see; nil: nothing does
	Feedback    *feedback.Book    // keeps what people think of runs; nil: nothing does
	Agenda      *Agenda           // keeps the agendas of users; nil: nothing does
	Lists       *lists.Book       // keeps the lists of households; nil: nothing does
	Jobs        *schedule.Desk    // keeps the jobs of people; nil: nothing does
	Memory      *recall.Book      // keeps what is known of people; nil: nothing does
	Live        *live.Hub         // lets people hear what changes; nil: nobody does
	Messages    *post.Book        // what people are told outside of what they do; nil: nothing
	Channels    *channels.Book    // where people get messages; nil: nowhere but here
	Hooks       *hook.Hooks       // the webhooks of users; nil: there are none
	Pairing     Pairer            // makes codes for chats; nil: there is no bot
	Desk        Desk              // arranges channels; nil: nobody does
	Secrets     *secrets.Store    // keeps what people type and nobody reads back; nil: nothing does
	Accounts    Accounts          // the limits of users and what they have used; nil: nothing is counted
	Checkpoints store.Checkpoints // nil: there are none
	Again       Again             // does recorded runs again; nil: nothing does
	Verifier    Verifier          // proves that runs are what was written; nil: nothing does
	Eraser      Eraser            // nil: nothing can be erased
	// Calls returns how many model calls a user, or the household if the user is empty, is making now; nil:
	// it is unknown.
	Calls func(household, user string) api.Calls
	// Mask hides secrets in a text for a user, where it does not come from Store; nil hides nothing.
	Mask func(household, user, text string) string
	// Currency returns the currency of all amounts of money, as api.Me has it; nil: it is not known.
	Currency func() string
	// Ceiling is the largest budget that a run may ask for.
	Ceiling rein.Budget
	Mounts  []Mount      // handlers beside /v1
	Log     *slog.Logger // nil is silent
	// Heartbeat is how long a stream may be quiet before the server sends a sign of life; zero means 15 s.
	Heartbeat time.Duration
}

// A Mount is a handler beside /v1, behind the same checks. It finds the sender with port.Caller.
type Mount struct {
	Pattern string     // as of http.ServeMux
	Needs   rein.Scope // empty: everyone, without a credential
	// Operators says that it is about the whole process: only admins of the household that owns the server
	// may use it.
	Operators bool
	Handler   http.Handler
}

// Host is the Who of a unix socket that only the owner of the data can connect to.
func Host(*http.Request) (rein.Identity, error) { return rein.Host(), nil }

type server struct {
	Options
	turns   turns
	replays turns // of replays
	counter usage.Counter
}

// New returns the handler of the API.
func New(o Options) http.Handler {
	s := &server{Options: o, replays: turns{most: 1}}
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	if s.Catalogue == nil {
		s.Catalogue = nothing{}
	}
	if s.Presets == nil {
		s.Presets = noPresets{}
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
