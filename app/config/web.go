package config

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"rein/tool/web"
)

// Web says which services the tools for the web ask, and what pages they can fetch.
type Web struct {
	Search, Shopping Service
	Fetch            bool
	UseGitHub        bool
	GitHub           Service
	Reach            // of web.fetch_url
	Timeout          time.Duration
}

// A Service answers searches.
type Service struct {
	Kind string // empty: none
	URL  string // empty: where it usually is
	Key  string // "env:NAME" or "secret:NAME"; empty: none
}

// envPrefix begins the name of an environment variable, beside secretPrefix.
const envPrefix = "env:"

const maxWebTimeout = 2 * time.Minute

func webSections() []Key {
	return []Key{
		{"web.search", "REIN_WEB_SEARCH", "", "the service that web.search asks: searxng, brave or tavily; empty: there is no web.search", choice(func(c *Config) *string { return &c.Web.Search.Kind }, append([]string{""}, web.SearchServices...))},
		{"web.search_url", "REIN_WEB_SEARCH_URL", "", "where the service is, such as \"http://localhost:8888\" for your own SearXNG; empty: its public address. It may be private", text(func(c *Config) *string { return &c.Web.Search.URL }, isURL)},
		{"web.search_key", "REIN_WEB_SEARCH_KEY", "", "the key of the service: \"env:NAME\" for a variable, \"secret:NAME\" for a stored secret; never the key itself", text(func(c *Config) *string { return &c.Web.Search.Key }, namesKey)},
		{"web.fetch", "REIN_WEB_FETCH", "", "let runs fetch pages of the web (web.fetch_url)", boolean(func(c *Config) *bool { return &c.Web.Fetch })},
		{"web.shopping", "REIN_WEB_SHOPPING", "", "the service that web.shopping_search asks: serpapi, or searxng with engines of its category shopping; empty: there is none", choice(func(c *Config) *string { return &c.Web.Shopping.Kind }, append([]string{""}, web.ShoppingServices...))},
		{"web.shopping_url", "REIN_WEB_SHOPPING_URL", "", "where that service is; empty: its public address", text(func(c *Config) *string { return &c.Web.Shopping.URL }, isURL)},
		{"web.shopping_key", "REIN_WEB_SHOPPING_KEY", "", "the key of that service: \"env:NAME\" or \"secret:NAME\"", text(func(c *Config) *string { return &c.Web.Shopping.Key }, namesKey)},
		{"web.github", "REIN_WEB_GITHUB", "", "let runs search GitHub (github.search)", boolean(func(c *Config) *bool { return &c.Web.UseGitHub })},
		{"web.github_url", "REIN_WEB_GITHUB_URL", "", "the REST API of a GitHub that you host, such as \"https://github.example.org/api/v3\"; empty: https://api.github.com", text(func(c *Config) *string { return &c.Web.GitHub.URL }, isURL)},
		{"web.github_key", "REIN_WEB_GITHUB_KEY", "", "a token for GitHub: \"env:NAME\" or \"secret:NAME\"; without it code cannot be searched, and the rest 10 times a minute", text(func(c *Config) *string { return &c.Web.GitHub.Key }, namesKey)},
		{"web.allow", "", "", "what else web.fetch_url can fetch from: networks such as \"10.0.0.0/24\", hosts such as \"wiki.lan\", other ports such as \"wiki.lan:3000\"", hostList(func(c *Config) *[]string { return &c.Web.Allow })},
		{"web.timeout", "REIN_WEB_TIMEOUT", "", "how long a request to a service or a page may take", duration(func(c *Config) *time.Duration { return &c.Web.Timeout }, time.Second, maxWebTimeout)},
	}
}

// namesKey wants the name of a key. It does not repeat what stands there, which may be the key itself.
func namesKey(v string) error {
	if name, ok := strings.CutPrefix(v, envPrefix); v == "" || ok && variableName.MatchString(name) || secretName.MatchString(v) {
		return nil
	}
	return fmt.Errorf("it must be \"env:NAME\" or \"secret:NAME\"; if it is the key itself, put that into an environment variable and name it here")
}

// hostList is a list of networks and hosts.
type hostList names

func (f hostList) read(l *loading, n *node) error {
	if err := names(f).read(l, n); err != nil {
		return err
	}
	for _, item := range *f(l.config) {
		if !isNetwork(item) && !isHost(item) {
			return fmt.Errorf("%q must be a network such as \"10.0.0.0/24\", a host such as \"wiki.lan\", or a host with a port", item)
		}
	}
	return nil
}

func (f hostList) parse(*loading, string) error { return errOnlyFile }
func (f hostList) show(c *Config) string        { return names(f).show(c) }

func isNetwork(v string) bool {
	_, err := netip.ParsePrefix(v)
	return err == nil
}

func isHost(v string) bool {
	u, err := url.Parse("http://" + v)
	return err == nil && v != "" && u.Host == v && u.Hostname() != "" && !strings.ContainsAny(v, "*@")
}

// Reach is what can be reached beside the internet: networks, hosts and hosts with ports.
type Reach struct{ Allow []string }

// Networks are the networks that are listed, and Hosts what else is.
func (r Reach) Networks() (list []netip.Prefix) {
	for _, item := range r.Allow {
		if p, err := netip.ParsePrefix(item); err == nil {
			list = append(list, p.Masked())
		}
	}
	return list
}

// Hosts are the hosts that are listed, some with their port.
func (r Reach) Hosts() (list []string) {
	for _, item := range r.Allow {
		if !isNetwork(item) {
			list = append(list, item)
		}
	}
	return list
}

// services are the services that are set, by the setting that chooses each.
func (w Web) services() map[string]Service {
	return map[string]Service{"web.search": w.Search, "web.shopping": w.Shopping, "web.github": w.GitHub}
}

// webFits checks what the keys of the section cannot know alone.
func (l *loading) webFits() {
	if l.config.Web.UseGitHub {
		l.config.Web.GitHub.Kind = web.GitHub
	}
	for _, key := range []string{"web.search", "web.shopping"} {
		s, source := l.config.Web.services()[key], l.config.sources[key]
		switch {
		case s.Kind == web.SearXNG && s.URL == "":
			l.problems.add(source, "%s is searxng, which you run yourself: say where it is with %s_url", key, key)
		case web.NeedsKey(s.Kind) && s.Key == "":
			l.problems.add(source, "%s is %s, which needs a key: name it with %s_key, such as \"env:%s_API_KEY\"", key, s.Kind, key, strings.ToUpper(s.Kind))
		}
	}
}

// KeyName is what Environment.Get finds the key by: a variable, or secret:NAME; empty: there is no key.
func (s Service) KeyName() string { return strings.TrimPrefix(s.Key, envPrefix) }
