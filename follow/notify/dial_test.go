package notify_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rein"
	"rein/follow/notify"
	"rein/internal/outbound"
	"rein/internal/outbound/outboundtest"
)

// A connection is refused by the address that it would be made to, however it is written, before a
// byte is sent; a private target may go there.
//
// Attack: 33
func TestDial(t *testing.T) {
	var hits atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	check(t, err)
	for _, host := range []string{"127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0.0.0.0", "[::]", "169.254.169.254", "10.0.0.1"} {
		_, err := notify.NewClient(false, nil).Get("http://" + host + ":" + port)
		if err == nil || !strings.Contains(err.Error(), "is not an address of the internet") {
			t.Errorf("%s: %v", host, err)
		}
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests came through", hits.Load())
	}
	private := notify.NewClient(true, nil)
	response, err := private.Get(server.URL)
	check(t, err)
	response.Body.Close()
	private.CloseIdleConnections()
	if hits.Load() != 1 {
		t.Error("a private target is not reached")
	}
}

// A name that is looked up as an address of the internet and then as one of this machine reaches
// neither: what counts is the address that is dialled.
//
// Attack: 33
func TestRebinding(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request came through") }))
	defer server.Close()
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	check(t, err)
	var asked atomic.Int64
	resolver := outboundtest.Names(t, func() netip.Addr {
		if asked.Add(1) == 1 {
			return netip.MustParseAddr("203.0.114.1") // would be dialled, if it were the one
		}
		return netip.MustParseAddr("127.0.0.1")
	})
	first, err := resolver.LookupNetIP(t.Context(), "ip4", "rebind.example.")
	if err != nil || !outbound.IsPublic(first[0]) {
		t.Fatalf("%v %v", first, err)
	}
	client := notify.NewClient(false, resolver)
	_, err = client.Get("http://rebind.example.:" + port)
	if err == nil || !strings.Contains(err.Error(), "127.0.0.1 is not an address of the internet") || asked.Load() != 2 {
		t.Errorf("%v, asked %d times", err, asked.Load())
	}
	// A notifier is refused as well, and says why without the URL.
	h := newHouse(t)
	defer h.close()
	hook := target("a")
	hook.URL = "https://rebind.example.:" + port + "/TOKEN"
	n, err := notify.New(notify.Options{Store: h.store, Targets: []notify.Target{hook}, Pause: time.Hour})
	check(t, err)
	failed := make(chan error, 1)
	n.UseTransport(&noting{client.Transport, failed})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- n.Serve(ctx) }()
	h.ask("r1", "home", "ann")
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "is not an address of the internet") {
		t.Error(err)
	}
	cancel()
	check(t, <-done)
}

// noting says how its first request ended.
type noting struct {
	http.RoundTripper
	ended chan error
}

func (n *noting) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := n.RoundTripper.RoundTrip(r)
	select {
	case n.ended <- err:
	default:
	}
	return response, err
}

// Over real sockets: a private target of our own network is told when an ask opens and closes, and
// can check what it gets.
func TestRealServer(t *testing.T) {
	got := make(chan string, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, r.ContentLength)
		_, err := r.Body.Read(body)
		signed := notify.Verify(secret, r.Header.Get(notify.SignatureHeader), body, time.Now())
		got <- fmt.Sprintf("%s %s %v %v %s", r.URL.Path, r.Header.Get(notify.EventHeader), signed, err == nil || err.Error() == "EOF", r.Header.Get("Content-Type"))
		w.WriteHeader(http.StatusAccepted)
	}))
	defer server.Close()
	h := newHouse(t)
	defer h.close()
	hook := target("a", rein.WebhookAskOpened, rein.WebhookAskClosed)
	hook.URL, hook.Private = server.URL+"/hook", true
	n, err := notify.New(notify.Options{Store: h.store, Targets: []notify.Target{hook}})
	check(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- n.Serve(ctx) }()
	ask := h.ask("r1", "home", "ann")
	same(t, "opened", <-got, "/hook ask.opened <nil> true application/json")
	h.answer(ask)
	same(t, "closed", <-got, "/hook ask.closed <nil> true application/json")
	cancel()
	check(t, <-done)
}
