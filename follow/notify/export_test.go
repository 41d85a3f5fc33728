package notify

import (
	"net"
	"net/http"
	"net/netip"
	"time"
)

// IsPublic is isPublic for tests.
func IsPublic(a netip.Addr) bool { return isPublic(a) }

// UseTransport has everything sent by what a test brings.
func (n *Notifier) UseTransport(t http.RoundTripper) {
	for _, c := range n.couriers {
		c.client.Transport = t
	}
}

// NewTransport is newTransport for tests.
func NewTransport(private bool, r *net.Resolver) *http.Transport { return newTransport(private, r) }

// Pause is pause for tests.
func Pause(first time.Duration, tries int) time.Duration { return pause(first, tries) }
