package chaos

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httputil"
	"net/url"
	"time"

	"rein"
	"rein/api"
	"rein/api/client"
)

// pause is what a client waits before it connects again.
const pause = 60 * time.Millisecond

// A viewer is a client that follows one run to its end, however often it must connect.
type viewer interface {
	// connect follows from the witness's cursor until the connection ends.
	connect(context.Context, *witness)
}

// follow has a viewer see a run to its end.
func follow(ctx context.Context, v viewer, w *witness) {
	for v.connect(ctx, w); !w.isOver() && ctx.Err() == nil; v.connect(ctx, w) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
	}
}

// take gives a frame to the witness; it reports whether more can come.
func take(f api.Frame, w *witness) (more bool) {
	switch f.Type {
	case api.StreamEnd:
		w.finish()
		return false
	case api.StreamError:
		w.problem(f.Problem.Code)
		return false
	}
	if f.Line != nil {
		w.take(*f.Line)
	}
	return true
}

// own is rein's own client, which mends connections by itself; when it has given up it is used again.
type own struct {
	client *client.Client
	run    rein.RunID
}

func (o own) connect(ctx context.Context, w *witness) {
	w.again()
	for line, err := range o.client.Follow(ctx, o.run, client.FollowOptions{After: w.place()}) {
		if err != nil {
			w.broke(false)
			return
		}
		w.take(line)
	}
	w.finish()
}

// through makes rein's client for a server on the network.
func through(l *line, token string) *client.Client {
	return client.Handler(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(&url.URL{Scheme: "http", Host: l.address()})
			r.Out.Header.Set("Authorization", "Bearer "+token)
		},
		Transport: fresh(),
		ErrorLog:  log.New(io.Discard, "", 0),
		// A server that is not there is as a connection that is cut.
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	})
}

// fresh makes a transport that never uses a connection twice.
func fresh() *http.Transport {
	return &http.Transport{DisableKeepAlives: true, DisableCompression: true}
}
