package app

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"

	"rein"
	"rein/follow/telemetry"
	"rein/server"
	"rein/server/access"
	"rein/web"
)

// listen opens the address of the service.
func (s *Service) listen(ctx context.Context) (net.Listener, error) {
	set := s.settings.Server
	if set.Cert != "" {
		var err error
		if s.tls, err = access.TLS(set.Cert, set.Key, s.log); err != nil {
			return nil, wrongSetting("%v (server.tls_cert, server.tls_key)", err)
		}
	}
	if err := s.mayListen(ctx, set.Listen); err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", set.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("another program uses %s: stop it, or choose another address with --listen", set.Listen)
	}
	if err != nil {
		return nil, err
	}
	if s.tls != nil {
		listener = tls.NewListener(listener, s.tls)
	}
	if s.access, err = s.newAccess(listener.Addr().String()); err != nil {
		return nil, errors.Join(wrongSetting("%v", err), listener.Close())
	}
	s.address, s.url = listener.Addr().String(), s.reached()
	return listener, nil
}

// mayListen refuses an address where others could connect before there is anything that they could be
// told apart by.
func (s *Service) mayListen(ctx context.Context, address string) error {
	hasTokens, err := s.people.HasTokens(ctx)
	if err != nil {
		return err
	}
	warnings, err := access.CheckListen(address, s.tls != nil, hasTokens)
	if rein.CodeOf(err) == rein.CodeForbidden {
		return wrongSetting("%v (`rein tokens new LABEL` makes one)", err)
	}
	if err != nil {
		return wrongSetting("%v", err)
	}
	for _, w := range warnings {
		s.log.Warn(w)
	}
	return nil
}

func (s *Service) newAccess(listen string) (*access.Access, error) {
	var proxies []netip.Prefix
	for _, text := range s.settings.Server.Proxies {
		p, err := netip.ParsePrefix(text)
		if err != nil {
			return nil, err
		}
		proxies = append(proxies, p)
	}
	hosts, secure := slices.Clone(s.settings.Server.Hosts), s.tls != nil
	if u, err := url.Parse(s.settings.Server.URL); err == nil && u.Host != "" {
		hosts, secure = append(hosts, u.Hostname()), secure || u.Scheme == "https"
	}
	return access.New(access.Options{People: s.people, Listen: listen, Hosts: hosts, Origins: s.settings.Server.Origins, TLS: secure, Proxies: proxies, Files: web.IsFile, Log: s.log})
}

// reached is where people reach the service: an address that a browser can open, also if it listens
// on all of them.
func (s *Service) reached() string {
	if s.settings.Server.URL != "" {
		return strings.TrimSuffix(s.settings.Server.URL, "/")
	}
	login, _, _ := strings.Cut(s.access.LoginURL(""), "/login")
	return login
}

// network is the API as those on the network see it.
func (s *Service) network() http.Handler {
	options := s.api(s.engine)
	options.CSRF, options.Log = s.access.CSRF, s.log
	options.Who = func(r *http.Request) (rein.Identity, error) {
		who, err := s.access.Who(r)
		telemetry.Caller(r.Context(), who.User, who.Via)
		return who, err
	}
	options.Mounts = s.mounts()
	if s.notifier != nil {
		options.Notifier = s.notifier
	}
	options.Ready = func() error {
		select {
		case <-s.leaving:
			return rein.Errorf(rein.CodeUnavailable, "this process is shutting down")
		default:
			return s.damaged()
		}
	}
	h := s.access.Wrap(noteRoute(server.New(options)))
	if s.metrics != nil {
		h = s.metrics.HTTP(h, routeOf)
	}
	return withRoute(telemetry.Requests(h, s.log, routeOf))
}

// The router writes the route of a request into the request, and what guards it passes a copy on. So
// that what stands before the guard knows the route too, it is noted behind the guard.
type routeKey struct{}

func withRoute(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), routeKey{}, new(string))))
	})
}

func noteRoute(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { // also if the handler panics
			if route, ok := r.Context().Value(routeKey{}).(*string); ok {
				*route = telemetry.Pattern(r)
			}
		}()
		next.ServeHTTP(w, r)
	})
}

func routeOf(r *http.Request) string {
	if route, ok := r.Context().Value(routeKey{}).(*string); ok {
		return *route
	}
	return ""
}
