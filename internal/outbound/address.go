package outbound

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
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

// IsPublic reports whether an address is one of the internet. What is private, of this machine, of this
// link (where clouds keep their metadata), for many, or of no known use is not.
func IsPublic(a netip.Addr) bool {
	a = a.Unmap()
	if !a.IsGlobalUnicast() || a.IsPrivate() || a.Zone() != "" || a.Is6() && !internet.Contains(a) {
		return false
	}
	return !slices.ContainsFunc(reserved, func(p netip.Prefix) bool { return p.Contains(a) })
}

// allows reports whether an address may be dialled.
func (o Options) allows(a netip.Addr) bool {
	plain := a.Unmap()
	return IsPublic(a) || plain.Zone() == "" && slices.ContainsFunc(o.Allow, func(p netip.Prefix) bool { return p.Contains(plain) })
}

// dial connects to a host. A host that was named may have any address.
func (o Options) dial(ctx context.Context, _, address string) (net.Conn, error) {
	dialer := &net.Dialer{Timeout: dialTimeout, Resolver: o.Resolver}
	if host, port, err := net.SplitHostPort(address); !o.Trusted && (err != nil || !o.names(host, port)) {
		dialer.Control = o.control
	}
	return dialer.DialContext(ctx, "tcp", address)
}

// control refuses a connection by the address that is really dialled, whatever its name said when it was
// looked up before.
func (o Options) control(network, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || network != "tcp4" && network != "tcp6" {
		return refused("its address cannot be checked")
	}
	if !o.allows(to.Addr()) {
		return refused("%s is not an address of the internet", to.Addr())
	}
	return nil
}

// names reports whether a host was named by whoever runs rein, with this port.
func (o Options) names(host, port string) bool {
	return slices.ContainsFunc(o.Hosts, func(named string) bool {
		name, only, err := net.SplitHostPort(named)
		if err != nil {
			name, only = strings.Trim(named, "[]"), ""
		}
		return sameHost(name, host) && (only == port || only == "" && slices.Contains(webPorts, port))
	})
}

// sameHost compares names as the DNS does.
func sameHost(a, b string) bool {
	return strings.EqualFold(strings.TrimSuffix(a, "."), strings.TrimSuffix(b, "."))
}
