package config

import (
	"cmp"
	"fmt"
	"strings"
)

// A Value is a key with what it is set to.
type Value struct {
	Key    string `json:"key"`
	Value  string `json:"value"` // as a file would say it
	Source string `json:"source"`
	Env    string `json:"env,omitempty"`
	Doc    string `json:"doc"`
}

// Values lists every key with its value and where that comes from. No secret is among them: of
// secrets a config holds names and shapes only, and the shapes are left out.
func (c *Config) Values() []Value {
	list := []Value{}
	for _, k := range c.Keys() {
		list = append(list, Value{k.Name, k.setting.show(c), c.Source(k.Name).String(), k.Env, k.Doc})
	}
	return list
}

// Example is a rein.toml that says what every key is by default.
func Example() string {
	var b strings.Builder
	b.WriteString("# Settings of rein, with their defaults. Flags and variables ($REIN_…) come before this file.\n")
	section := ""
	nobody := defaults(nil)
	for _, k := range Keys() {
		table, name, ok := strings.Cut(k.Name, ".")
		if !ok {
			table, name = "", k.Name
		}
		if example, ok := tableExamples[k.Name]; ok {
			b.WriteString("\n# " + k.Doc + "\n" + example)
			continue
		}
		if table != section {
			section = table
			fmt.Fprintf(&b, "\n[%s]\n", table)
		}
		fmt.Fprintf(&b, "\n# %s\n# %s = %s\n", k.Doc, name, exampleValue(k, nobody))
	}
	return b.String()
}

// tableExamples are of the keys whose values are tables.
var tableExamples = map[string]string{
	"models":      "# [models.demo]\n# kind = \"script\"\n# file = \"demo.txt\"\n#\n# [models.local]\n# kind = \"openai\"\n# preset = \"ollama\"\n# model = \"qwen3:8b\"\n# silence = \"5m\"  # a call is cut when nothing comes from the provider for so long; by default 2m\n# whole = \"1h\"    # and when it takes longer than this in all; by default 30m\n",
	"webhooks":    "# [webhooks.phone]\n# url = \"https://example.org/hook\"\n# secret_env = \"REIN_HOOK_SECRET\"\n",
	"presets":     "# [presets.digest]\n# flow = \"answer\"\n# prompt = \"What changed this week?\"\n# budget = {rounds = 4}\n",
	"mcp.servers": "# [mcp.servers.files]\n# command = [\"npx\", \"-y\", \"@modelcontextprotocol/server-filesystem\", \"/srv/files\"]\n# allow = [\"list_directory\"]\n#\n# [mcp.servers.tracker]\n# url = \"https://tracker.example.org/mcp\"\n# headers = {Authorization = \"env:TRACKER_TOKEN\"}\n",
	"workspaces":  "# [workspaces.garden]\n# root = \"~/garden\"\n# vault = \"~/garden/notes\"\n# exclude = [\"Private\"]\n# deny = [\"commit_staged_changes\"]\n",
}

// exampleValue is the default, or what it may look like where that depends on the machine.
func exampleValue(k Key, c *Config) string {
	switch k.Name {
	case "data":
		return `"~/.local/share/rein"`
	case "secret_key_file":
		return `"~/.config/rein/secret.key"`
	case "prices":
		return `"~/.config/rein/prices.toml"`
	case "texts":
		return `"~/.config/rein"`
	case "zone":
		return `"UTC"`
	case "vault":
		return `"~/Notes"`
	case "tools.root":
		return `"~/Work"`
	case "server.tls_cert":
		return `"~/.config/rein/cert.pem"`
	case "server.tls_key":
		return `"~/.config/rein/key.pem"`
	}
	return k.setting.show(c)
}

// Table is the keys as the tables of a manual, one for each section of the file.
func Table() string {
	var b strings.Builder
	section := "-"
	nobody := defaults(nil)
	for _, k := range Keys() {
		if s := sectionOf(k); s != section {
			section = s
			fmt.Fprintf(&b, "\n### %s\n\n| key | type | default | meaning |\n|---|---|---|---|\n", cmp.Or(section, "top level"))
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Name, typeOf(k.setting), code(tableDefault(k, nobody)), k.Doc+otherWays(k))
	}
	return b.String() + "\n"
}

// sectionOf is the part of a key before its first dot; tables with names of the user's have one of
// their own.
func sectionOf(k Key) string {
	if _, ok := tableExamples[k.Name]; ok {
		return k.Name
	}
	section, _, ok := strings.Cut(k.Name, ".")
	if !ok {
		return ""
	}
	return section
}

// typeOf says what a value is.
func typeOf(s setting) string {
	switch s := s.(type) {
	case scalar:
		return strings.TrimPrefix(strings.TrimPrefix(s.wants, "a "), "an ")
	case names, folders, hostList, rules, paths, variables:
		return "list of strings"
	case patterns:
		return "list of tables"
	}
	return "tables"
}

// otherWays names the flag and the variable that set a key.
func otherWays(k Key) string {
	ways := []string{}
	if k.Flag != "" {
		ways = append(ways, code(k.Flag))
	}
	if k.Env != "" {
		ways = append(ways, code("$"+k.Env))
	}
	if len(ways) == 0 {
		return ""
	}
	return " (" + strings.Join(ways, ", ") + ")"
}

func tableDefault(k Key, c *Config) string {
	switch k.Name {
	case "zone":
		return ""
	case "models", "webhooks", "presets", "workspaces", "mcp.servers", "server.tls_cert", "server.tls_key", "vault", "tools.root":
		return ""
	}
	return exampleValue(k, c)
}

func code(s string) string {
	if s == "" {
		return ""
	}
	return "`" + s + "`"
}
