package engine_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"rein"
	"rein/dispatch/local"
	"rein/engine"
	"rein/engine/work"
	"rein/flow"
	"rein/model/openai"
	"rein/store/sqlite"
	"rein/store/sqlite/sqlitetest"
)

// A try that reached no model costs nothing, and one that was cut costs its input and what it said. What
// the budget counts is what the log says of the calls.
//
// Covers: LAW-4
func TestFailedCallsCost(t *testing.T) {
	const said = "forty characters of an answer, and then "
	nobody := freePort(t)
	for name, c := range map[string]struct {
		serve http.HandlerFunc // nil: nothing listens
		least int64
		most  int64
	}{
		"nothing listens": {},
		"no such model": {serve: func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"message":"model not found"}}`, 404)
		}},
		"overloaded": {serve: func(w http.ResponseWriter, _ *http.Request) { http.Error(w, `{}`, 400) }},
		"cut": {serve: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":%q}}]}\n\n", said)
			fmt.Fprint(w, "event: error\ndata: {\"error\":{\"message\":\"broken\",\"code\":\"content_filter\"}}\n\n")
		}, least: int64(len(said) / 4), most: 200},
	} {
		t.Run(name, func(t *testing.T) {
			url := nobody
			if c.serve != nil {
				s := httptest.NewServer(c.serve)
				defer s.Close()
				url = s.URL
			}
			ledger, counted := failedRun(t, url)
			if used := ledger.Used.Tokens; used < c.least || used > c.most {
				t.Errorf("the run used %d tokens, want %d to %d", used, c.least, c.most)
			}
			if counted != ledger.Used.Tokens {
				t.Errorf("the log says %d tokens, the budget %d", counted, ledger.Used.Tokens)
			}
		})
	}
}

// freePort is the address of a server that does not run.
func freePort(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return "http://" + l.Addr().String()
}

// failedRun runs a chat whose model fails, until its first try has. It returns what the budget counts and
// what the log's calls took.
func failedRun(t *testing.T, url string) (ledger rein.Ledger, counted int64) {
	tried := make(chan struct{}, 100)
	s, err := sqlitetest.Open(t, filepath.Join(t.TempDir(), "rein.db"), sqlite.Options{OnCommit: func(events []rein.Event) {
		for _, e := range events {
			if used := usageOf(e); used != nil {
				tried <- struct{}{}
			}
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	model, err := openai.New(openai.Options{Model: "m", BaseURL: url})
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.Options{
		Store: s, Flows: flow.All(), Dispatch: &local.Dispatcher{}, Grace: engine.NoGrace,
		Worker: &work.Worker{Models: map[string]rein.Model{"": model}},
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- e.Serve(ctx) }()
	defer func() { stop(); <-served }()
	if _, err := e.Start(ctx, "r", rein.Task{Flow: "chat", Messages: []rein.Message{{Role: rein.User, Text: "hello"}}}); err != nil {
		t.Fatal(err)
	}
	<-tried
	_, _ = e.Command(ctx, rein.Command{Kind: rein.CommandCancel, Run: "r"}) // unless it has ended
	if _, err := e.Wait(ctx, "r"); err != nil {
		t.Fatal(err)
	}
	for e, err := range s.Events(ctx, "r", 0) {
		if err != nil {
			t.Fatal(err)
		}
		if used := usageOf(e); used != nil {
			counted += used.Input + used.Output
		}
	}
	if ledger, err = s.Ledger(ctx, "r"); err != nil {
		t.Fatal(err)
	}
	return ledger, counted
}

// usageOf is what the log says of a try that failed.
func usageOf(e rein.Event) *rein.Usage {
	var try struct{ Usage *rein.Usage }
	if e.Kind != rein.StepWaiting && e.Kind != rein.StepDone || json.Unmarshal(e.Data, &try) != nil {
		return nil
	}
	return try.Usage
}
