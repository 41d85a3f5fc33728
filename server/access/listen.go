package access

import (
	"net"
	"net/netip"

	"rein"
)

// CheckListen says whether a server may listen on an address. Where only this machine can connect it
// may; elsewhere there must be a token for at least one user, and without TLS there are warnings.
func CheckListen(addr string, tls, hasTokens bool) (warnings []string, err error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil || port == "" {
		return nil, rein.Errorf(rein.CodeInvalid, "listen on %.100q: it must be HOST:PORT, such as 127.0.0.1:7717", addr)
	}
	if at, err := netip.ParseAddr(host); host == "localhost" || err == nil && at.Unmap().IsLoopback() {
		return nil, nil
	}
	if !hasTokens {
		return nil, rein.Errorf(rein.CodeForbidden, "listen on %s: others can connect there, and there is no token yet: create a token first, or listen on 127.0.0.1:%s", addr, port)
	}
	if !tls {
		warnings = append(warnings, "others can connect to "+addr+", and the connection is not encrypted, so tokens and cookies can be read on the way: set a certificate, or put a proxy with TLS in front")
	}
	return warnings, nil
}
