package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// loadWeb reads settings of the section [web].
func loadWeb(t *testing.T, text string, env ...string) (*Config, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rein.toml")
	if err := os.WriteFile(file, []byte("[web]\n"+text), 0o600); err != nil {
		t.Fatal(err)
	}
	return Load(Options{File: file, Env: env})
}

// Each mistake is reported with its place and what would be right, and a key that stands where a name belongs is not
// repeated.
func TestWebMistakes(t *testing.T) {
	for text, want := range map[string]string{
		`search = "google"`:              "rein.toml:2:10: web.search: it is \"google\" and must be one of ",
		`search = "searxng"`:             "say where it is with web.search_url",
		`search = "brave"`:               "name it with web.search_key, such as \"env:BRAVE_API_KEY\"",
		`shopping = "tavily"`:            "must be one of , searxng, serpapi",
		`search_url = "localhost"`:       "must be an address",
		`github_url = "http://u:p@h"`:    "must be an address",
		`search_key = "BSAsecretsecret"`: "it must be \"env:NAME\" or \"secret:NAME\"",
		`search_key = "env:sk-secret"`:   "it must be \"env:NAME\" or \"secret:NAME\"",
		`allow = ["10.0.0.0/33"]`:        "must be a network",
		`allow = ["http://wiki"]`:        "must be a network",
		`allow = ["*.lan"]`:              "must be a network",
		`allow = ["me@wiki"]`:            "must be a network",
		`timeout = "1h"`:                 "web.timeout",
		`fetch = "yes"`:                  "true or false",
		`serach = "brave"`:               "did you mean \"web.search\"?",
	} {
		_, err := loadWeb(t, text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secretsecret") || strings.Contains(err.Error(), "sk-secret") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What is right is kept: networks and hosts apart, keys by their names, and their values among the secrets.
func TestWebSettings(t *testing.T) {
	c, err := loadWeb(t, `search = "brave"
search_key = "env:BRAVE"
shopping = "serpapi"
shopping_key = "secret:serp"
github = true
github_key = "env:GH"
allow = ["10.1.2.3/8", "wiki.lan", "wiki.lan:3000", "[fd00::1]:8080", "fd00::/8"]
`, "BRAVE=0123456789", "GH=short")
	if err != nil {
		t.Fatal(err)
	}
	networks := []string{}
	for _, n := range c.Web.Networks() {
		networks = append(networks, n.String())
	}
	if diff := cmp.Diff([]string{"10.0.0.0/8", "fd00::/8"}, networks); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"wiki.lan", "wiki.lan:3000", "[fd00::1]:8080"}, c.Web.Hosts()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"serp"}, c.SecretNames()); diff != "" {
		t.Error(diff)
	}
	env := Environment{"BRAVE=0123456789", "GH=short"}.WithSecret("serp", "abcdefghij")
	if diff := cmp.Diff(map[string]string{"BRAVE": "0123456789", "secret:serp": "abcdefghij"}, c.Secrets(env)); diff != "" {
		t.Error(diff)
	}
	if got := c.Web.Search.KeyName() + " " + c.Web.Shopping.KeyName() + " " + c.Web.GitHub.Kind; got != "BRAVE secret:serp github" {
		t.Error(got)
	}
}
