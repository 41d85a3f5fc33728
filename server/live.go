package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
)

func (s *server) liveOperations() []operation {
	return []operation{
		{
			method: "GET", path: "/v1/live", name: "live", tag: "runs", summary: "Hear what changes: your runs, sessions and asks, as a stream or WebSocket of hints. If you see the whole household, you hear of all of it",
			needs: rein.ScopeRead, do: s.hearLive,
			answers: []reply{{status: http.StatusOK, media: eventStream, hints: true}, {status: http.StatusSwitchingProtocols}},
		},
	}
}

func (s *server) hearLive(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	socket := wantsSocket(r)
	if !socket && !accepts(r, eventStream) {
		return rein.Errorf(rein.CodeInvalid, "this is a stream: send Accept: %s, or open a WebSocket", eventStream)
	}
	if s.Live == nil {
		return rein.Errorf(rein.CodeUnavailable, "this process does not know what changes: send the request to the process that owns the data")
	}
	l, err := s.Live.Join(r.Context(), who)
	if err != nil {
		return err
	}
	defer l.Leave()
	send := func(ctx context.Context, to lineOut) {
		for {
			hint, err := l.Next(ctx, s.Heartbeat)
			if err != nil {
				sendError(ctx, to, err)
				return
			}
			if !sendHint(to, hint) {
				return
			}
		}
	}
	if socket {
		return openSocket(w, r, send)
	}
	return openStream(w, r, send)
}

func sendHint(to lineOut, hint api.Hint) bool {
	switch {
	case hint.Hello:
		return to.frame(api.Frame{Type: api.StreamHello, Hint: &hint}, false)
	case !hint.Asks && len(hint.Runs) == 0 && len(hint.Sessions) == 0 && len(hint.Household) == 0:
		return to.beat() // nothing has changed for a while
	}
	return to.frame(api.Frame{Type: api.StreamHint, Hint: &hint}, false)
}
