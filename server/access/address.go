package access

import (
	"net/http"
	"net/netip"
	"strings"
)

// address returns where a request comes from, as far as strangers are counted by it: an IPv4 address,
// or the network of an IPv6 one, since everybody has as many of those as they like.
func (a *Access) address(r *http.Request) string {
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if err != nil {
		return "unknown"
	}
	at := from.Addr().Unmap().WithZone("")
	if a.isProxy(at) {
		at = a.forwarded(r, at)
	}
	if at.Is6() {
		network, _ := at.Prefix(64)
		return network.String()
	}
	return at.String()
}

// forwarded returns the last address in X-Forwarded-For that is no proxy of ours: what stands before
// it anyone can write.
func (a *Access) forwarded(r *http.Request, proxy netip.Addr) netip.Addr {
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	at := proxy
	for i := len(hops) - 1; i >= 0; i-- {
		hop, err := netip.ParseAddr(strings.TrimSpace(hops[i]))
		if err != nil {
			return at
		}
		if at = hop.Unmap().WithZone(""); !a.isProxy(at) {
			return at
		}
	}
	return at
}

func (a *Access) isProxy(at netip.Addr) bool {
	for _, p := range a.o.Proxies {
		if p.Contains(at) {
			return true
		}
	}
	return false
}
