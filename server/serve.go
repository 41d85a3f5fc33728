package server

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"rein/server/wire"
)

// drain is how long requests may take to end at shutdown.
const drain = 5 * time.Second

// maxHeader is the most that is read of the head of a request, whoever sends it.
const maxHeader = 64 << 10

// Serve answers on the listener until the context ends, and then for as long as requests are under
// way, up to a few seconds. Close the feed first: then streams end by saying why. It closes the
// listener.
func Serve(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	return serve(ctx, l, h, log, maxRead, maxConnections)
}

const (
	// maxRead is how long a request may take to arrive.
	maxRead = time.Minute
	// maxConnections is how many connections a listener has at a time, whoever opened them. A WebSocket
	// counts with its user's open requests instead.
	maxConnections = 8192
)

func serve(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger, within time.Duration, most int64) error {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	s := &http.Server{
		Handler: wire.Whole(h), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: within, IdleTimeout: time.Minute,
		// Streams set a deadline for each write. All else is answered long before this, to who reads it.
		WriteTimeout: 10 * time.Minute, MaxHeaderBytes: maxHeader, DisableGeneralOptionsHandler: true,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	s.ConnState = connections(log, most)
	shut := make(chan error, 1)
	stop := context.AfterFunc(ctx, func() {
		limit, cancel := context.WithTimeout(context.Background(), drain)
		defer cancel()
		err := s.Shutdown(limit)
		if errors.Is(err, context.DeadlineExceeded) {
			err = s.Close()
		}
		shut <- err
	})
	err := s.Serve(l)
	if stop() || !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-shut
}

// connections closes those that are too many at once.
func connections(log *slog.Logger, most int64) func(net.Conn, http.ConnState) {
	var open atomic.Int64
	return func(c net.Conn, state http.ConnState) {
		switch state {
		case http.StateNew:
			if n := open.Add(1); n > most {
				if n == most+1 {
					log.Warn("too many connections: new ones are refused", "most", most)
				}
				_ = c.Close()
			}
		case http.StateClosed, http.StateHijacked:
			open.Add(-1)
		}
	}
}
