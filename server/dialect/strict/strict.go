// Package strict serves the WebSocket contract of the strict agent: chat, stop, input and approvals
// come in; each phase, tool call and piece of text goes out. It is a thin adapter: what goes out is
// a translation of the log, so any socket can continue where another was cut off, and closing a
// socket does not affect the run.
package strict

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"rein"
	"rein/api"
	"rein/household/shelf"
	"rein/journal/feed"
	"rein/server/port"
	"rein/store"
)

// Options say what the sockets are of. Engine, Store, Watcher and Feed are needed.
type Options struct {
	Engine  port.Commander
	Store   store.Reader
	Watcher store.Watcher // tells of new runs, so that every socket of a conversation sees them
	Feed    *feed.Feed

	// Settings are those of a flow where a client chooses nothing; nil leaves them to the engine.
	Settings func(flow string) (json.RawMessage, error)
	// Tools are those of a flow where a client selects none; nil gives none.
	Tools func(flow string) []string
	// Shelf has the files of sessions. Without it there are none, and a chat that brings some is refused.
	Shelf *shelf.Shelf
	// Still says whether a socket's owner may go on: a token may have been revoked since. It is asked
	// before each message of the client and at each heartbeat; nil lets everyone go on.
	Still func(context.Context, rein.Identity) error

	Origins   []string        // hosts of pages, beside our own, that may open a socket
	Shutdown  <-chan struct{} // closed when the process is going: sockets then close and say so
	Heartbeat time.Duration   // between pings; zero means 30 s
	MaxWrite  time.Duration   // how long a client may take to read a message; zero means 30 s
	MaxEach   int             // sockets that one user may have open; zero means 100
	Now       func() time.Time
	NewID     func(time.Time) rein.RunID
}

// A File is what a model is told of a file.
type File struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
	Size int64  `json:"size,omitempty"`
}

type handler struct {
	Options
	hub *hub
}

// New returns the handler of the sockets. It must stand behind the server's check of credentials.
func New(o Options) http.Handler {
	if o.Heartbeat == 0 {
		o.Heartbeat = 30 * time.Second
	}
	if o.MaxWrite == 0 {
		o.MaxWrite = 30 * time.Second
	}
	if o.MaxEach == 0 {
		o.MaxEach = 100
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.NewID == nil {
		o.NewID = api.NewRunID
	}
	return &handler{Options: o, hub: newHub(o.Watcher, o.Store)}
}
