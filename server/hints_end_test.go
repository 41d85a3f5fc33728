package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"

	"rein"
	"rein/api"
	"rein/household/people"
)

// TestLiveEndsWithItsToken opens a WebSocket with a token, hears of a run by it, and revokes the token: the connection ends.
func TestLiveEndsWithItsToken(t *testing.T) {
	h := newHouse(t)
	s := httptest.NewServer(h.outside)
	defer s.Close()
	text, token, err := h.people.NewToken(t.Context(), rein.Host(), people.TokenRequest{User: "ann", Label: "live"})
	check(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	c, _, err := websocket.Dial(ctx, strings.Replace(s.URL, "http", "ws", 1)+"/v1/live", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + text}}})
	check(t, err)
	defer c.CloseNow()
	next := func() (f api.Frame, err error) { return f, wsjson.Read(ctx, c, &f) }
	if f, err := next(); err != nil || f.Type != api.StreamHello {
		t.Fatalf("the first frame is %+v, %v", f, err)
	}
	work := task("chat", "hi")
	work.Household, work.User = "home", "ann"
	_, err = h.engine.Start(t.Context(), "a", work)
	check(t, err)
	if f, err := next(); err != nil || f.Type != api.StreamHint || f.Hint == nil || len(f.Hint.Runs) != 1 || f.Hint.Runs[0] != "a" {
		t.Fatalf("a hint is %+v, %v", f, err)
	}
	check(t, h.people.RevokeToken(t.Context(), rein.Host(), token.ID))
	for deadline := time.Now().Add(patience / 2); ; {
		if _, err := next(); err != nil {
			if ctx.Err() != nil || time.Now().After(deadline) {
				t.Errorf("it stayed open: %v", err)
			}
			return
		}
	}
}
