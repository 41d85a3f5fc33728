package config

import (
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
	for _, k := range Keys() {
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
	"models":     "# [models.demo]\n# kind = \"script\"\n# file = \"demo.txt\"\n#\n# [models.local]\n# kind = \"openai\"\n# preset = \"ollama\"\n# model = \"qwen3:8b\"\n# silence = \"5m\"  # a call is cut when nothing comes from the provider for so long; by default 2m\n# whole = \"1h\"    # and when it takes longer than this in all; by default 30m\n",
	"webhooks":   "# [webhooks.phone]\n# url = \"https://example.org/hook\"\n# secret_env = \"REIN_HOOK_SECRET\"\n",
	"presets":    "# [presets.digest]\n# flow = \"answer\"\n# prompt = \"What changed this week?\"\n# budget = {rounds = 4}\n",
	"workspaces": "# [workspaces.garden]\n# root = \"~/garden\"\n# vault = \"~/garden/notes\"\n# exclude = [\"Private\"]\n# deny = [\"commit_staged_changes\"]\n",
}

// exampleValue is the default, or what it may look like where that depends on the machine.
func exampleValue(k Key, c *Config) string {
	switch k.Name {
	case "data":
		return `"~/.local/share/rein"`
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

// Table is the keys as a table of a manual.
func Table() string {
	var b strings.Builder
	b.WriteString("| key | default | variable | flag | what |\n|---|---|---|---|---|\n")
	nobody := defaults(nil)
	for _, k := range Keys() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s |\n", k.Name, code(tableDefault(k, nobody)), code(k.Env), code(k.Flag), k.Doc)
	}
	return b.String()
}

func tableDefault(k Key, c *Config) string {
	switch k.Name {
	case "zone":
		return ""
	case "models", "webhooks", "presets", "workspaces", "server.tls_cert", "server.tls_key", "vault", "tools.root":
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
