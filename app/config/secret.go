package config

import (
	"maps"
	"regexp"
	"slices"
	"strings"
)

// secretPrefix begins the name of a secret of the household, where the name of an environment variable can stand too.
const secretPrefix = "secret:"

var secretName = regexp.MustCompile(`^secret:[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$`)

// isKeyName reports whether a text names where a key is: an environment variable, or secret:NAME.
func isKeyName(name string) bool {
	return variableName.MatchString(name) || secretName.MatchString(name)
}

// SpelledKey says where a key is, in words for people.
func SpelledKey(name string) string {
	if secret, ok := strings.CutPrefix(name, secretPrefix); ok {
		return "the secret " + secret + " (rein secrets set --shared " + secret + ")"
	}
	return "$" + name
}

// SecretNames returns the secrets that the settings name, without their prefix.
func (c *Config) SecretNames() []string {
	names := map[string]bool{}
	for _, m := range c.Models {
		names[m.KeyEnv] = true
	}
	for _, w := range c.Webhooks {
		names[w.SecretEnv] = true
	}
	names[c.Telegram.Token] = true
	names[c.Mail.Password] = true
	for _, s := range c.Web.services() {
		names[s.KeyName()] = true
	}
	var all []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if secret, ok := strings.CutPrefix(name, secretPrefix); ok {
			all = append(all, secret)
		}
	}
	return all
}

// WithSecret returns the variables and a secret, which Get finds as secret:NAME.
func (e Environment) WithSecret(name, value string) Environment {
	return append(slices.Clip(e), secretPrefix+name+"="+value)
}
