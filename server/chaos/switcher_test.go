package chaos

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/coder/websocket"

	"rein/api"
)

// A switcher follows over a stream and over a WebSocket in turn, each from the cursor of the other, and
// leaves of itself after some messages.
type switcher struct {
	stream  streamer
	stay    int // how many messages of a socket it reads
	sockets int // that brought something
	streams int
	turn    int
}

func (s *switcher) connect(ctx context.Context, w *witness) {
	s.turn++
	before := w.place()
	defer func() {
		if w.place() == before {
			return
		}
		if s.turn%2 == 0 {
			s.sockets++
		} else {
			s.streams++
		}
	}()
	if s.turn%2 == 0 {
		s.socket(ctx, w)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s.stream.last = w.place()
	s.stream.connect(leaves(ctx, cancel, w, s.stay), w)
}

// leaves ends the context when the witness has seen so many more events.
func leaves(ctx context.Context, cancel func(), w *witness, after int) context.Context {
	go func() {
		for seen := w.seen() + after; ctx.Err() == nil; {
			changed := w.change()
			if w.seen() >= seen {
				cancel()
				return
			}
			select {
			case <-changed:
			case <-ctx.Done():
			}
		}
	}()
	return ctx
}

func (s *switcher) socket(ctx context.Context, w *witness) {
	address := "ws://" + s.stream.line.address() + "/v1/runs/" + s.stream.run + "/events?after=" + url.QueryEscape(w.place())
	c, _, err := websocket.Dial(ctx, address, &websocket.DialOptions{
		HTTPClient: &http.Client{Transport: fresh()}, HTTPHeader: http.Header{"Authorization": {"Bearer " + s.stream.token}},
	})
	if err != nil {
		w.broke(false)
		return
	}
	defer c.CloseNow()
	c.SetReadLimit(64 << 20)
	for range s.stay * 4 {
		_, data, err := c.Read(ctx)
		if err != nil {
			w.broke(errors.Is(err, io.ErrUnexpectedEOF) || len(data) > 0)
			return
		}
		var f api.Frame
		if err := json.Unmarshal(data, &f); err != nil {
			// The library passes a message on as whole whose connection ended where it had just read all
			// that had come. Then nothing more comes.
			if _, _, over := c.Read(ctx); over == nil {
				w.garbled(err)
			}
			w.broke(true)
			return
		}
		if !take(f, w) {
			return
		}
	}
}
