package client

import (
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"rein"
)

// Remote speaks to the server at an address such as https://rein.example:8443, with a token. A plain http address is
// only for this machine: over a network the token could be read.
func Remote(address, token string) (*Client, error) {
	u, err := url.Parse(strings.TrimSuffix(address, "/"))
	switch {
	case err != nil:
		return nil, rein.Errorf(rein.CodeInvalid, "%q is not an address: %w", address, err)
	case u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Path != "" || u.User != nil || u.RawQuery != "":
		return nil, rein.Errorf(rein.CodeInvalid, "%q is not the address of a server: write it like https://rein.example:8443", u.Redacted())
	case u.Scheme == "http" && !isHere(u.Hostname()):
		return nil, rein.Errorf(rein.CodeInvalid, "%s is not encrypted, and others could read the token: use https", u.Redacted())
	case token == "":
		return nil, rein.Errorf(rein.CodeInvalid, "%s needs a token: `rein tokens new` on its machine makes one", u.Host)
	}
	transport := &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: time.Minute,
		ForceAttemptHTTP2:     true,
	}
	return &Client{http: &http.Client{Transport: bearer{transport, token}, CheckRedirect: stay}, base: u.Scheme + "://" + u.Host, place: u.Host}, nil
}

func isHere(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// bearer sends a token with each request.
type bearer struct {
	http.RoundTripper
	token string
}

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+b.token)
	return b.RoundTripper.RoundTrip(r)
}
