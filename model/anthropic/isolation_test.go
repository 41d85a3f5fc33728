package anthropic_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"rein"
	"rein/model/anthropic"
)

// Keys, hosts and headers that are in the environment for other programs are not ours to send.
func TestNothingComesFromTheEnvironment(t *testing.T) {
	t.Setenv("ANTHROPIC_API_KEY", "from-env")
	t.Setenv("ANTHROPIC_AUTH_TOKEN", "from-env")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("ANTHROPIC_CUSTOM_HEADERS", "X-Extra: from-env")
	for _, key := range []string{"", "mine"} {
		var header http.Header
		var path string
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			header, path = r.Header.Clone(), r.URL.Path
			w.Header().Set("Content-Type", jsonType)
			_, _ = io.WriteString(w, builtin()[0].Response)
		}))
		m, err := anthropic.New(anthropic.Options{Model: "m", BaseURL: server.URL + "/proxy/v1", Key: key})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := generate(m, ask("Hello"), false); err != nil {
			t.Fatal(err)
		}
		server.Close()
		if header.Get("X-Api-Key") != key || header.Get("Authorization") != "" || header.Get("X-Extra") != "" || path != "/proxy/v1/messages" {
			t.Errorf("key %q: %s %v", key, path, header)
		}
	}
}

// A redirect would take the key along.
func TestRedirectsAreNotFollowed(t *testing.T) {
	asked := false
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	defer other.Close()
	server := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer server.Close()
	m, err := anthropic.New(anthropic.Options{Model: "m", BaseURL: server.URL, Key: "k-secret"})
	if err != nil {
		t.Fatal(err)
	}
	for _, stream := range []bool{false, true} {
		if _, _, err := generate(m, ask("Hello"), stream); rein.CodeOf(err) != rein.CodeProvider || asked {
			t.Errorf("stream %v: %v, followed: %v", stream, err, asked)
		}
	}
}

// An answer without an end must not fill the memory.
func TestEndlessAnswers(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", sseType)
		line := []byte(": " + strings.Repeat("x", 1<<16) + "\n")
		for r.Context().Err() == nil {
			if _, err := w.Write(line); err != nil {
				return
			}
		}
	}))
	defer server.Close()
	m, err := anthropic.New(anthropic.Options{Model: "m", BaseURL: server.URL})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := generate(m, ask("Hello"), true); rein.CodeOf(err) != rein.CodeProvider || !strings.Contains(err.Error(), "larger") {
		t.Errorf("got %v", err)
	}
}

func TestImages(t *testing.T) {
	p := newPlayer(t)
	png := []byte("\x89PNG\x0D\x0A\x1A\x0A")
	for _, c := range []struct {
		image rein.Image
		want  string // of the block, or of the error
		bad   bool
	}{
		{rein.Image{Type: "image/jpg", Data: png}, `"media_type":"image/jpeg"`, false},
		{rein.Image{Data: png}, `"media_type":"image/png"`, false},
		{rein.Image{URL: "data:image/gif;base64,R0lG"}, `"data":"R0lG","media_type":"image/gif"`, false},
		{rein.Image{URL: "http://h/a"}, `"url":"http://h/a"`, false},
		{rein.Image{URL: "data:image/gif,x"}, "base64", true},
		{rein.Image{Type: "image/tiff", Data: png}, `an image is "image/tiff"; the model takes image/jpeg`, true},
		{rein.Image{URL: "file:///etc/passwd"}, "neither data nor", true},
		{rein.Image{}, "neither data nor", true},
	} {
		r := ask("Look")
		r.Messages[0].Images = []rein.Image{c.image}
		p.load(-1, builtin()[0])
		_, _, err := generate(p.model(t, 0, anthropic.Options{}), r, false)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = string(p.sent()[0])
		}
		if !strings.Contains(got, c.want) || (err != nil) != c.bad || (c.bad && rein.CodeOf(err) != rein.CodeInvalid) {
			t.Errorf("%+v: %s", c.image, got)
		}
	}
}

// Newer models take no budget for thinking.
func TestAdaptiveThinking(t *testing.T) {
	for model, want := range map[string]string{
		"claude-3-7-sonnet-20250219":             "enabled",
		"claude-sonnet-4-20250514":               "enabled",
		"us.anthropic.claude-haiku-4-5-20251001": "enabled",
		"claude-sonnet-4-6":                      "enabled",
		"claude-opus-4-6":                        "adaptive",
		"anthropic/claude-sonnet-5":              "adaptive",
		"kimi-k2":                                "enabled",
	} {
		p := newPlayer(t)
		p.load(-1, builtin()[0])
		m, err := anthropic.New(anthropic.Options{Model: model, BaseURL: p.URL, Thinking: 2000})
		if err != nil {
			t.Fatal(err)
		}
		if _, _, err := generate(m, ask("Hello"), false); err != nil {
			t.Fatal(err)
		}
		if sent, err := readRequest(p.sent()[0]); err != nil || sent.Thinking == nil || sent.Thinking.Type != want {
			t.Errorf("%s: %+v, %v", model, sent.Thinking, err)
		}
	}
}
