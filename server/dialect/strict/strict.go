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

// Options are the parts that the dialect works with. Engine, Store, Watcher and Feed are required.
type Options struct {
	Engine  port.Commander
	Store   store.Reader
	Watcher store.Watcher // reports new runs, so that every socket of a conversation sees them
	Feed    *feed.Feed

	// Settings returns the settings of a flow, for what a client does not choose; nil leaves them to the
	// engine.
	Settings func(flow string) (json.RawMessage, error)
	// Tools returns the tools of a flow if a client selects none; nil means none.
	Tools func(flow string) []string
	// Shelf has the files of sessions. Without it there are none, and a chat with files is refused.
	Shelf *shelf.Shelf
	// Still checks that the owner of a socket may still use it: a token may have been revoked. It is called
	// before each message of the client and at each heartbeat; nil allows everyone.
	Still func(context.Context, rein.Identity) error

	Origins   []string        // hosts of other web pages that may open a socket
	Shutdown  <-chan struct{} // closed when the process shuts down: sockets then close and say so
	Heartbeat time.Duration   // between pings; zero means 30 s
	MaxWrite  time.Duration   // how long a client may take to read a message; zero means 30 s
	MaxEach   int             // sockets that one user may have open; zero means 100
	Now       func() time.Time
	NewID     func(time.Time) rein.RunID
}

// A File describes a file to a model.
type File struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
	Size int64  `json:"size,omitempty"`
}

// An Image describes an image that a tool returned to the model.
type Image struct {
	Name   string `json:"name,omitempty"`
	Type   string `json:"type"`
	Size   int64  `json:"size"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	SHA256 string `json:"sha256"`
}

type handler struct {
	Options
	hub *hub
}

// New returns the handler of the sockets. Mount it behind the server's checks.
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
