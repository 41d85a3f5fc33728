package notify_test

import (
	"context"
	"encoding/binary"
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
)

// Only addresses of the internet are public: nothing of this machine, this network, this link, a
// cloud's metadata, or that hides another address inside.
//
// Attack: 33
func TestIsPublic(t *testing.T) {
	for addresses, want := range map[string]bool{
		"1.1.1.1 8.8.8.8 93.184.216.34 172.15.255.255 172.32.0.1 100.63.255.255 100.128.0.0 198.17.0.1 223.255.255.254":      true,
		"2606:4700:4700::1111 2a00:1450::1 ::ffff:8.8.8.8":                                                                   true,
		"0.0.0.0 0.1.2.3 127.0.0.1 127.255.255.254 10.0.0.1 172.16.0.1 172.31.255.255 192.168.0.1":                           false,
		"169.254.169.254 169.254.0.1 100.64.0.1 100.100.100.200 168.63.129.16 192.0.0.192 192.0.2.1 198.18.0.1 198.51.100.7": false,
		"203.0.113.9 192.88.99.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255":                                        false,
		":: ::1 ::7f00:1 fe80::1 fe80::1%eth0 febf::1 fec0::1 fc00::1 fd00:ec2::254 ff02::1 ff0e::1":                         false,
		"::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:169.254.169.254 ::ffff:7f00:1 64:ff9b::7f00:1 64:ff9b:1::1":                 false,
		"2002:7f00:1:: 2002:a9fe:a9fe:: 2001:0:1::1 2001:db8::1 3fff::1 100::1 4000::1 2606:4700::1%eth0":                    false,
	} {
		for _, a := range strings.Fields(addresses) {
			if got := notify.IsPublic(netip.MustParseAddr(a)); got != want {
				t.Errorf("%s: %v", a, got)
			}
		}
	}
	if notify.IsPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}

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
		client := &http.Client{Transport: notify.NewTransport(false, nil), Timeout: 5 * time.Second}
		_, err := client.Get("http://" + host + ":" + port)
		if err == nil || !strings.Contains(err.Error(), "not one of the internet") {
			t.Errorf("%s: %v", host, err)
		}
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests came through", hits.Load())
	}
	private := &http.Client{Transport: notify.NewTransport(true, nil), Timeout: 5 * time.Second}
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
	resolver := names(t, func() netip.Addr {
		if asked.Add(1) == 1 {
			return netip.MustParseAddr("203.0.114.1") // would be dialled, if it were the one
		}
		return netip.MustParseAddr("127.0.0.1")
	})
	first, err := resolver.LookupNetIP(t.Context(), "ip4", "rebind.example.")
	if err != nil || !notify.IsPublic(first[0]) {
		t.Fatalf("%v %v", first, err)
	}
	client := &http.Client{Transport: notify.NewTransport(false, resolver), Timeout: 5 * time.Second}
	_, err = client.Get("http://rebind.example.:" + port)
	if err == nil || !strings.Contains(err.Error(), "not one of the internet") || asked.Load() != 2 {
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
	n.UseTransport(&noting{notify.NewTransport(false, resolver), failed})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- n.Serve(ctx) }()
	h.ask("r1", "home", "ann")
	if err := <-failed; err == nil || !strings.Contains(err.Error(), "not one of the internet") {
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

// names returns a resolver that asks a name server of this test, which has one address for all names.
func names(t *testing.T, address func() netip.Addr) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	check(t, err)
	t.Cleanup(func() { server.Close() })
	go func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(buffer)
			if err != nil {
				return
			}
			_, _ = server.WriteTo(reply(buffer[:n], address), from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// reply answers a question for an IPv4 address, and says that there is no IPv6 one.
func reply(query []byte, address func() netip.Addr) []byte {
	end := 12
	for end < len(query) && query[end] != 0 {
		end += int(query[end]) + 1
	}
	end += 5 // the root, type and class
	kind := binary.BigEndian.Uint16(query[end-4:])
	out := append([]byte{}, query[:end]...)
	out[2], out[3] = 0x84, 0 // an answer, with authority
	binary.BigEndian.PutUint16(out[6:], 0)
	binary.BigEndian.PutUint32(out[8:], 0)
	if kind == 1 {
		binary.BigEndian.PutUint16(out[6:], 1)
		out = append(out, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		a := address().As4()
		out = append(out, a[:]...)
	}
	return out
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
