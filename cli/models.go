package cli

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
	"rein/internal/units"
	"rein/model/openai"
)

const modelsHelp = `The models that settings name, the built-in ones, and those of an Ollama on this machine,
which need no settings: rein run --model ollama/NAME. Each provider is asked, for a moment,
whether it can be reached and takes the key; the one that makes vectors (embedder) makes one
of a word, which tells their dimension. The window is in tokens; the price is of a million
tokens, read and written.`

// A listed is a model as the list shows it.
type listed struct {
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

func runModels(ctx context.Context, c *call) error {
	settings, err := c.checked()
	if err != nil {
		return err
	}
	models, err := newModels(settings, c.env)
	if err != nil {
		return &usageError{err.Error()}
	}
	var list []listed
	for _, name := range settings.ModelNames() {
		list = append(list, c.listed(name, settings, models[name].Info()))
	}
	found, _ := openai.FindOllama(ctx) // most machines have none
	for _, name := range found {
		info, err := infoOf(ollamaModel(name), settings.Prices)
		if err != nil {
			return err
		}
		full := config.OllamaPrefix + name
		list = append(list, listed{Name: full, Kind: "ollama", Model: name, Default: full == settings.Model, Window: info.Window, Reachable: true})
	}
	if list, err = c.withEmbedder(settings, list); err != nil {
		return err
	}
	c.reachAll(ctx, settings, list)
	if err := c.printModels(list); err != nil {
		return err
	}
	c.hintKeys(settings)
	return nil
}

func (c *call) listed(name string, settings *config.Config, info rein.ModelInfo) listed {
	m, ok := settings.Models[name]
	if !ok {
		m.Kind = config.KindOffline
	}
	return listed{
		Name: name, Kind: m.Kind, Model: m.Model, Default: name == settings.Model,
		Window: info.Window, InputMicros: info.InputMicros, OutputMicros: info.OutputMicros,
	}
}

// reachPatience is how long a provider may take to say that it is there.
const reachPatience = 3 * time.Second

// reachAll asks all providers at once.
func (c *call) reachAll(ctx context.Context, settings *config.Config, list []listed) {
	ctx, cancel := context.WithTimeout(ctx, reachPatience)
	defer cancel()
	var all sync.WaitGroup
	for i := range list {
		m, ok := settings.Models[list[i].Name]
		if list[i].Embeds {
			all.Go(func() { c.tryEmbedder(ctx, settings, &list[i]) })
			continue
		}
		if !ok || m.Kind == config.KindOffline || m.Kind == config.KindScript {
			list[i].Reachable = true
			continue
		}
		all.Go(func() {
			list[i].Why = c.unreachable(ctx, m)
			list[i].Reachable = list[i].Why == ""
		})
	}
	all.Wait()
}

// unreachable says why a provider cannot be asked, if it cannot. The list of its models costs nothing.
func (c *call) unreachable(ctx context.Context, m config.Model) string {
	key := c.env.Get(m.KeyEnv)
	if m.KeyEnv != "" && key == "" {
		return "$" + m.KeyEnv + " is not set"
	}
	r, err := modelsRequest(ctx, m, key)
	if err != nil {
		return "its base URL cannot be used"
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

func (c *call) printModels(list []listed) error {
	rows := [][]string{{"MODEL", "KIND", "ASKS", "WINDOW", "PRICE", "REACHABLE"}}
	for _, m := range list {
		if c.json {
			if err := c.printJSON(m); err != nil {
				return err
			}
			continue
		}
		reachable, name, window := "yes", m.Name, "not known"
		if !m.Reachable {
			reachable = "no: " + m.Why
		}
		if m.Default {
			name += " (default)"
		}
		if m.Window > 0 {
			window = units.Number(m.Window)
		}
		if m.Embeds {
			name += " (embedder)"
		}
		if m.Dimension > 0 {
			reachable += fmt.Sprintf(", vectors of %d numbers", m.Dimension)
		}
		rows = append(rows, []string{name, m.Kind, m.Model, window, priceText(m), reachable})
	}
	if !c.json {
		c.columns(rows)
	}
	return nil
}

func priceText(m listed) string {
	if m.InputMicros == 0 && m.OutputMicros == 0 {
		return "0"
	}
	return units.Money(m.InputMicros) + " / " + units.Money(m.OutputMicros)
}

// columns prints rows with their columns below each other.
func (c *call) columns(rows [][]string) {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], len([]rune(safe(cell))))
		}
	}
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += fmt.Sprintf("%-*s  ", widths[i], safe(cell))
		}
		c.print("%s\n", strings.TrimRight(line, " "))
	}
}

// hintKeys tells how a key is used that is there and that no model uses.
func (c *call) hintKeys(settings *config.Config) {
	for _, hint := range []struct{ env, kind, model string }{
		{"OPENAI_API_KEY", config.KindOpenAI, "gpt-5-mini"},
		{"ANTHROPIC_API_KEY", config.KindAnthropic, "claude-sonnet-4-5"},
	} {
		used := c.env.Get(hint.env) == "" || c.json
		for _, m := range settings.Models {
			used = used || m.KeyEnv == hint.env
		}
		if !used {
			c.note("$%s is set. To use it, put this into %s, and model = %q at its top:\n[models.%s]\nkind = %q\nmodel = %q",
				hint.env, safe(c.env.DefaultFile()), hint.kind, hint.kind, hint.kind, hint.model)
		}
	}
}
