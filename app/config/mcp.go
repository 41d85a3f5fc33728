package config

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"rein"
	"rein/tool/mcp/spec"
)

// mcpServers is the table of tables [mcp.servers.NAME].
type mcpServers struct{}

var mcpKeys = []string{
	"command", "env", "url", "headers", "login", "client_id", "client_secret", "household", "effects", "allow", "deny", "no_code", "trust_hints", "roots",
	"sampling", "private", "timeout", "sandbox", "read", "write", "network",
}

func mcpSections() []Key {
	return []Key{{"mcp.servers", "", "", "an MCP server whose tools runs can use: [mcp.servers.NAME] with command or url; docs/mcp.md explains each key", mcpServers{}}}
}

func (mcpServers) read(l *loading, n *node) error {
	return l.tables(n, "mcp.servers", func(name string, table *node) {
		on := func(key string) bool { return l.member(table, key, isBool, false) == "true" }
		s := spec.Server{
			Name: name, From: spec.FromSettings,
			Command: l.words(table, "command", nil), Env: l.words(table, "env", nil), URL: l.member(table, "url", isString, false), Headers: l.texts(table, "headers"),
			Login: on("login"), ClientID: l.member(table, "client_id", isString, false), ClientSecret: l.member(table, "client_secret", isString, false),
			Household: l.member(table, "household", isString, false), Allow: l.words(table, "allow", nil), Deny: l.words(table, "deny", nil),
			NoCode: l.words(table, "no_code", nil), TrustHints: on("trust_hints"), Roots: on("roots"), Sampling: on("sampling"), Private: on("private"), Timeout: l.timeMember(table, "timeout", maxTimeout),
			Sandbox: on("sandbox"), Network: on("network"), Read: l.pathList(table, "read"), Write: l.pathList(table, "write"),
		}
		for tool, effect := range l.texts(table, "effects") {
			if s.Effects == nil {
				s.Effects = map[string]rein.Effect{}
			}
			s.Effects[tool] = rein.Effect(effect)
		}
		if len(s.Command) > 0 && strings.HasPrefix(s.Command[0], "~/") {
			s.Command[0] = l.path(s.Command[0])
		}
		l.strangers(table, mcpKeys)
		if err := s.Check(); err != nil {
			l.report(table, "%s: %v", l.key, err)
		}
		l.config.MCP[name] = s
	})
}

// texts reads a small table of strings.
func (l *loading) texts(table *node, name string) map[string]string {
	n := table.table[name]
	if n == nil {
		return nil
	}
	if n.kind != isTable {
		l.report(n, "%s: %s is %s and must be a table of strings, such as {name = \"value\"}", l.key, name, n.kind)
		return nil
	}
	all := map[string]string{}
	for _, key := range n.keys {
		if value := n.table[key]; value.kind == isString {
			all[key] = value.text
		} else {
			l.report(value, "%s: %s.%s is %s and must be a string", l.key, name, key, value.kind)
		}
	}
	return all
}

// pathList reads a list of paths.
func (l *loading) pathList(table *node, name string) []string {
	list := l.words(table, name, nil)
	for i, path := range list {
		list[i] = filepath.Clean(l.path(path))
	}
	return list
}

func (mcpServers) parse(*loading, string) error { return errOnlyFile }

// show tells how a server is reached, without what could be a secret.
func (mcpServers) show(c *Config) string {
	list := []string{}
	for _, name := range slices.Sorted(maps.Keys(c.MCP)) {
		s := c.MCP[name]
		how := "url = " + quoted(s.URL)
		if s.IsLocal() {
			how = "command = " + quoted(s.Command[0])
		}
		list = append(list, fmt.Sprintf("%s = {%s}", quoted(name), how))
	}
	return "{" + strings.Join(list, ", ") + "}"
}

// maxLabel is how much of a name is shown in place of a value.
const maxLabel = 60

// mcpSecrets adds the values of variables that MCP servers get: they are removed from texts like other secrets.
func (c *Config) mcpSecrets(env Environment, secrets map[string]string) {
	for _, s := range c.MCP {
		for name, value := range s.Secrets(env.Get) {
			value = strings.TrimPrefix(value, "Bearer ")
			if name = name[:min(len(name), maxLabel)]; len(value) >= minKey && !strings.Contains(name, value) {
				secrets[name] = value
			}
		}
	}
}
