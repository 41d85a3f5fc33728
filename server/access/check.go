package access

import (
	"net"
	"net/http"

	"rein"
	"rein/server/wire"
)

// setHeaders tells browsers to be strict. A handler that serves pages sets a policy of its own.
func (a *Access) setHeaders(h http.Header, r *http.Request) {
	h.Set("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	// Not no-referrer: with it browsers send no Origin with forms.
	h.Set("Referrer-Policy", "same-origin")
	if name, _ := nameOf(r.Host); a.o.TLS && a.hosts[name] && !isLoopback(name) { // where it would hold for every other program too
		h.Set("Strict-Transport-Security", "max-age=15552000")
	}
}

// checkRequest refuses what no handler needs to see, and bounds what it reads.
func (a *Access) checkRequest(w http.ResponseWriter, r *http.Request) error {
	if err := a.checkHost(r); err != nil {
		return err
	}
	size, fields := len(r.RequestURI), 0
	for name, values := range r.Header {
		for _, v := range values {
			size, fields = size+len(name)+len(v), fields+1
		}
	}
	if size > a.o.Limits.HeaderBytes || fields > a.o.Limits.HeaderFields {
		return wire.Refuse(http.StatusRequestHeaderFieldsTooLarge, rein.Errorf(rein.CodeInvalid,
			"the request line and headers have %d bytes in %d fields: send at most %d in %d", size, fields, a.o.Limits.HeaderBytes, a.o.Limits.HeaderFields))
	}
	if r.ContentLength > a.o.Limits.BodyBytes {
		w.Header().Set("Connection", "close") // so that the rest is not read
		return wire.Refuse(http.StatusRequestEntityTooLarge, rein.Errorf(rein.CodeInvalid, "the body has %d bytes: send at most %d", r.ContentLength, a.o.Limits.BodyBytes))
	}
	if len(r.TransferEncoding) > 0 && r.ProtoMajor == 1 {
		// It may also have had a length, which a proxy before us may have gone by: what such a proxy takes
		// for the rest of the body is no request of ours.
		w.Header().Set("Connection", "close")
	}
	if r.Body != nil && r.Body != http.NoBody {
		r.Body = http.MaxBytesReader(wire.Bare(w), r.Body, a.o.Limits.BodyBytes)
	}
	return nil
}

func isLoopback(name string) bool {
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}
