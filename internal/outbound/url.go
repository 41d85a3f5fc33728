package outbound

import (
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// webPorts are the ports that pages are served on.
var webPorts = []string{"80", "443", "8080", "8443"}

// checkURL says why a URL is not requested, if it is not.
func (o Options) checkURL(u *url.URL) error {
	host, port := u.Hostname(), portOf(u)
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return refused("its address begins with %.20q: only http and https are requested", u.Scheme)
	case u.User != nil:
		return refused("its address holds a user or a password: leave them out")
	case host == "":
		return refused("its address has no host")
	case o.Trusted || o.names(host, port):
		return nil
	case !o.AnyPort && !slices.Contains(webPorts, port):
		return refused("port %.8s is not one of %s", port, strings.Join(webPorts, ", "))
	}
	return o.checkHost(host)
}

// checkHost refuses a host that is an address and not a public one. What a name leads to is known when it is
// dialled; numbers in other forms are refused here, because resolvers disagree about what they mean.
func (o Options) checkHost(host string) error {
	literal, err := netip.ParseAddr(host)
	if err == nil && !o.allows(literal) {
		return refused("%s is not an address of the internet", literal)
	}
	if err != nil && isNumber(lastLabel(host)) {
		return refused("host %.80q is a number and not a plain address", host)
	}
	return nil
}

// lastLabel is what stands after the last dot of a name that has one.
func lastLabel(host string) string {
	host = strings.TrimSuffix(host, ".")
	return host[strings.LastIndexByte(host, '.')+1:]
}

// isNumber reports whether browsers would read a label as part of an address of IPv4: no name of the DNS ends
// in one.
func isNumber(label string) bool {
	lower := strings.ToLower(label)
	if hex, ok := strings.CutPrefix(lower, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return lower != "" && strings.Trim(lower, "0123456789") == ""
}

// portOf is the port of a URL, also where it is not written.
func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	return map[string]string{"http": "80", "https": "443"}[u.Scheme]
}

// redirect decides about following one; its address is checked when it is requested. Nothing that was meant for the first host reaches another: headers
// with keys, nor the page that a reader comes from.
func (o Options) redirect(next *http.Request, before []*http.Request) error {
	if o.NoRedirects {
		return http.ErrUseLastResponse
	}
	if len(before) > o.Redirects {
		return refused("it redirects more than %d times", o.Redirects)
	}
	next.Header.Del("Referer")
	first := before[0].URL
	strange := func(r *http.Request) bool {
		return r.URL.Scheme != first.Scheme || !strings.EqualFold(r.URL.Host, first.Host)
	}
	if !strange(next) && !slices.ContainsFunc(before, strange) {
		return nil
	}
	for name := range next.Header {
		if !slices.Contains(harmless, name) {
			next.Header.Del(name)
		}
	}
	if next.Body != nil && next.Body != http.NoBody {
		return refused("it redirects what was sent to another host")
	}
	return nil
}

// harmless are the headers that every host may see.
var harmless = []string{"Accept", "Accept-Language", "User-Agent"}
