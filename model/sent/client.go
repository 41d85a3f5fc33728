package sent

import (
	"net"
	"net/http"
	"sync"
	"time"
)

// sharedClient is for many runs at once: Go's own keeps two idle connections per host, and a new
// one for each call costs more than the call. There is no limit for a whole exchange, since a reply
// may be long; the context has one.
var sharedClient = sync.OnceValue(func() *http.Client {
	return &http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   10 * time.Second,
		ResponseHeaderTimeout: time.Hour, // the context ends sooner; a plain reply has its header when it is written to the end
		ExpectContinueTimeout: time.Second,
		ForceAttemptHTTP2:     true,
		MaxIdleConns:          512,
		MaxIdleConnsPerHost:   128,
		IdleConnTimeout:       90 * time.Second,
	}}
})

// Client returns a client that follows no redirect, which would take the prompt, and a key in a header of its own, to
// another host. It is like the given one; without one it shares its connections with all that were made so.
func Client(given *http.Client) *http.Client {
	if given == nil {
		given = sharedClient()
	}
	client := *given
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client
}
