package outbound_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"rein/internal/outbound"
	"rein/internal/outbound/outboundtest"
)

// local allows this machine, as a test needs it.
func local(o outbound.Options) outbound.Options {
	o.Allow, o.AnyPort = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, true
	return o
}

// serve starts a server that is closed with the test, clients that hang or not.
func serve(t *testing.T, h http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(func() { server.CloseClientConnections(); server.Close() })
	return server.URL
}

// A page may redirect, but only so often, and only to where it could have been asked for in the first place.
//
// Attack: 81
func TestRedirects(t *testing.T) {
	t.Parallel()
	inside, hits, port := listen(t)
	defer inside.Close()
	targets := map[string]string{
		"/metadata": "http://169.254.169.254/latest/meta-data/", "/v6": "http://[::1]:" + port + "/", "/file": "file:///etc/passwd",
		"/user": "http://root:secret@127.0.0.1:" + port + "/", "/name": "http://inside.example:" + port + "/", "/loop": "/loop", "/relative": "//169.254.169.254/", "/number": "http://2852039166/",
	}
	page := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if to := targets[r.URL.Path]; to != "" {
			http.Redirect(w, r, to, http.StatusFound)
			return
		}
		fmt.Fprint(w, "here")
	})
	// The page itself may be reached by its name. Of other names this machine is the address, and refused.
	host := strings.TrimPrefix(page, "http://")
	client := outbound.New(outbound.Options{Hosts: []string{host}, Resolver: outboundtest.Names(t, func() netip.Addr { return netip.MustParseAddr("127.0.0.1") }), AnyPort: true})
	for path := range targets {
		answer, err := client.Get(page + path)
		var refused *outbound.RefusedError
		if err == nil {
			answer.Body.Close()
		}
		if !errors.As(err, &refused) {
			t.Errorf("%s: %v", path, err)
		}
	}
	if hits.Load() != 0 {
		t.Errorf("%d redirects came through", hits.Load())
	}
	targets["/once"] = "/"
	answer, err := client.Get(page + "/once")
	if err != nil || answer.Request.URL.Path != "/" {
		t.Fatal(err)
	}
	answer.Body.Close()
	answer, err = outbound.New(local(outbound.Options{NoRedirects: true})).Get(page + "/once")
	if err != nil || answer.StatusCode != http.StatusFound {
		t.Errorf("%v %v", answer, err)
	}
	answer.Body.Close()
}

// What was meant for one host does not reach another, and comes back to none: keys, cookies, the page before,
// a body.
//
// Attack: 82
func TestNothingCrosses(t *testing.T) {
	t.Parallel()
	var got atomic.Pointer[http.Header]
	var again string
	other := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/back" {
			http.Redirect(w, r, again, http.StatusTemporaryRedirect)
			return
		}
		got.Store(&r.Header)
	})
	first := serve(t, func(w http.ResponseWriter, r *http.Request) {
		http.SetCookie(w, &http.Cookie{Name: "id", Value: "SECRET"})
		switch r.URL.Path {
		case "/away", "/back":
			http.Redirect(w, r, other+r.URL.Path, http.StatusTemporaryRedirect)
		case "/stay":
			http.Redirect(w, r, "/end", http.StatusFound)
		default:
			got.Store(&r.Header)
		}
	})
	again = first + "/end"
	client := outbound.New(local(outbound.Options{}))
	for _, path := range []string{"/away", "/back", "/stay"} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, first+path+"?key=SECRET", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range []string{"Authorization", "X-Subscription-Token", "Cookie", "X-Api-Key"} {
			r.Header.Set(name, "SECRET")
		}
		r.Header.Set("Accept", "text/html")
		answer, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		sent := fmt.Sprint(*got.Load())
		if stays := path == "/stay"; strings.Contains(sent, "SECRET") != stays || !strings.Contains(sent, "text/html") || got.Load().Get("Referer") != "" {
			t.Errorf("%s: %s", path, sent)
		}
	}
	_, err := client.Post(first+"/away", "text/plain", strings.NewReader("SECRET"))
	if err == nil || !strings.Contains(outbound.Reason(err), "to another host") {
		t.Errorf("a body was sent on: %v", err)
	}
}

// Of an answer without end, or one that grows when it is decompressed, the limit is read and no more.
//
// Attack: 83
func TestBodies(t *testing.T) {
	t.Parallel()
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	zeros := make([]byte, 1<<20)
	for range 8 {
		_, _ = z.Write(zeros)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	page := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/bomb":
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(bomb.Bytes())
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := w.Write(zeros); err != nil {
					return
				}
			}
		case "/exact":
			_, _ = w.Write(zeros[:1000])
		}
	})
	client := outbound.New(local(outbound.Options{Body: 1000}))
	for _, path := range []string{"/bomb", "/endless"} {
		answer, err := client.Get(page + path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(answer.Body)
		if !errors.Is(err, outbound.ErrTooLong) || len(text) != 1000 {
			t.Errorf("%s: %d bytes, %v", path, len(text), err)
		}
		answer.Body.Close()
	}
	answer, err := client.Get(page + "/exact")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if text, err := io.ReadAll(answer.Body); err != nil || len(text) != 1000 {
		t.Errorf("%d bytes, %v", len(text), err)
	}
}

// A server that sends its header or its body drop by drop, or a header that is too large, is given up.
//
// Attack: 83
func TestSlowAndHuge(t *testing.T) {
	t.Parallel()
	page := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/huge":
			w.Header().Set("X-Large", strings.Repeat("x", 100_000))
		case "/never":
			<-r.Context().Done()
		case "/drops":
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	})
	client := outbound.New(local(outbound.Options{Timeout: 300 * time.Millisecond}))
	if _, err := outbound.New(local(outbound.Options{})).Get(page + "/huge"); err == nil || outbound.IsTimeout(err) {
		t.Errorf("a large header: %v", err)
	}
	if _, err := client.Get(page + "/never"); !outbound.IsTimeout(err) || outbound.Reason(err) != "it did not answer in time" {
		t.Errorf("no header: %v", err)
	}
	answer, err := client.Get(page + "/drops")
	if err == nil {
		defer answer.Body.Close()
		_, err = io.ReadAll(answer.Body)
	}
	if !outbound.IsTimeout(err) {
		t.Errorf("no body: %v", err)
	}
	slow, err := net.Listen("tcp", "127.0.0.1:0") // sends a byte of its header and no more
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	go func() {
		for {
			c, err := slow.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte("H"))
		}
	}()
	// The error may be that of the connection that the client has just closed.
	if _, err := client.Get("http://" + slow.Addr().String()); err == nil {
		t.Error("a slow header was waited for")
	}
}

// A server that cannot prove who it is gets no request.
func TestCertificates(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request came through") }))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	defer server.Close()
	if _, err := outbound.New(local(outbound.Options{})).Get(server.URL); err == nil || !strings.Contains(outbound.Reason(err), "certificate") {
		t.Error(err)
	}
}

// Variables of the environment do not choose a proxy: the address that is checked is the one that is reached.
func TestNoProxy(t *testing.T) {
	proxy, hits, port := listen(t)
	defer proxy.Close()
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:"+port)
	}
	resolver := outboundtest.Names(t, func() netip.Addr { return netip.MustParseAddr("127.0.0.1") })
	if _, err := outbound.New(outbound.Options{Resolver: resolver}).Get("http://public.example/"); err == nil || hits.Load() != 0 {
		t.Errorf("%v, %d requests to the proxy", err, hits.Load())
	}
}

// A reason is one line that people can read, whatever went wrong.
func TestReason(t *testing.T) {
	t.Parallel()
	client := outbound.New(outbound.Options{Resolver: &net.Resolver{PreferGo: true, Dial: nil}})
	_, err := client.Get("http://no\x7fhost.invalid/?key=SECRET")
	if err == nil || strings.Contains(outbound.Reason(err), "SECRET") || strings.ContainsAny(outbound.Reason(err), "\n\x7f\x1b") {
		t.Errorf("%q", outbound.Reason(err))
	}
	if got := outbound.Reason(errors.New("dial \x1b[31m tcp: no route\nto \xff")); got != "dial  [31m tcp: no route to ?" {
		t.Errorf("%q", got)
	}
}
