package app

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rein"
	"rein/app/config"
)

// vectors is a server that makes vectors of three numbers and speaks no chat.
func vectors(t *testing.T) (url string, asked func() string) {
	last := ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Model string
			Input []string
		}
		if json.NewDecoder(r.Body).Decode(&in) != nil || r.URL.Path != "/v1/embeddings" {
			http.Error(w, `{"error":"no"}`, http.StatusNotFound)
			return
		}
		last = in.Model + " " + r.Header.Get("Api-Key")
		data := []string{}
		for i := range in.Input {
			data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[1,2,3]}`, i))
		}
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(data, ","))
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1", func() string { return last }
}

// The settings lead to an embedder, with the quirks of its preset.
func TestTheEmbedderIsWired(t *testing.T) {
	url, asked := vectors(t)
	file := filepath.Join(t.TempDir(), "rein.toml")
	text := "embedder = \"notes\"\n[models.notes]\nkind = \"openai\"\npreset = \"azure\"\nmodel = \"small\"\nbase_url = \"" + url + "\"\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AZURE_OPENAI_BASE_URL", url)
	env := config.Environment{"AZURE_OPENAI_API_KEY=k1"}
	settings, err := config.Load(config.Options{File: file, Env: env})
	if err != nil {
		t.Fatal(err)
	}
	c := New(Options{Env: env})
	e, err := c.newEmbedder(settings, env, newLimiter(settings))
	if err != nil {
		t.Fatal(err)
	}
	made, err := e.Embed(t.Context(), []string{"a", "b"})
	if err != nil || len(made.Vectors) != 2 || e.Space() != (rein.Space{Model: "small", Dimension: 3}) {
		t.Errorf("%+v %+v %v", made, e.Space(), err)
	}
	if asked() != "small k1" {
		t.Errorf("the server was asked for %q", asked())
	}
	m := Model{Name: "notes"}
	c.tryEmbedder(t.Context(), settings, env, &m)
	if !m.Reachable || m.Dimension != 3 {
		t.Errorf("%+v", m)
	}
}

func TestWithoutAnEmbedder(t *testing.T) {
	s := New(Options{Env: []string{}})
	e, err := s.newEmbedder(&config.Config{}, nil, nil)
	if e != nil || err != nil {
		t.Errorf("%v %v", e, err)
	}
	if list, err := s.withEmbedder(&config.Config{Embedder: "ollama/nomic"}, nil); err != nil || len(list) != 1 || !list[0].Embeds || list[0].Model != "nomic" {
		t.Errorf("%+v %v", list, err)
	}
}
