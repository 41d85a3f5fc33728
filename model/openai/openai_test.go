package openai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rein"
)

func TestNew(t *testing.T) {
	for name, o := range map[string]Options{
		"needs the name":           {},
		"must be \"chat\"":         {Model: "m", API: "chta"},
		"did you mean":             {Model: "m", API: "chta"},
		"like https://host/v1":     {Model: "m", BaseURL: "localhost:1"},
		"name or password":         {Model: "m", BaseURL: "https://u:p@host/v1"},
		"white space":              {Model: "m", Key: "a b"},
		"must be \"always\"":       {Model: "m", Quirks: Quirks{Stream: "often"}},
		"a schema is asked for by": {Model: "m", Quirks: Quirks{Schema: "magic"}},
	} {
		_, err := New(o)
		if rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), name) {
			t.Errorf("%v does not say %q", err, name)
		}
	}
}

func TestInfo(t *testing.T) {
	m, err := New(Options{Name: "fast", Model: "gpt-x", Key: testKey, Info: rein.ModelInfo{Window: 1000, InputMicros: 5, TextOnly: true}})
	if err != nil {
		t.Fatal(err)
	}
	want := rein.ModelInfo{Name: "fast", Window: 1000, InputMicros: 5, TextOnly: true, MaxOutput: defaultMaxOutput, Account: m.opt.Account}
	if diff := cmp.Diff(want, m.Info()); diff != "" {
		t.Error(diff)
	}
	same, _ := New(Options{Model: "gpt-y", Key: testKey})
	other, _ := New(Options{Model: "gpt-x", Key: testKey + "1"})
	if same.opt.Account != m.opt.Account || other.opt.Account == m.opt.Account || strings.Contains(m.opt.Account, "secret") || !strings.HasPrefix(m.opt.Account, "api.openai.com#") {
		t.Errorf("accounts: %s, %s, %s", m.opt.Account, same.opt.Account, other.opt.Account)
	}
}

// Keys in the environment belong to whoever asked for them: a server gets the key it was given.
func TestKeys(t *testing.T) {
	t.Setenv("OPENAI_API_KEY", "sk-of-the-environment")
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("OPENAI_ORG_ID", "org-of-the-environment")
	for name, c := range map[string]struct {
		key, header string
		want        map[string]string
	}{
		"none":   {"", "", map[string]string{"Authorization": "", "Openai-Organization": ""}},
		"bearer": {"k1", "", map[string]string{"Authorization": "Bearer k1"}},
		"azure":  {"k1", "api-key", map[string]string{"Authorization": "", "Api-Key": "k1"}},
	} {
		var got http.Header
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			got = r.Header
			_, _ = io.WriteString(w, chatOK)
		}))
		m, err := New(Options{Model: "m", BaseURL: server.URL, Key: c.key, Quirks: Quirks{KeyHeader: c.header}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.Generate(t.Context(), hello, nil); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		server.Close()
		for h, want := range c.want {
			if got.Get(h) != want {
				t.Errorf("%s: %s is %q, not %q", name, h, got.Get(h), want)
			}
		}
	}
}

func TestPresets(t *testing.T) {
	t.Setenv("GROQ_API_KEY", " k1\n")
	t.Setenv("AZURE_OPENAI_BASE_URL", "")
	for _, p := range Presets {
		o, err := Preset(p.Name, "")
		if p.URLEnv != "" {
			if !strings.Contains(fmt.Sprint(err), p.URLEnv) {
				t.Errorf("%s: %v", p.Name, err)
			}
			continue
		}
		o.Model = "m"
		if _, err2 := New(o); err != nil || err2 != nil {
			t.Errorf("%s: %v %v", p.Name, err, err2)
		}
		if p.Name == "groq" && o.Key != "k1" {
			t.Errorf("key %q", o.Key)
		}
	}
	if _, err := Preset("olama", ""); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), `did you mean "ollama"?`) {
		t.Error(err)
	}
}

func TestEncryptedReasoning(t *testing.T) {
	for name, want := range map[string]bool{"gpt-5-mini": true, "o3": true, "openai/gpt-5": true, "gpt-4o": false, "gpt-5-chat-latest": false, "llama": false} {
		m, _ := New(Options{Model: name})
		if m.wantsEncrypted() != want {
			t.Errorf("%s: %v", name, !want)
		}
	}
	m, _ := New(Options{Model: "gpt-5", Quirks: Quirks{Encrypted: Never}})
	if m.wantsEncrypted() {
		t.Error("asked although it never should")
	}
}

func TestEmbed(t *testing.T) {
	m := serve(t, Options{}, func(w http.ResponseWriter, r *http.Request) {
		var in struct{ Input []string }
		_ = json.NewDecoder(r.Body).Decode(&in)
		var data []string
		for i, text := range in.Input { // the last first: the index counts
			data = append([]string{fmt.Sprintf(`{"index":%d,"embedding":[%d,0.5]}`, i, len(text))}, data...)
		}
		fmt.Fprintf(w, `{"data":[%s],"usage":{"prompt_tokens":%d,"total_tokens":%d}}`, strings.Join(data, ","), len(data), len(data))
	})
	texts := make([]string, 30)
	for i := range texts {
		texts[i] = strings.Repeat("x", i+1)
	}
	got, err := m.Embed(t.Context(), texts)
	if err != nil || len(got.Vectors) != len(texts) || got.Usage.Input != int64(len(texts)) {
		t.Fatalf("%d vectors, %v, %v", len(got.Vectors), got.Usage, err)
	}
	for i, v := range got.Vectors {
		if diff := cmp.Diff([]float32{float32(i + 1), 0.5}, v); diff != "" {
			t.Fatalf("vector %d: %s", i, diff)
		}
	}
	if got, err := m.Embed(t.Context(), nil); len(got.Vectors) != 0 || err != nil {
		t.Errorf("%v %v", got, err)
	}
	for name, c := range map[string]struct {
		status int
		body   string
		want   rein.Code
	}{
		"too few":            {200, `{"data":[]}`, rein.CodeProvider},
		"twice":              {200, `{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}`, rein.CodeProvider},
		"not a number":       {200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[NaN]}]}`, rein.CodeProvider},
		"cut":                {200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embed`, rein.CodeOverloaded},
		"null":               {200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[null]}]}`, rein.CodeProvider},
		"too large a number": {200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1e39]}]}`, rein.CodeProvider},
		"in words":           {200, `{"data":[{"index":0,"embedding":"AAAA"},{"index":1,"embedding":"AAAA"}]}`, rein.CodeProvider},
		"empty":              {200, `{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[]}]}`, rein.CodeProvider},
		"refused":            {401, `{"error":{"message":"no"}}`, rein.CodeUnauthorized},
		"good error":         {200, `{"error":{"message":"no"}}`, rein.CodeOverloaded},
	} {
		m := serve(t, Options{}, answer(c.status, c.body))
		if _, err := m.Embed(t.Context(), []string{"a", "b"}); rein.CodeOf(err) != c.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}
