package notify

import (
	"errors"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

// internet is what of IPv6 is given out to be reached by everyone.
var internet = netip.MustParsePrefix("2000::/3")

// reserved is what looks like the internet and is not: what is shared by a provider's customers, made
// for documentation and tests, or leads through to an address of IPv4 that cannot be seen.
var reserved = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15",
	"198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"168.63.129.16/32", // where Azure keeps its metadata, for each machine its own
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
)

func prefixes(all ...string) []netip.Prefix {
	list := make([]netip.Prefix, len(all))
	for i, p := range all {
		list[i] = netip.MustParsePrefix(p)
	}
	return list
}

// isPublic reports whether an address is one of the internet. What is private, of this machine, of this
// link (where clouds keep their metadata), for many, or of no known use is not.
func isPublic(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" || a.Is6() && !internet.Contains(a) {
		return false
	}
	for _, p := range reserved {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// errNotPublic says that a name leads to where no webhook should.
var errNotPublic = errors.New("its address is not one of the internet: mark the target as private if it is meant")

// onlyPublic refuses a connection by the address that is really dialled, whatever its name said when
// it was looked up before.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !isPublic(to.Addr()) {
		return errNotPublic
	}
	return nil
}

// newTransport makes what speaks to one target. It uses no proxy of the environment: the address that
// is checked must be the one that is reached.
func newTransport(private bool, resolver *net.Resolver) *http.Transport {
	dialer := &net.Dialer{Timeout: tryLimit, Resolver: resolver}
	if !private {
		dialer.Control = onlyPublic
	}
	return &http.Transport{
		DialContext: dialer.DialContext, ForceAttemptHTTP2: true,
		TLSHandshakeTimeout: tryLimit, ResponseHeaderTimeout: tryLimit, IdleConnTimeout: 30 * time.Second,
		MaxIdleConns: parallel, MaxConnsPerHost: parallel, MaxResponseHeaderBytes: 16 << 10,
	}
}
