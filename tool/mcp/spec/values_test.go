package spec_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"rein/tool/mcp/spec"
)

// Which values can be written out, which look like secrets, and which are neither: those are kept sealed if somebody types
// them, and may be in rein.toml.
func TestWhatLooksSecret(t *testing.T) {
	t.Parallel()
	const plain, neither, secret = "plain", "neither", "a secret"
	for pair, want := range map[string]string{
		"ROOT=/srv/files": plain, "CONFIG=~/x/y.json": plain, "NODE_PATH=/a:/b": plain, "BASE_URL=https://example.org/api": plain, "LOG_LEVEL=debug": plain,
		"NODE_ENV=production": plain, "PORT=8080": plain, "DAY=2024-11-05": plain, "VERSION=1.2.3": plain, "AUTHOR=Ann": plain, "TITLE=Ann's": neither, "Accept=application/json": plain,
		"KEYBOARD=dutch": plain, "MAX_TOKENS=4096": plain, "TOKEN_LIMIT=4096": plain, "AUTH_METHOD=oauth": plain, "DISABLE_AUTH=true": plain, "API_KEY=": plain, "TOKEN_FILE=/run/secrets/token": plain,
		"AUTH_URL=https://id.example.org/": plain, "TOKEN=env:TOKEN": plain, "TOKEN=secret:TOKEN": plain,

		"MODEL=gpt-4o-mini": neither, "OPTS=--size=4096": neither, "WHO=Kumquat-1f7a90": neither, "URL=https://example.org/?q=1": neither, "WORDS=correcthorsebatterystaple": neither,

		"GITHUB_TOKEN=abc": secret, "API_KEY=changeme": secret, "githubToken=abc": secret, "X-Api-Key=x": secret, "Authorization=Bearer x": secret, "Cookie=a": secret, "DB_PASS=hunter": secret,
		"PASSWORD=correct horse": secret, "AWS_SECRET_ACCESS_KEY=a/b": secret, "PIN=1234": secret, "X=ghp_0123456789abcdefghijklmnopqrstuvwx": secret, "DB=postgres://ann:s3cret-word@db/main": secret,
		"KEY_ID=AKIAIOSFODNN7EXAMPLE": secret, "TOKEN_FILE=0123456789abcdef": secret, "APIKEY=x y": secret,
	} {
		name, text, _ := strings.Cut(pair, "=")
		got, v := neither, spec.Value{Name: name, Text: text}
		switch {
		case v.LooksSecret() && v.IsPlain():
			got = "both"
		case v.LooksSecret():
			got = secret
		case v.IsPlain() || spec.IsReference(text):
			got = plain
		}
		if got != want {
			t.Errorf("%s is %s, want %s", pair, got, want)
		}
	}
}

// What looks like a secret is refused wherever a server is written down, with the way out, and is not repeated.
func TestNoSecretsInSettings(t *testing.T) {
	t.Parallel()
	const token = "ghp_0123456789abcdefghijklmnopqrstuvwx"
	command := []string{"serve"}
	for name, c := range map[string]struct {
		server spec.Server
		says   string
	}{
		"variable":               {spec.Server{Command: command, Env: []string{"TOKEN=hunter2"}}, "rein mcp add, which keeps the value sealed"},
		"variable by its value":  {spec.Server{Command: command, Env: []string{"X=" + token}}, "must not be in a file"},
		"argument":               {spec.Server{Command: []string{"serve", token}}, "argument 1 of the command looks like a secret"},
		"argument with its name": {spec.Server{Command: []string{"serve", "--api-key=hunter2"}}, "argument 1"},
		"argument after its name": {
			spec.Server{Command: []string{"docker", "run", "--token", "hunter2"}}, "argument 3",
		},
		"variable in an argument": {spec.Server{Command: []string{"docker", "run", "-e", "API_KEY=hunter2", "image"}}, "argument 3"},
		"header":                  {spec.Server{URL: "https://example.org/mcp", Headers: map[string]string{"X-Api-Key": "hunter2"}}, "env:NAME"},
		"header by its value":     {spec.Server{URL: "https://example.org/mcp", Headers: map[string]string{"X": token}}, "secret:NAME"},
		"address":                 {spec.Server{URL: "https://example.org/mcp?tavilyApiKey=tvly-hunter2"}, "send it as a header"},
		"another's secret":        {spec.Server{URL: "https://example.org/mcp", Headers: map[string]string{"X": "secret:mcp/other/login"}}, "belong to parts of rein"},
		"a typed value, elsewhere": {
			spec.Server{Command: command, Env: []string{"TOKEN=secret:mcp/x/value.TOKEN"}}, "belong to parts of rein",
		},
		"a typed value of another": {
			spec.Server{From: spec.FromAdded, Command: command, Env: []string{"TOKEN=secret:mcp/y/value.TOKEN"}}, "belong to parts of rein",
		},
	} {
		c.server.Name = "x"
		err := c.server.Check()
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), token) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: %v, want %q", name, err, c.says)
		}
	}
	for _, s := range []spec.Server{
		{Command: []string{"npx", "-y", "@scope/server-auth", "token", "list", "--auth", "oauth", "--key-file=/etc/key"}, Env: []string{"TOKEN=env:TOKEN", "OTHER=secret:OTHER", "API_KEY"}},
		{URL: "https://example.org/mcp?team=a&auth=none", Headers: map[string]string{"Authorization": "secret:TRACKER", "X-Team": "a1b2c3d4"}},
		{From: spec.FromAdded, Command: command, Env: []string{"TOKEN=secret:mcp/x/value.TOKEN"}},
	} {
		s.Name = "x"
		if err := s.Check(); err != nil {
			t.Error(err)
		}
	}
}

// Sealing leaves what is plain, and references in the place of everything else. They belong to the server, not to a person.
func TestSeal(t *testing.T) {
	t.Parallel()
	env := []string{"TOKEN=hunter2", "_MODE=gpt-4o-mini", "ROOT=/srv", "HOME2", "A=env:B", "C=secret:D"}
	s := spec.Server{Name: "x", From: spec.FromAdded, Command: []string{"serve"}, Env: env}
	values, err := s.Seal()
	if err != nil || !maps.Equal(values, map[string]string{"mcp/x/value.TOKEN": "hunter2", "mcp/x/value._MODE": "gpt-4o-mini"}) {
		t.Errorf("%v %v", values, err)
	}
	if want := []string{"TOKEN=secret:mcp/x/value.TOKEN", "_MODE=secret:mcp/x/value._MODE", "ROOT=/srv", "HOME2", "A=env:B", "C=secret:D"}; !slices.Equal(s.Env, want) || env[0] != "TOKEN=hunter2" {
		t.Errorf("%v", s.Env)
	}
	if again, err := s.Seal(); err != nil || len(again) > 0 {
		t.Errorf("the second time: %v %v", again, err)
	}
	if err := s.Check(); err != nil || !s.IsPersonal() {
		t.Errorf("%v, personal %t", err, s.IsPersonal())
	}
	if s.Env = s.Env[:5]; s.IsPersonal() {
		t.Error("what was typed for a server makes it personal")
	}
	h := spec.Server{Name: "x", URL: "https://example.org/mcp", Headers: map[string]string{"Authorization": "Bearer x", "Accept": "text/plain"}}
	if values, err := h.Seal(); err != nil || values["mcp/x/value.Authorization"] != "Bearer x" || h.Headers["Authorization"] != "secret:mcp/x/value.Authorization" || h.Headers["Accept"] != "text/plain" {
		t.Errorf("%v %v %v", values, h.Headers, err)
	}
	odd := spec.Server{Name: "x", Command: []string{"serve"}, Env: []string{"A/B=hunter2-1"}}
	if _, err := odd.Seal(); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("%v", err)
	}
}

// Variables of rein that a server gets are hidden unless they are plainly no secrets.
func TestSecretsOfAServer(t *testing.T) {
	t.Parallel()
	env := map[string]string{"TOKEN": "short", "MODE": "gpt-4o-mini", "ROOT": "/srv/files", "EDITOR": "vim", "OF": "Kumquat-1"}
	s := spec.Server{Name: "x", Command: []string{"serve"}, Env: []string{"TOKEN", "LEVEL=env:MODE", "ROOT", "EDITOR", "X=env:OF", "Y=secret:Z", "PASSWORD=env:EDITOR"}}
	got := s.Secrets(func(name string) string { return env[name] })
	if want := map[string]string{"TOKEN": "short", "MODE": "gpt-4o-mini", "OF": "Kumquat-1", "EDITOR": "vim"}; !maps.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
