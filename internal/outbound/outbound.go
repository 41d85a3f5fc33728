// Package outbound is the HTTP client for every address that a model, a page, a user or a server chose. It
// reaches public addresses only. The check is made on the address that is dialled, after the name was looked
// up, and again for every redirect; so neither a name that changes its address nor a redirect gets past it.
// Headers, bodies, redirects and time have limits, and it keeps no cookies and uses no proxy.
package outbound

import (
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Options say what a client may reach and how much it reads. The zero value reaches the web ports of public
// addresses.
type Options struct {
	// Allow lists networks that may be reached although they are not public.
	Allow []netip.Prefix
	// Hosts lists what whoever runs rein named: "host" or "host:port". Such a host may have any address, and
	// the port that stands there. Redirects to other hosts are checked as usual.
	Hosts []string
	// Trusted says that whoever runs rein chose the address: no address and no port is refused.
	Trusted bool
	// AnyPort allows ports other than 80, 443, 8080 and 8443.
	AnyPort bool
	// Redirects is how many are followed; 0: 5. NoRedirects returns the first one as the answer.
	Redirects   int
	NoRedirects bool
	// Timeout is for a whole request, its redirects and its body included; 0: 30 s. Negative: there is none, for
	// streams, which end with their context.
	Timeout time.Duration
	// Header and Body are the most bytes that are read; 0: 64 kB and 8 MB. A longer body fails with ErrTooLong
	// where it is read; it is counted after it was decompressed. A negative Body has no limit.
	Header, Body int64
	// PerHost bounds the connections to one host; 0: 8.
	PerHost int
	// Resolver looks names up; nil: the system's.
	Resolver *net.Resolver
}

const (
	usualRedirects = 5
	usualTimeout   = 30 * time.Second
	usualHeader    = 64 << 10
	usualBody      = 8 << 20
	usualPerHost   = 8
	dialTimeout    = 10 * time.Second
	idleTimeout    = 30 * time.Second
)

// New makes a client. Its errors can hold the URL, which may be secret: Reason returns what can be shown.
func New(o Options) *http.Client {
	o = o.complete()
	return &http.Client{
		Transport:     &transport{options: o, inner: newTransport(o)},
		CheckRedirect: o.redirect,
		Timeout:       max(o.Timeout, 0),
	}
}

// complete fills in what is usual.
func (o Options) complete() Options {
	if o.Redirects == 0 {
		o.Redirects = usualRedirects
	}
	if o.Timeout == 0 {
		o.Timeout = usualTimeout
	}
	if o.Header == 0 {
		o.Header = usualHeader
	}
	if o.Body == 0 {
		o.Body = usualBody
	}
	if o.PerHost == 0 {
		o.PerHost = usualPerHost
	}
	return o
}

// newTransport makes what connects. It has no proxy: the address that is checked must be the one that is
// reached.
func newTransport(o Options) *http.Transport {
	return &http.Transport{
		DialContext: o.dial, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: dialTimeout, ResponseHeaderTimeout: max(o.Timeout, 0), IdleConnTimeout: idleTimeout,
		MaxIdleConns: 4 * o.PerHost, MaxConnsPerHost: o.PerHost, MaxResponseHeaderBytes: o.Header,
	}
}

// transport checks each request, redirects included, before it is sent.
type transport struct {
	options Options
	inner   *http.Transport
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := t.options.checkURL(r.URL); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // a RoundTripper always closes it
		}
		return nil, err
	}
	answer, err := t.inner.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if t.options.Body >= 0 && answer.Body != nil && r.Method != http.MethodHead {
		answer.Body = &limited{ReadCloser: answer.Body, left: t.options.Body}
	}
	return answer, nil
}

// CloseIdleConnections is called by the method of http.Client.
func (t *transport) CloseIdleConnections() { t.inner.CloseIdleConnections() }
