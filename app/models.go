package app

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"rein"
	"rein/app/config"
	"rein/model/openai"
)

// A Model is a model that runs can ask, and whether it can be reached.
type Model struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Model   string `json:"model,omitempty"` // as its provider calls it
	Default bool   `json:"default,omitempty"`
	// Of the one that makes vectors: how many numbers each has, if it could be asked.
	Embeds    bool `json:"embeds,omitempty"`
	Dimension int  `json:"dimension,omitempty"`

	Window int64 `json:"window,omitempty"`
	// Prices of a million tokens, in millionths of the currency unit.
	InputMicros  int64  `json:"input_micros"`
	OutputMicros int64  `json:"output_micros"`
	Reachable    bool   `json:"reachable"`
	Why          string `json:"why,omitempty"` // it is not
}

// Models lists the models: those that the settings name, the built-in one, and those of an Ollama on this
// machine. Each provider is asked, for a moment, whether it can be reached.
func (s *Setup) Models(ctx context.Context) ([]Model, error) {
	settings, err := s.Checked()
	if err != nil {
		return nil, err
	}
	models, err := s.newModels(settings)
	if err != nil {
		return nil, &SettingError{err.Error()}
	}
	var list []Model
	for _, name := range settings.ModelNames() {
		list = append(list, s.listed(name, settings, models[name].Info()))
	}
	found, _ := openai.FindOllama(ctx) // most machines have none
	for _, name := range found {
		info, err := infoOf(ollamaModel(name), settings.Prices)
		if err != nil {
			return nil, err
		}
		full := config.OllamaPrefix + name
		list = append(list, Model{Name: full, Kind: "ollama", Model: name, Default: full == settings.Model, Window: info.Window, Reachable: true})
	}
	if list, err = withEmbedder(settings, list); err != nil {
		return nil, err
	}
	s.reachAll(ctx, settings, list)
	return list, nil
}

func (s *Setup) listed(name string, settings *config.Config, info rein.ModelInfo) Model {
	m, ok := settings.Models[name]
	if !ok {
		m.Kind = config.KindOffline
	}
	if _, own := s.o.Models[name]; own {
		m.Kind = config.KindOwn
	}
	return Model{
		Name: name, Kind: m.Kind, Model: m.Model, Default: name == settings.Model,
		Window: info.Window, InputMicros: info.InputMicros, OutputMicros: info.OutputMicros,
	}
}

// reachPatience is how long a provider may take to say that it is there.
const reachPatience = 3 * time.Second

// reachAll asks all providers at once.
func (s *Setup) reachAll(ctx context.Context, settings *config.Config, list []Model) {
	ctx, cancel := context.WithTimeout(ctx, reachPatience)
	defer cancel()
	var all sync.WaitGroup
	for i := range list {
		m, ok := settings.Models[list[i].Name]
		if list[i].Embeds {
			all.Go(func() { s.tryEmbedder(ctx, settings, &list[i]) })
			continue
		}
		if !ok || m.Kind == config.KindOffline || m.Kind == config.KindScript {
			list[i].Reachable = true
			continue
		}
		all.Go(func() {
			list[i].Why = s.unreachable(ctx, m)
			list[i].Reachable = list[i].Why == ""
		})
	}
	all.Wait()
}

// unreachable says why a provider cannot be asked, if it cannot. The list of its models costs nothing.
func (s *Setup) unreachable(ctx context.Context, m config.Model) string {
	key := s.env.Get(m.KeyEnv)
	if m.KeyEnv != "" && key == "" {
		return "$" + m.KeyEnv + " is not set"
	}
	r, err := modelsRequest(ctx, m, key)
	if err != nil {
		return "its base URL is not valid"
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "nobody answers at " + r.URL.Host
	}
	defer answer.Body.Close()
	switch {
	case answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden:
		return "the key is not accepted"
	case answer.StatusCode >= 500:
		return fmt.Sprintf("%s has trouble (%d)", r.URL.Host, answer.StatusCode)
	case answer.StatusCode == http.StatusNotFound && m.Kind == config.KindAnthropic:
		return fmt.Sprintf("%s has no model %q: check its name and base_url", r.URL.Host, m.Model)
	case answer.StatusCode != http.StatusOK:
		return fmt.Sprintf("%s answers %d: check base_url, most end in /v1", shownURL(r.URL), answer.StatusCode)
	}
	return unlisted(m, r.URL, answer.Body)
}

func modelsRequest(ctx context.Context, m config.Model, key string) (*http.Request, error) {
	base := m.BaseURL
	if m.Kind == config.KindAnthropic {
		if base == "" {
			base = "https://api.anthropic.com"
		}
		base = strings.TrimSuffix(strings.TrimRight(base, "/"), "/v1") + "/v1"
	}
	header := "Authorization"
	value := "Bearer " + key
	for _, server := range openai.Presets {
		if server.Name == m.Preset && base == "" {
			base = server.BaseURL
		}
		if server.Name == m.Preset && server.Quirks.KeyHeader != "" {
			header, value = server.Quirks.KeyHeader, key
		}
	}
	list := strings.TrimRight(base, "/") + "/models"
	if m.Kind == config.KindAnthropic { // which takes other names of a model than those that it lists
		list += "/" + url.PathEscape(m.Model)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, list, nil)
	if err != nil {
		return nil, err
	}
	if m.Kind == config.KindAnthropic {
		r.Header.Set("anthropic-version", "2023-06-01")
		header, value = "x-api-key", key
	}
	if key != "" {
		r.Header.Set(header, value)
	}
	return r, nil
}
