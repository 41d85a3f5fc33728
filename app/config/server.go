package config

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rein/internal/near"
)

// Server says how rein serve is reached.
type Server struct {
	Listen  string
	Hosts   []string // further names by which people reach it
	Origins []string // of pages of other servers that may use the API, with a token
	URL     string   // where people reach it, for links; empty: as it listens
	Cert    string   // files of the certificate and its key; empty: no TLS
	Key     string
	Proxies []string // networks whose X-Forwarded-For is believed
}

// Telemetry says what is told of runs to others than people.
type Telemetry struct {
	OTLP    string // the collector of traces; empty: the standard variables, or none
	Content bool   // what was said is in the traces, redacted
	Metrics bool   // /metrics is served
	Debug   bool   // the log tells of calls, back-offs and what was retrieved
}

// A Webhook is someone who is told by HTTP what waits for a person.
type Webhook struct {
	URL       string
	SecretEnv string // the environment variable with what deliveries are signed with
	Events    []string
	User      string // only what is theirs; empty: everything
	Private   bool
	Content   bool
}

func serverSections() []Key {
	return []Key{
		{"server.listen", "REIN_LISTEN", "--listen", "where `rein serve` listens", text(func(c *Config) *string { return &c.Server.Listen }, isListen)},
		{"server.hosts", "", "", "other names by which people reach the server; requests for any other name are refused", names(func(c *Config) *[]string { return &c.Server.Hosts })},
		{"server.url", "REIN_URL", "", "the address for links, if people reach the server at another address than the one it listens on", text(func(c *Config) *string { return &c.Server.URL }, isURL)},
		{"server.tls_cert", "REIN_TLS_CERT", "", "the certificate of the server, a PEM file; with tls_key it turns on TLS", path(func(c *Config) *string { return &c.Server.Cert })},
		{"server.tls_key", "REIN_TLS_KEY", "", "the key of the certificate, a PEM file", path(func(c *Config) *string { return &c.Server.Key })},
		{"server.origins", "", "", "origins of other web pages that may use the API with a token, such as \"https://app.example.org\"; a browser cookie never works there", names(func(c *Config) *[]string { return &c.Server.Origins })},
		{"server.proxies", "", "", "networks of proxies in front of the server whose X-Forwarded-For counts, such as \"10.0.0.0/8\"", names(func(c *Config) *[]string { return &c.Server.Proxies })},

		{"telemetry.otlp", "REIN_OTLP", "", "the collector to send traces to, by OTLP over HTTP; empty: what the OTEL_EXPORTER_OTLP_ variables say, or none", text(func(c *Config) *string { return &c.Telemetry.OTLP }, isURL)},
		{"telemetry.content", "", "", "include what was said in traces, redacted", boolean(func(c *Config) *bool { return &c.Telemetry.Content })},
		{"telemetry.metrics", "", "", "serve /metrics to admins", boolean(func(c *Config) *bool { return &c.Telemetry.Metrics })},
		{"telemetry.debug", "REIN_DEBUG", "", "log calls, durations, retries and what was retrieved, redacted", boolean(func(c *Config) *bool { return &c.Telemetry.Debug })},

		{"webhooks", "", "", "where to report what waits for a person: [webhooks.NAME] with url and secret_env; docs/operations.md explains each key", webhooks{}},
		{"workspaces", "", "", "a named folder that runs can work in: [workspaces.NAME] with root, vault, include, exclude, ask, deny and household", workspaces{}},
		{"presets", "", "", "a prepared task: [presets.NAME] with flow, prompt, model, tools, budget and about", presets{}},
	}
}

func isListen(v string) error {
	_, port, err := net.SplitHostPort(v)
	n, wrong := strconv.ParseUint(port, 10, 16)
	if err != nil || wrong != nil || n > 65535 {
		return fmt.Errorf("it is %q and must be an address and a port, such as \"127.0.0.1:7717\"", v)
	}
	return nil
}

func isURL(v string) error {
	if v == "" {
		return nil
	}
	u, err := url.Parse(v)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return fmt.Errorf("it is %q and must be an address such as \"https://rein.example.org\"", v)
	}
	return nil
}

// serverFits checks what the keys of the server cannot know alone.
func (l *loading) serverFits() {
	c := l.config
	if (c.Server.Cert == "") != (c.Server.Key == "") {
		key := "server.tls_cert"
		if c.Server.Cert == "" {
			key = "server.tls_key"
		}
		l.problems.add(c.sources[key], "server.tls_cert and server.tls_key belong together: set both or none")
	}
	for _, o := range c.Server.Origins {
		if u, err := url.Parse(o); err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Scheme+"://"+u.Host != strings.ToLower(o) {
			l.problems.add(c.sources["server.origins"], "server.origins: %q is not an origin such as \"https://app.example.org\": leave out the path", o)
		}
	}
	for _, h := range c.Server.Hosts {
		if u, err := url.Parse("http://" + h); err != nil || h == "" || u.Host != h || u.Hostname() == "" {
			l.problems.add(c.sources["server.hosts"], "server.hosts: %q is not a name such as \"rein.example.org\": leave out https:// and the path", h)
		}
	}
	for _, p := range c.Server.Proxies {
		if _, err := netip.ParsePrefix(p); err != nil {
			l.problems.add(c.sources["server.proxies"], "server.proxies: %q is not a network such as \"10.0.0.0/8\"", p)
		}
	}
}

// webhooks is the table of tables [webhooks.NAME].
type webhooks struct{}

var webhookKeys = []string{"url", "secret_env", "events", "user", "private", "content"}

// webhookEvents are what a webhook can be told.
var webhookEvents = []string{"ask.opened", "ask.closed", "run.ended"}

func (webhooks) read(l *loading, n *node) error {
	return l.tables(n, "webhooks", func(name string, table *node) {
		w := Webhook{
			URL: l.member(table, "url", isString, true), SecretEnv: l.member(table, "secret_env", isString, true),
			User: l.member(table, "user", isString, false), Events: l.words(table, "events", webhookEvents),
			Private: l.member(table, "private", isBool, false) == "true", Content: l.member(table, "content", isBool, false) == "true",
		}
		if err := isURL(w.URL); err != nil {
			l.report(table.table["url"], "%s: url: %v", l.key, err)
		}
		if w.SecretEnv != "" && !isKeyName(w.SecretEnv) {
			l.report(table.table["secret_env"], "%s.secret_env is not the name of an environment variable; if it is the secret itself, put that into a variable and name it here", l.key)
		}
		l.strangers(table, webhookKeys)
		l.config.Webhooks[name] = w
	})
}

func (webhooks) parse(*loading, string) error { return errOnlyFile }

func (webhooks) show(c *Config) string {
	list := []string{}
	for _, name := range slices.Sorted(maps.Keys(c.Webhooks)) {
		list = append(list, fmt.Sprintf("%s = {url = %s, secret_env = %s}", quoted(name), quoted(c.Webhooks[name].URL), quoted(c.Webhooks[name].SecretEnv)))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// tables reads a table of tables with names of the user's.
func (l *loading) tables(n *node, section string, read func(name string, table *node)) error {
	if n.kind != isTable {
		return fmt.Errorf("it is %s and must be tables: [%s.NAME]", n.kind, section)
	}
	for _, name := range n.keys {
		table := n.table[name]
		l.key = section + "." + name
		switch {
		case table.kind != isTable:
			l.report(table, "%s is %s and must be a table: [%s]", l.key, table.kind, l.key)
		case !plainName.MatchString(name):
			l.report(table, "%s: a name has 1 to 64 letters, digits, '_' and '-'", l.key)
		default:
			read(name, table)
		}
	}
	return nil
}

// words reads a list of words of a small table, which must be among those that are known; nil: any.
func (l *loading) words(table *node, name string, known []string) []string {
	n := table.table[name]
	if n == nil {
		return nil
	}
	if n.kind != isList {
		l.report(n, "%s: %s is %s and must be a list of strings", l.key, name, n.kind)
		return nil
	}
	list := []string{}
	for _, item := range n.list {
		switch {
		case item.kind != isString || item.text == "":
			l.report(item, "%s: %s is a list of strings", l.key, name)
		case known != nil && !slices.Contains(known, item.text):
			l.report(item, "%s: %s has no %q; available: %s%s", l.key, name, item.text, strings.Join(known, ", "), near.DidYouMean(item.text, known))
		default:
			list = append(list, item.text)
		}
	}
	return list
}

var (
	errNoVariable = errors.New("the variable is not set")
	errNoSecret   = errors.New("nobody has set it yet")
)

// Secret returns what the deliveries of the webhook are signed with.
func (w Webhook) Secret(env Environment) (string, error) {
	value := env.Get(w.SecretEnv)
	switch {
	case value != "":
		return value, nil
	case strings.HasPrefix(w.SecretEnv, secretPrefix):
		return "", fmt.Errorf("%s: %w", SpelledKey(w.SecretEnv), errNoSecret)
	}
	return "", fmt.Errorf("%s: %w", SpelledKey(w.SecretEnv), errNoVariable)
}
