package outbound_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"rein/internal/outbound"
	"rein/internal/outbound/outboundtest"
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
			if got := outbound.IsPublic(netip.MustParseAddr(a)); got != want {
				t.Errorf("%s: %v", a, got)
			}
		}
	}
	if outbound.IsPublic(netip.Addr{}) {
		t.Error("no address is public")
	}
}

// spellings are ways to write an address that is not of the internet, or a URL that is not one of the web. PORT
// is the port of a server on this machine.
const spellings = `
http://127.0.0.1:PORT/ http://localhost:PORT/ http://LOCALHOST.:PORT/ http://[::1]:PORT/ http://[::]:PORT/ http://0.0.0.0:PORT/
http://0:PORT/ http://127.1:PORT/ http://127.0.1:PORT/ http://2130706433:PORT/ http://0x7f000001:PORT/ http://0x7f.0.0.1:PORT/
http://0x7F.1:PORT/ http://017700000001:PORT/ http://0177.0.0.1:PORT/ http://127.0.0.1.:PORT/ http://0x:PORT/ http://a.0x7f:PORT/
http://[::ffff:127.0.0.1]:PORT/ http://[::ffff:7f00:1]:PORT/ http://[0:0:0:0:0:ffff:127.0.0.1]:PORT/ http://[::127.0.0.1]:PORT/
http://[64:ff9b::127.0.0.1]/ http://[64:ff9b:1::7f00:1]/ http://[2002:7f00:1::]/ http://[2002:a9fe:a9fe::1]/ http://[2001:0:7f00:1::1]/
http://[fe80::1]/ http://[fe80::1%25eth0]/ http://[fc00::1]/ http://[fd00:ec2::254]/latest/meta-data/ http://[ff02::1]/ http://[fec0::1]/
http://169.254.169.254/latest/meta-data/ https://169.254.169.254/ http://2852039166/ http://0xa9fea9fe/ http://0251.0376.0251.0376/
http://169.254.43518/ http://100.100.100.200/ http://168.63.129.16/ http://192.0.0.192/opc/v2/ http://10.0.0.1/ http://172.16.0.1/
http://192.168.1.1/ http://100.64.0.1/ http://198.18.0.1/ http://224.0.0.1/ http://255.255.255.255/ http://240.0.0.1/
http://user@127.0.0.1:PORT/ http://user:secret@example.org/ http://example.org@127.0.0.1:PORT/ http://example.org:22/ http://example.org:6379/
http://example.org:0/ http://:PORT/ http:///etc/passwd http:127.0.0.1:PORT file:///etc/passwd ftp://example.org/ gopher://127.0.0.1:PORT/
unix:///run/docker.sock data:text/plain,x javascript:alert(1) ws://127.0.0.1:PORT/ HTTP+UNIX://x/ //127.0.0.1:PORT/ /etc/passwd
`

// However an address is written, nothing reaches what is not of the internet, and a person can read why.
//
// Attack: 81
func TestSpellings(t *testing.T) {
	t.Parallel()
	server, hits, port := listen(t)
	defer server.Close()
	client := outbound.New(outbound.Options{AnyPort: false})
	tried := 0
	for _, spelling := range strings.Fields(spellings) {
		tried++
		for _, c := range []*http.Client{client, outbound.New(outbound.Options{AnyPort: true})} {
			if c != client && !strings.Contains(spelling, "PORT") {
				continue
			}
			answer, err := c.Get(strings.ReplaceAll(spelling, "PORT", port))
			if err == nil {
				answer.Body.Close()
				t.Errorf("%s: %s", spelling, answer.Status)
			}
		}
	}
	if tried < 40 {
		t.Errorf("only %d spellings", tried)
	}
	if hits.Load() != 0 {
		t.Errorf("%d requests came through", hits.Load())
	}
}

// listen starts a server on this machine that counts what reaches it.
func listen(t *testing.T) (server *httptest.Server, hits *atomic.Int64, port string) {
	t.Helper()
	hits = &atomic.Int64{}
	server = httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { hits.Add(1) }))
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return server, hits, port
}

// A refusal is one, with a reason and without what was asked for.
//
// Attack: 81
func TestRefusals(t *testing.T) {
	t.Parallel()
	client := outbound.New(outbound.Options{})
	for address, want := range map[string]string{
		"http://127.0.0.1/?key=SECRET":     "127.0.0.1 is not an address of the internet",
		"http://2130706433/?key=SECRET":    "is a number and not a plain address",
		"http://example.org:25/SECRET":     "port 25 is not one of 80, 443, 8080, 8443",
		"http://me:SECRET@example.org/":    "holds a user or a password",
		"ftp://example.org/SECRET":         `begins with "ftp"`,
		"http://localhost/?key=SECRET":     "is not an address of the internet",
		"https://[::1]:8443/?token=SECRET": "::1 is not an address of the internet",
	} {
		_, err := client.Get(address)
		var refused *outbound.RefusedError
		if !errors.As(err, &refused) || !strings.Contains(outbound.Reason(err), want) || strings.Contains(outbound.Reason(err), "SECRET") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// A name that is looked up as an address of the internet and then as one of this machine reaches neither: what
// counts is the address that is dialled.
//
// Attack: 81
func TestRebinding(t *testing.T) {
	t.Parallel()
	server, hits, port := listen(t)
	defer server.Close()
	var asked atomic.Int64
	resolver := outboundtest.Names(t, func() netip.Addr {
		if asked.Add(1) == 1 {
			return netip.MustParseAddr("203.0.114.1")
		}
		return netip.MustParseAddr("127.0.0.1")
	})
	first, err := resolver.LookupNetIP(t.Context(), "ip4", "rebind.example.")
	if err != nil || !outbound.IsPublic(first[0]) {
		t.Fatalf("%v %v", first, err)
	}
	_, err = outbound.New(outbound.Options{AnyPort: true, Resolver: resolver}).Get("http://rebind.example.:" + port)
	if err == nil || outbound.Reason(err) != "127.0.0.1 is not an address of the internet" || asked.Load() != 2 || hits.Load() != 0 {
		t.Errorf("%v, looked up %d times, %d requests", err, asked.Load(), hits.Load())
	}
}

// Public addresses are not refused, however they are written.
func TestPublic(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // nothing is sent
	for _, address := range []string{"http://8.8.8.8/", "https://[2606:4700:4700::1111]:8443/", "http://[::ffff:8.8.8.8]:8080/", "https://example.org/", "HTTPS://1.org.:443/"} {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = outbound.New(outbound.Options{}).Do(r)
		if _, refused := errors.AsType[*outbound.RefusedError](err); refused || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", address, err)
		}
	}
}

// What whoever runs rein allows is reached: a network, a host with its port, everything.
func TestAllowed(t *testing.T) {
	t.Parallel()
	server, hits, port := listen(t)
	defer server.Close()
	home := outboundtest.Names(t, func() netip.Addr { return netip.MustParseAddr("127.0.0.1") })
	for _, c := range []struct {
		name    string
		options outbound.Options
		url     string
		ok      bool
	}{
		{"a network", outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}, "http://127.0.0.1:" + port, true},
		{"a network, mapped", outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, AnyPort: true}, "http://[::ffff:127.0.0.1]:" + port, true},
		{"a network, but not its port", outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}, "http://127.0.0.1:" + port, false},
		{"another network", outbound.Options{Allow: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}, AnyPort: true}, "http://127.0.0.1:" + port, false},
		{"a host with its port", outbound.Options{Hosts: []string{"searx.lan:" + port}, Resolver: home}, "http://SEARX.lan.:" + port, true},
		{"a host with another port", outbound.Options{Hosts: []string{"searx.lan:81"}, Resolver: home}, "http://searx.lan:" + port, false},
		{"a host without a port", outbound.Options{Hosts: []string{"searx.lan"}, Resolver: home}, "http://searx.lan:" + port, false},
		{"another host", outbound.Options{Hosts: []string{"searx.lan:" + port}, AnyPort: true, Resolver: home}, "http://evil.searx.lan:" + port, false},
		{"everything", outbound.Options{Trusted: true}, "http://127.0.0.1:" + port, true},
	} {
		before := hits.Load()
		answer, err := outbound.New(c.options).Get(c.url)
		if err == nil {
			answer.Body.Close()
		}
		if (err == nil) != c.ok || (hits.Load() > before) != c.ok {
			t.Errorf("%s: %v, %d requests", c.name, err, hits.Load()-before)
		}
	}
}
