package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// Lines are what a rein.toml needs to use a model by a name: the choice, which must come before all tables, and the table.
func Lines(name string, m Model) (choice, table string) {
	var b strings.Builder
	fmt.Fprintf(&b, "[models.%s]\n", tomlKey(name))
	for _, row := range []struct{ key, value, why string }{
		{"kind", m.Kind, ""},
		{"preset", m.Preset, "what is special about this server: docs/models.md"},
		{"base_url", m.BaseURL, "where it is"},
		{"model", m.Model, "as the provider calls it"},
		{"key_env", m.KeyEnv, keyWords(m.KeyEnv)},
	} {
		if row.value == "" {
			continue
		}
		line := row.key + " = " + tomlText(row.value)
		if row.why != "" {
			line += "  # " + row.why
		}
		b.WriteString(line + "\n")
	}
	return "model = " + tomlText(name) + "\n", b.String()
}

func keyWords(keyEnv string) string {
	if strings.HasPrefix(keyEnv, secretPrefix) {
		return "sealed in the data folder: rein secrets list"
	}
	return "the variable with the key; the key itself never goes into this file"
}

// Written is a rein.toml to begin with, which uses a model by a name.
func Written(name string, m Model) string {
	choice, table := Lines(name, m)
	return `# Settings of rein, written by rein init. rein config example prints every setting with its default,
# and rein config check shows what holds. Flags and variables ($REIN_…) come before this file.

# The model that answers. rein models lists those that can be chosen.
` + choice + `
# Your folder of Markdown notes, to search and to write.
# vault = "~/Notes"

# The language you want answers in.
# language = "en"

` + table + `
# What a run may spend, in the currency of the prices.
# [budget]
# money = 5.00

# Tools that ask you before each call, and tools that are not there at all.
# [tools]
# ask = ["read_file"]
# deny = ["execute_command"]
`
}

// tomlText writes a text as TOML has it, whatever is in it: what JSON escapes, TOML reads.
func tomlText(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a string can always be written
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\u007f", `\u007f`)
}

// tomlKey is a name as a part of a table's header.
func tomlKey(name string) string {
	if variableName.MatchString(name) {
		return name
	}
	return tomlText(name)
}
