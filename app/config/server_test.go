package config_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/app/config"
)

func loadText(t *testing.T, text string, env ...string) (*config.Config, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "rein.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return config.Load(config.Options{File: file, Env: append(config.Environment{"HOME=" + t.TempDir(), "TZ=UTC"}, env...)})
}

func TestServerTables(t *testing.T) {
	c, err := loadText(t, `
[server]
listen = "[::1]:80"
hosts = ["rein.home", "box:8080", "[::1]"]
proxies = ["10.0.0.0/8"]
[webhooks.phone]
url = "https://example.org/hook"
secret_env = "HOOK"
events = ["ask.opened"]
private = true
[presets.digest]
flow = "answer"
about = "the week"
prompt = "What changed?"
tools = ["read_file"]
budget = {rounds = 4, money = 0.5, minutes = 2}
`, "HOOK=0123456789abcdef0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	hook := config.Webhook{URL: "https://example.org/hook", SecretEnv: "HOOK", Events: []string{"ask.opened"}, Private: true}
	if diff := cmp.Diff(hook, c.Webhooks["phone"]); diff != "" {
		t.Errorf("webhook:\n%s", diff)
	}
	usual := rein.Budget{Amount: rein.Amount{Rounds: 10, Tokens: 7, Micros: 9, DrivenMS: 1}}
	budget := rein.Budget{Amount: rein.Amount{Rounds: 4, Tokens: 7, Micros: 500_000, DrivenMS: 120_000}}
	want := rein.Task{Flow: "answer", Tools: []string{"read_file"}, Budget: &budget, Messages: []rein.Message{{Role: rein.User, Text: "What changed?"}}}
	if diff := cmp.Diff(want, c.Presets["digest"].Task(usual)); diff != "" {
		t.Errorf("preset:\n%s", diff)
	}
}

// Everything that is wrong is told with its place, all at once.
func TestServerTablesWrong(t *testing.T) {
	for text, says := range map[string]string{
		"[server]\nlisten = \"7717\"":                                                  "address and a port",
		"[server]\nurl = \"ftp://x\"":                                                  "https://",
		"[server]\ntls_cert = \"a.pem\"":                                               "belong together",
		"[server]\nproxies = [\"here\"]":                                               "not a network",
		"[server]\nhosts = [\"https://x.org/y\"]":                                      "leave out https://",
		"[server]\nhosts = [\"a@x.org\"]":                                              "is not a name",
		"[webhooks]\nphone = 1":                                                        "must be a table",
		"[webhooks.phone]\nurl = \"https://x\"":                                        "needs secret_env",
		"[webhooks.phone]\nurl = \"x\"\nsecret_env = \"S\"":                            "https://",
		"[webhooks.phone]\nurl = \"https://x\"\nsecret_env = \"s-3-c\"":                "environment variable",
		"[webhooks.phone]\nurl=\"https://x\"\nsecret_env=\"S\"\nevents=[\"ask.open\"]": "did you mean \"ask.opened\"",
		"[webhooks.phone]\nurl=\"https://x\"\nsecret_env=\"S\"\nsecret=\"x\"":          "no key \"secret\"",
		"[presets.x]\nprompt = \"x\"":                                                  "needs flow",
		"[presets.x]\nflow = \"anwser\"":                                               "did you mean \"answer\"",
		"[presets.x]\nflow = \"answer\"\nbudget = 3":                                   "must be a table",
		"[presets.x]\nflow = \"answer\"\nbudget = {rounds = \"many\"}":                 "whole number",
		"[presets.x]\nflow = \"answer\"\nbudget = {luck = 1}":                          "no key \"luck\"",
		"[presets.\"a b\"]\nflow = \"answer\"":                                         "letters, digits",
	} {
		_, err := loadText(t, text)
		if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "rein.toml:") {
			t.Errorf("%q gives %v, which does not say %q and where", text, err, says)
		}
	}
}

// A preset names models and tools that there are.
func TestPresetNames(t *testing.T) {
	c, err := loadText(t, "[presets.x]\nflow = \"answer\"\nmodel = \"offlien\"\ntools = [\"read_flie\"]\n[presets.y]\nflow = \"answer\"\nmodel = \"ollama/tiny\"\n")
	if err != nil {
		t.Fatal(err)
	}
	err = c.Check(config.Known{Flows: []string{"answer"}, Tools: []string{"read_file"}})
	for _, says := range []string{"rein.toml:3:", `there is no model "offlien"`, "rein.toml:4:", `there is no tool "read_flie"`} {
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
	if err != nil && strings.Contains(err.Error(), "ollama/tiny") {
		t.Error(err)
	}
}
