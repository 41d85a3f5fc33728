package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"rein"
	"rein/api"
	"rein/follow/notify"
	"rein/server"
)

// TestDeliveries shows who manages the household what webhooks were told, and tries again what was not.
func TestDeliveries(t *testing.T) {
	r := newRig(t)
	told := make(chan struct{}, 10)
	hook := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusGone) // which disables it
		told <- struct{}{}
	}))
	defer hook.Close()
	n, err := notify.New(notify.Options{Store: r.store, Targets: []notify.Target{
		{Name: "phone", URL: hook.URL, Private: true, Secret: func() string { return "a secret of enough bytes" }},
	}})
	check(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- n.Serve(ctx) }()
	defer func() {
		cancel()
		check(t, <-served)
	}()
	r.handler = checked(r, server.New(server.Options{
		Engine: r.engine, Store: r.store, Feed: r.feed, Who: who, Notifier: n, Health: func() api.Health { return api.Health{} },
	}))
	r.start("a", task("ask", ""))
	<-told
	var status api.Deliveries
	for len(status.Targets) == 0 || status.Targets[0].Disabled.IsZero() { // it is written down a moment later
		check(t, json.Unmarshal(r.get("/v1/deliveries"), &status))
	}
	if len(status.Deliveries) != 1 || status.Deliveries[0].Ask != rein.AskID("a:1.ask") || status.Deliveries[0].Tries != 1 {
		t.Errorf("deliveries: %+v", status.Deliveries)
	}
	if w := r.request("POST", "/v1/webhooks/phone/retry", "", nil); w.Code != http.StatusNoContent {
		t.Errorf("retry: %d %s", w.Code, w.Body)
	}
	<-told // again
	for target, status := range map[string]int{"/v1/webhooks/none/retry": http.StatusNotFound} {
		if w := r.request("POST", target, "", nil); w.Code != status {
			t.Errorf("POST %s: %d %s", target, w.Code, w.Body)
		}
	}
	for _, user := range []string{"ann", "stranger"} {
		want := map[string]int{"ann": http.StatusForbidden, "stranger": http.StatusForbidden}[user]
		if w := r.request("POST", "/v1/webhooks/phone/retry", user, nil); w.Code != want {
			t.Errorf("%s retries: %d %s", user, w.Code, w.Body)
		}
	}
}
