package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"rein"
	"rein/api"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/enginetest/flows"
	"rein/engine/work"
	"rein/household/people"
	"rein/household/shelf"
	"rein/journal/feed"
	"rein/server"
	"rein/server/access"
	"rein/server/dialect/assist"
	"rein/server/dialect/explore"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A target is what requests are thrown at: the API with its checks, and dialects beside it.
type target struct {
	handler http.Handler
	log     *logged
	token   string // of ann
}

func newTarget(f *testing.F) *target {
	s, err := sqlitetest.Open(f, filepath.Join(f.TempDir(), "rein.db"), sqlite.Options{})
	check(f, err)
	told := feed.New(s)
	e, err := engine.New(engine.Options{
		Store: s, Flows: flows.All(), Dispatch: &local.Dispatcher{}, Grace: engine.NoGrace, DrainGrace: engine.NoGrace, OnDelta: told.OnDelta,
		Worker: &work.Worker{Models: map[string]rein.Model{"": newTeller()}, Abandon: 50 * time.Millisecond},
	})
	check(f, err)
	known := &people.People{Tables: s}
	check(f, known.Begin(f.Context()))
	_, err = known.AddUser(f.Context(), rein.Host(), "ann", rein.Member)
	check(f, err)
	o := &target{log: &logged{}}
	o.token, _, err = known.NewToken(f.Context(), rein.Host(), people.TokenRequest{User: "ann", Label: "fuzz"})
	check(f, err)
	log := slog.New(slog.NewTextHandler(o.log, nil))
	guard, err := access.New(access.Options{
		People: known, Listen: "127.0.0.1:7717", Log: log,
		Limits: access.Limits{User: plenty, Credential: plenty, Stranger: plenty, Failure: plenty, Open: 1 << 20},
	})
	check(f, err)
	assistant := assist.New(assist.Options{
		Engine: e, Store: s, Feed: told, Log: log,
		SessionFor: func(_ context.Context, who rein.Identity) (string, error) { return "chat-" + who.User, nil },
	})
	o.handler = guard.Wrap(server.New(server.Options{
		Engine: e, Store: s, Feed: told, Who: guard.Who, CSRF: guard.CSRF, People: known, Shelf: &shelf.Shelf{Tables: s}, Log: log,
		Health: func() api.Health { return api.Health{Version: "test"} },
		Mounts: []server.Mount{
			{Pattern: "/login", Handler: guard.Login()},
			{Pattern: "/logout", Handler: guard.Logout()},
			{Pattern: "/agent/", Needs: rein.ScopeRead, Handler: explore.New(explore.Options{Engine: e, Store: s, Feed: told, Log: log})},
			{Pattern: "/chat", Needs: rein.ScopeRead, Handler: assistant},
			{Pattern: "/chat/", Needs: rein.ScopeRead, Handler: assistant},
		},
	}))
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()
	_, err = e.Start(f.Context(), "r", rein.Task{Flow: "ask", Household: "home", User: "ann", Session: "s"})
	check(f, err)
	f.Cleanup(func() {
		told.Close()
		cancel()
		<-served
		guard.Close()
		s.Close()
	})
	return o
}

var inBraces = regexp.MustCompile(`\{[a-z]+\}`)

// FuzzRequests throws bytes at every operation and at what is mounted beside them: as the names in
// its path, its parameters, its body, its cursor, its key and its credential. Nothing is this program's
// fault, and every answer is what it says it is.
func FuzzRequests(f *testing.F) {
	o := newTarget(f)
	all := server.Operations()
	for _, p := range []string{"POST /chat", "POST /chat/stream", "POST /chat/actions/execute", "GET /chat/history", "GET /agent/stream", "GET /agent/tree", "GET /agent/{id}", "POST /agent/{id}/intervene", "POST /login", "POST /logout"} {
		method, path, _ := strings.Cut(p, " ")
		all = append(all, server.Operation{Method: method, Path: path, TakesBody: method == "POST"})
	}
	for i := range all {
		f.Add(uint8(i), "r", "", []byte(`{}`), "1", "k", "")
	}
	for _, body := range []string{
		`{"task":{"flow":"chat","messages":[{"role":"user","text":"x"}],"budget":{"rounds":1e3},"policy":{"allow":["x"],"timeout":1}}}`,
		`{"id":"x","preset":"y","task":{"flow":"ask","fork":{"run":"r","step":"1","edit":{}}}}`,
		`{"kind":"answer","ask":"r:1.ask","answer":{"state":"answered","text":"x","args":{}}}`, `{"kind":"message","run":"r","text":"x"}`,
		`{"text":"x","task":{"flow":"chat"}}`, `{"name":"x","role":"viewer"}`, `{"label":"x","scopes":["read"],"days":1}`, `{"disabled":true}`,
		`{"message":"hi","conversation_history":[{"role":"user","content":"x"}]}`, `{"action_id":"r:1.ask"}`, `{"userComment":"x","status":"deleted"}`, `link=reinlink_aaaaaaaaaaaa_bbbbbbbbbbbbbbbbbbbbbbbbbb`,
	} {
		for i, op := range all {
			if !op.TakesBody {
				continue
			}
			f.Add(uint8(i), "r:1.ask", "", []byte(body), "", "key", "")
		}
	}
	for i := range all {
		f.Add(uint8(i), "r", "limit=1&after=1&tree=1&zone=UTC&by=day&lastEventId=r:1;1@1%2b5", []byte{}, "r:1,1=1;1/1@1+5", "", "")
	}
	f.Fuzz(func(t *testing.T, which uint8, name, query string, body []byte, cursor, key, auth string) {
		op := all[int(which)%len(all)]
		path := inBraces.ReplaceAllLiteralString(op.Path, url.PathEscape(name))
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond) // a stream goes on for ever
		defer cancel()
		r, err := http.NewRequestWithContext(ctx, op.Method, "http://localhost:7717"+path, bytes.NewReader(body))
		if err != nil {
			return
		}
		r.URL.RawQuery, r.RequestURI, r.RemoteAddr = query, path, "127.0.0.1:1"
		for header, value := range map[string]string{"Last-Event-ID": cursor, "Idempotency-Key": key} {
			if value != "" {
				r.Header.Set(header, value)
			}
		}
		kind := "application/json"
		if strings.HasPrefix(path, "/login") {
			kind = "application/x-www-form-urlencoded"
		}
		r.Header.Set("Content-Type", kind)
		r.Header.Set("Origin", "http://localhost:7717")
		switch {
		case auth == "":
			r.Header.Set("Authorization", "Bearer "+o.token)
		case len(auth)%2 == 0:
			r.Header.Set("Authorization", auth)
		default:
			r.Header.Set("Cookie", "rein_session="+auth)
		}
		if len(cursor) > 1 {
			r.Header.Set("Accept", "text/event-stream")
		}
		w := httptest.NewRecorder()
		o.handler.ServeHTTP(w, r)
		if log := o.log.String(); strings.Contains(log, "level=ERROR") {
			t.Fatalf("%s %s: the log has %s", op.Method, path, log)
		}
		if w.Code >= 500 && w.Code != http.StatusServiceUnavailable && w.Code != http.StatusGatewayTimeout {
			t.Fatalf("%s %s %q: %d %s", op.Method, path, body, w.Code, w.Body)
		}
		media, _, _ := mime.ParseMediaType(w.Header().Get("Content-Type"))
		if (media == "application/json" || media == api.ProblemType) && !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%s %s: %d is not JSON: %q", op.Method, path, w.Code, w.Body)
		}
		if media == api.ProblemType && w.Body.Len() > 16<<10 {
			t.Fatalf("%s %s: a problem of %d bytes", op.Method, path, w.Body.Len())
		}
	})
}
