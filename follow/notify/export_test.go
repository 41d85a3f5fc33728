package notify

import (
	"net"
	"net/http"
	"time"
)

// UseTransport has everything sent by what a test brings.
func (n *Notifier) UseTransport(t http.RoundTripper) {
	for _, c := range n.couriers {
		c.client.Transport = t
	}
}

// NewClient is newClient for tests.
func NewClient(private bool, r *net.Resolver) *http.Client { return newClient(private, r) }

// Pause is pause for tests.
func Pause(first time.Duration, tries int) time.Duration { return pause(first, tries) }
