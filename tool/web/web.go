// Package web has the tools that look at the web: web.search, web.fetch_url, web.shopping_search and
// github.search. They read only, but what they are called with leaves this machine; the log has it. Which
// service is asked the settings say, and a tool without one is not offered.
package web

import (
	"context"
	"net"
	"net/netip"
	"net/url"
	"time"

	"rein"
	"rein/internal/outbound"
)

// The services that searches can ask.
const (
	SearXNG = "searxng"
	Brave   = "brave"
	Tavily  = "tavily"
	SerpAPI = "serpapi"
	GitHub  = "github"
)

// SearchServices and ShoppingServices are those that the tools can ask. A service is among the second only if it
// has offers with prices of its own; pages that look like shops are none.
var (
	SearchServices   = []string{SearXNG, Brave, Tavily}
	ShoppingServices = []string{SearXNG, SerpAPI}
)

// homes are where the services are that somebody else runs.
var homes = map[string]string{
	Brave: "https://api.search.brave.com", Tavily: "https://api.tavily.com", SerpAPI: "https://serpapi.com", GitHub: "https://api.github.com",
}

// NeedsKey reports whether a service answers nobody without a key.
func NeedsKey(service string) bool {
	return service == Brave || service == Tavily || service == SerpAPI
}

// Settings say which services there are, and what pages may be fetched.
type Settings struct {
	Search, Shopping, GitHub Service
	Fetch                    bool // web.fetch_url may be used
	// Allow and Hosts are what pages may be fetched from although it is not of the internet; see outbound.Options.
	Allow   []netip.Prefix
	Hosts   []string
	Timeout time.Duration // of a call; zero: 20 s
}

// A Service answers searches.
type Service struct {
	Kind string // empty: there is none
	URL  string // where it is; empty: where it usually is
	// Key returns what it is asked with; nil: nothing. It is read for every call, and never kept.
	Key func(context.Context, rein.Invocation) (string, error)
	// Setting begins the names of its settings, such as "web.search", for errors.
	Setting string
}

// Options are what the tools need.
type Options struct {
	Settings func() Settings // as they are now; nil: nothing is set
	Agent    string          // the User-Agent of requests
	Resolver *net.Resolver   // nil: the system's
}

// Web makes the tools.
type Web struct{ o Options }

// New makes a Web.
func New(o Options) *Web {
	if o.Settings == nil {
		o.Settings = func() Settings { return Settings{} }
	}
	if o.Agent == "" {
		o.Agent = "rein"
	}
	return &Web{o}
}

// Tools makes all tools of the family.
func (w *Web) Tools() ([]rein.Tool, error) {
	var all []rein.Tool
	for _, made := range []func() (rein.Tool, error){w.Search, w.SearchWeb, w.FetchURL, w.ShoppingSearch, w.GitHubSearch} {
		t, err := made()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

const (
	usualTimeout = 20 * time.Second
	callTimeout  = 5 * time.Minute // of a tool, beyond what can be set
)

func (s Settings) timeout() time.Duration {
	if s.Timeout > 0 {
		return s.Timeout
	}
	return usualTimeout
}

// at is where a service is.
func (s Service) at() (*url.URL, error) {
	address := s.URL
	if address == "" {
		address = homes[s.Kind]
	}
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return nil, rein.Errorf(rein.CodeUnavailable, "%s has no address: set %s_url", s.Kind, s.Setting)
	}
	return u, nil
}

// client asks a service. Whoever runs rein named its address, which may be private; it does not lead further.
func (w *Web) client(s Settings, at *url.URL) outbound.Options {
	port := at.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[at.Scheme]
	}
	return outbound.Options{
		Hosts: []string{net.JoinHostPort(at.Hostname(), port)}, NoRedirects: true,
		Timeout: s.timeout(), Body: maxAnswer, Resolver: w.o.Resolver,
	}
}
