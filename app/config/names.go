package config

import (
	"maps"
	"slices"
	"strings"

	"rein/internal/near"
	"rein/tool/mcp/spec"
)

// What there is to choose from, which only the program that wires knows.
type Known struct {
	Flows []string
	Tools []string
}

// Check says which names mean nothing, with the places where they were set.
func (c *Config) Check(known Known) error {
	problems := Problems{}
	c.one(&problems, "default_flow", "flow", c.Flow, known.Flows)
	c.one(&problems, "model", "model", c.Model, c.ModelNames())
	for _, name := range c.Fallback {
		c.one(&problems, "fallback "+name, "model", name, c.ModelNames())
	}
	if c.Embedder != "" {
		c.one(&problems, "embedder", "model that makes vectors, of kind "+KindOpenAI+":", c.Embedder, c.embedders())
	}
	for _, list := range []struct {
		key   string
		names []string
	}{
		{"tools.allow", c.Tools.Policy.Allow},
		{"tools.ask", c.Tools.Policy.Ask},
		{"tools.deny", c.Tools.Policy.Deny},
	} {
		for _, name := range list.names {
			c.one(&problems, list.key+" "+name, "tool", name, known.Tools)
		}
	}
	c.checkPresets(&problems, known)
	c.checkWorkspaces(&problems, known)
	if wrong := c.rootProblem(); wrong != "" {
		problems.add(c.Source("tools.root"), "%s", wrong)
	}
	return problems.err()
}

// skillTools is how the names of the tools of skills begin.
const skillTools = "skill."

// one checks a name. A name of a list has a place of its own, if a file says it.
func (c *Config) one(problems *Problems, key, noun, name string, known []string) {
	if noun == "tool" && strings.HasPrefix(name, skillTools) {
		return // which skills there are, each run finds out
	}
	if server, tool, dotted := strings.Cut(name, "."); noun == "tool" && dotted && spec.CheckName(server) == nil && !slices.Contains(known, name) {
		if strings.HasPrefix(key, "tools.allow ") { // what an MCP server calls its tools is allowed with its definition only
			problems.add(c.Source("tools.allow"), "%q can only be a tool of an MCP server, which is allowed where the server is added: rein mcp add --allow %s, or allow in [mcp.servers.%s]", name, tool, server)
		}
		return // which tools a server has, it says itself
	}
	if slices.Contains(known, name) || (key == "model" || key == "embedder") && strings.HasPrefix(name, OllamaPrefix) {
		return
	}
	source, ok := c.sources[key]
	if !ok {
		source = c.sources[strings.TrimSuffix(key, " "+name)]
	}
	list := strings.Join(known, ", ")
	if list == "" {
		list = "none"
	}
	hint := near.DidYouMean(name, known)
	if noun == "model" && hint == "" {
		hint = missingKey(name)
	}
	problems.add(source, "there is no %s %q; available: %s%s", noun, name, list, hint)
}

// embedders lists the models that may make vectors.
func (c *Config) embedders() []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(c.Models)), func(name string) bool { return c.Models[name].Kind != KindOpenAI })
}

// OllamaPrefix begins the names of models that an Ollama on this machine has. They need no settings.
const OllamaPrefix = "ollama/"

// ModelNames lists the models that can be chosen, those of the program too.
func (c *Config) ModelNames() []string {
	return slices.Concat([]string{KindOffline}, c.own, slices.Sorted(maps.Keys(c.Models)))
}
