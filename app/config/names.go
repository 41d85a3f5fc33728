package config

import (
	"maps"
	"slices"
	"strings"

	"rein/internal/near"
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

// one checks a name. A name of a list has a place of its own, if a file says it.
func (c *Config) one(problems *Problems, key, noun, name string, known []string) {
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
	problems.add(source, "there is no %s %q; available: %s%s", noun, name, list, near.DidYouMean(name, known))
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
