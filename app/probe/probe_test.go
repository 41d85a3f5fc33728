package probe

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rein"
	"rein/app/config"
	"rein/model/anthropic"
	"rein/model/openai"
)

// provider is a server with the paths and replies of the providers' APIs. It counts the replies that were asked for.
func provider(t *testing.T, words *atomic.Int32) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ") + r.Header.Get("X-Api-Key")
		base, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		switch {
		case base != "open" && key != "" && key != "good-key-of-a-test":
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprint(w, `{"error":{"message":"Incorrect API key provided","type":"invalid_request_error","code":"invalid_api_key"}}`)
		case base == "none":
			http.NotFound(w, r)
		case base == "page":
			fmt.Fprint(w, `<html>welcome</html>`)
		case strings.HasSuffix(path, "chat/completions"), strings.HasSuffix(path, "messages"):
			words.Add(1)
			reply(w, r, base, key)
		case path == "v1/models" && base == "together":
			fmt.Fprint(w, `[{"id":"one","object":"model"}]`)
		case path == "v1/models" && base != "bare":
			fmt.Fprint(w, `{"object":"list","data":[{"id":"one","object":"model","owned_by":"us"},{"id":"two:latest"},{"id":"models/three"}]}`)
		case path == "v1/models/claude":
			fmt.Fprint(w, `{"type":"model","id":"claude-1","display_name":"Claude"}`)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// reply answers a chat, unless the server is one that fails.
func reply(w http.ResponseWriter, r *http.Request, base, key string) {
	data := make([]byte, 4096)
	n, _ := r.Body.Read(data)
	switch body := string(data[:n]); {
	case base == "open" && key != "good-key-of-a-test":
		http.Error(w, `{"error":{"message":"No auth credentials found","code":401}}`, http.StatusUnauthorized)
	case base == "broken":
		http.Error(w, `{"error":{"message":"The engine is overloaded","type":"server_error"}}`, http.StatusServiceUnavailable)
	case base == "busy":
		http.Error(w, `{"error":{"message":"slow down","code":"rate_limit_exceeded"}}`, http.StatusTooManyRequests)
	case strings.Contains(body, `"nobody"`):
		http.Error(w, `{"error":{"message":"The model nobody does not exist","code":"model_not_found"}}`, http.StatusNotFound)
	case strings.HasSuffix(r.URL.Path, "messages"):
		fmt.Fprint(w, `{"id":"m1","type":"message","role":"assistant","model":"claude","content":[{"type":"text","text":"H"}],"stop_reason":"max_tokens","usage":{"input_tokens":8,"output_tokens":1}}`)
	default:
		fmt.Fprint(w, `{"id":"c1","object":"chat.completion","model":"one","choices":[{"index":0,"message":{"role":"assistant","content":"H"},"finish_reason":"length"}],"usage":{"prompt_tokens":8,"completion_tokens":1}}`)
	}
}

// made is the model as runs call it.
func made(t *testing.T, m config.Model, key string) rein.Model {
	t.Helper()
	if m.Kind == config.KindAnthropic {
		made, err := anthropic.New(anthropic.Options{Model: m.Model, BaseURL: m.BaseURL, Key: key})
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	made, err := openai.New(openai.Options{Model: m.Model, BaseURL: m.BaseURL, Key: key, Quirks: presetOf(m).Quirks})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// A probe says what is wrong with a model, and what to do: its address, its key, or its name. Where the list of a
// provider proves that all is right, no reply is asked for.
func TestModel(t *testing.T) {
	t.Parallel()
	var words atomic.Int32
	url := provider(t, &words)
	const good, bad = "good-key-of-a-test", "bad-key-of-a-test"
	for _, c := range []struct {
		kind, preset, path, model, key string
		why, do                        string // parts; empty: it can be used
		words                          int32
	}{
		{kind: "openai", path: "/x/v1", model: "one"},
		{kind: "openai", path: "/x/v1/", model: "two"},
		{kind: "openai", path: "/x/v1", model: "three"},
		{kind: "openai", path: "/together/v1", model: "one"},
		{kind: "openai", path: "/x/v1", model: "one", key: good, words: 1}, // nobody knows whether its list wants a key
		{kind: "openai", preset: "llamacpp", path: "/x/v1", model: "any", words: 1},
		{kind: "openai", path: "/bare/v1", model: "any", words: 1}, // it has no list
		{kind: "openai", path: "/busy/v1", model: "one", key: good, words: 1},
		{kind: "anthropic", path: "/x", model: "claude", key: good},
		{kind: "anthropic", path: "/bare", model: "other", key: good, words: 1},
		{kind: "openai", path: "/x/v1", model: "one", key: bad, why: "refuses the key", do: "look at $K"},
		{kind: "openai", path: "/open/v1", model: "one", key: bad, why: "refuses the key", do: "look at $K", words: 1},
		{kind: "anthropic", path: "/x", model: "claude", key: bad, why: "refuses the key", do: "look at $K"},
		{kind: "openai", path: "/x/v1", model: "oen", why: `has no model "oen"`, do: `did you mean "one"? It has one, two:latest, models/three`},
		{kind: "openai", preset: "ollama", path: "/x/v1", model: "qwen3:8b", why: `has no model "qwen3:8b"`, do: "`ollama pull qwen3:8b`"},
		{kind: "anthropic", path: "/x", model: "sonnet", key: good, why: `has no model "sonnet"`, do: "set model to one that it has: one, two:latest"},
		{kind: "openai", preset: "azure", path: "/x/v1", model: "nobody", why: "answered 404: The model nobody does not exist", do: "check the model's name", words: 1},
		{kind: "openai", path: "/none/v1", model: "one", why: "neither models nor replies are at http://", do: "most end in /v1"},
		{kind: "openai", path: "/page", model: "one", why: "not JSON", do: "most end in /v1"},
		{kind: "openai", path: "/broken/v1", model: "one", key: good, why: "answered 503: The engine is overloaded", do: "try again later", words: 1},
	} {
		t.Run(c.kind+c.path+" "+c.model+" "+c.key, func(t *testing.T) {
			words.Store(0)
			m := config.Model{Kind: c.kind, Provider: config.Provider{Preset: c.preset, BaseURL: url + c.path, Model: c.model}}
			if c.key != "" {
				m.KeyEnv = "K"
			}
			got := Model(t.Context(), m, c.key, made(t, m, c.key))
			switch {
			case c.why == "" && got != nil:
				t.Errorf("%v", got)
			case c.why != "" && (got == nil || !strings.Contains(got.Why, c.why) || !strings.Contains(got.Do, c.do)):
				t.Errorf("got %v, want %s: %s", got, c.why, c.do)
			}
			if got := words.Load(); got != c.words {
				t.Errorf("%d replies were asked for, want %d", got, c.words)
			}
			if got != nil && c.key != "" && strings.Contains(got.Error(), c.key) {
				t.Errorf("it shows the key: %v", got)
			}
		})
	}
}

// A server that is not there is not one that has too much to do.
func TestNobodyAnswers(t *testing.T) {
	t.Parallel()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	free.Close()
	stuck := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	t.Cleanup(stuck.Close)
	for _, c := range []struct{ preset, url, why, do string }{
		{"ollama", "http://" + free.Addr().String() + "/v1", "nothing listens at " + free.Addr().String(), "`ollama serve`"},
		{"", "http://" + free.Addr().String() + "/v1", "nothing listens at", "start the server"},
		{"", "http://no-such-host.invalid/v1", "there is no host no-such-host.invalid", "base_url"},
		{"", stuck.URL, "does not answer within 3s", "base_url"},
		{"", "host/v1", "its base URL is not an address", "https://host/v1"},
	} {
		m := config.Model{Kind: config.KindOpenAI, Provider: config.Provider{Preset: c.preset, BaseURL: c.url, Model: "one"}}
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		got := Model(ctx, m, "", nil)
		cancel()
		if got == nil || !strings.Contains(got.Why, c.why) || !strings.Contains(got.Do, c.do) || strings.Contains(got.Error(), "overload") {
			t.Errorf("%s: %v", c.url, got)
		}
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if got := Model(ended, config.Model{Provider: config.Provider{BaseURL: stuck.URL}}, "", nil); got == nil {
		t.Error("it was not asked, and is said to be there")
	}
}

// A key that is not there is named, by its variable or by its secret.
func TestMissing(t *testing.T) {
	for name, want := range map[string]Trouble{
		"SOME_KEY":    {"$SOME_KEY is not set", "put your key into it, as in export SOME_KEY=…"},
		"secret:some": {"there is no secret some", "set it with `rein secrets set --shared some`"},
	} {
		_, got := List(t.Context(), config.Model{Provider: config.Provider{KeyEnv: name}}, "")
		if diff := cmp.Diff(&want, got); diff != "" {
			t.Error(diff)
		}
	}
}

// The names of a list are those that can be asked for.
func TestList(t *testing.T) {
	t.Parallel()
	url := provider(t, new(atomic.Int32))
	for _, m := range []config.Model{
		{Kind: config.KindOpenAI, Provider: config.Provider{BaseURL: url + "/x/v1"}},
		{Kind: config.KindAnthropic, Provider: config.Provider{BaseURL: url + "/x"}},
	} {
		got, wrong := List(t.Context(), m, "good-key-of-a-test")
		if diff := cmp.Diff([]string{"one", "two:latest", "three"}, got); diff != "" || wrong != nil {
			t.Error(diff, wrong)
		}
	}
}

// Servers on this machine are found by asking them; what is no list of models is none of them.
func TestLocals(t *testing.T) {
	t.Parallel()
	url := provider(t, new(atomic.Int32))
	got := locals(t.Context(), []Local{{Preset: "ollama"}, {Preset: "vllm", BaseURL: url + "/page"}, {Preset: "lmstudio", BaseURL: url + "/none/v1"}}, url+"/x")
	if diff := cmp.Diff([]Local{{Preset: "ollama", BaseURL: url + "/x/v1", Models: []string{"one", "two:latest", "models/three"}}}, got); diff != "" {
		t.Error(diff)
	}
	if got := Ollama(t.Context(), url+"/none"); got != nil {
		t.Errorf("found %v", got)
	}
}

func TestOllamaURL(t *testing.T) {
	for host, want := range map[string]string{
		"": "", "0.0.0.0": "http://127.0.0.1:11434/v1", "0.0.0.0:80": "http://127.0.0.1:80/v1", "box": "http://box:11434/v1", "https://box:1/x/": "https://box:1/x/v1", "[::1]:5": "http://[::1]:5/v1", ":": "",
	} {
		if got := OllamaURL(host); got != want {
			t.Errorf("OllamaURL(%q) = %q, want %q", host, got, want)
		}
	}
}

// What could be used a moment ago is known for a moment, to whoever has the same key. The file gives the key away to
// nobody.
func TestMemory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "rein", "models.json")
	now := time.Date(2026, 5, 3, 12, 0, 0, 0, time.UTC)
	m := config.Model{Kind: config.KindOpenAI, Provider: config.Provider{Model: "one"}}
	first := &Memory{File: file, Now: now}
	if first.Has(m, "the key") {
		t.Error("it knows what nobody told it")
	}
	first.Keep(m, "the key")
	if err := first.Save(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), "key") {
		t.Errorf("%s %v", data, err)
	}
	soon, late := &Memory{File: file, Now: now.Add(59 * time.Second)}, &Memory{File: file, Now: now.Add(time.Minute)}
	if !soon.Has(m, "the key") || soon.Has(m, "another key") || late.Has(m, "the key") {
		t.Error("it holds for a minute, and for that key")
	}
	other := m
	other.BaseURL = "http://elsewhere"
	if soon.Has(other, "the key") {
		t.Error("another server was not asked")
	}
}
