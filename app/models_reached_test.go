package app

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rein/app/config"
)

// A model is reachable if its provider knows it: neither a wrong address nor a wrong name is.
func TestReachable(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/models":
			fmt.Fprint(w, `{"object":"list","data":[{"id":"one"},{"id":"two:latest"},{"id":"models/three"}]}`)
		case "/v1/models/claude":
			fmt.Fprint(w, `{"type":"model","id":"claude-1"}`)
		case "/empty/models":
			fmt.Fprint(w, `{"data":[]}`)
		case "/page/models":
			fmt.Fprint(w, `<html>welcome</html>`)
		default:
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	for _, c := range []struct{ kind, preset, path, model, want string }{
		{"openai", "", "/v1", "one", ""},
		{"openai", "", "/v1/", "two", ""},
		{"openai", "", "/v1", "three", ""},
		{"openai", "", "/empty", "one", ""},
		{"openai", "llamacpp", "/v1", "any", ""},
		{"anthropic", "", "", "claude", ""},
		{"openai", "", "/v1", "four", `has no model "four"; it has one, two:latest, models/three`},
		{"openai", "", "", "one", "/models answers 404: check base_url"},
		{"openai", "", "/page", "one", "does not return a list of models: check base_url"},
		{"anthropic", "", "", "other", `has no model "other": check its name and base_url`},
	} {
		got := New(Options{Env: []string{}}).unreachable(t.Context(), config.Model{Kind: c.kind, Provider: config.Provider{Preset: c.preset, BaseURL: server.URL + c.path, Model: c.model}})
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s %s at %s: %q, want %q", c.kind, c.model, c.path, got, c.want)
		}
	}
}
