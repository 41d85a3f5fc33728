package app

import (
	"context"
	"sync"
	"time"

	"rein"
	"rein/app/config"
	"rein/app/probe"
)

// A Model is a model that runs can ask, and whether it can be used.
type Model struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Model   string `json:"model,omitempty"` // as its provider calls it
	Default bool   `json:"default,omitempty"`
	Offered bool   `json:"offered,omitempty"` // no setting names it: its key is in the environment
	// Of the one that makes vectors: how many numbers each has, if it could be asked.
	Embeds    bool `json:"embeds,omitempty"`
	Dimension int  `json:"dimension,omitempty"`

	Window int64 `json:"window,omitempty"`
	// Prices of a million tokens, in millionths of the currency unit.
	InputMicros  int64  `json:"input_micros"`
	OutputMicros int64  `json:"output_micros"`
	Currency     string `json:"-"`       // of these prices; empty: they are not in one
	Checked      bool   `json:"checked"` // its provider was asked
	Reachable    bool   `json:"reachable"`
	Why          string `json:"why,omitempty"` // it is not
	Do           string `json:"do,omitempty"`  // about that
}

// Models lists the models: those that the settings name or whose keys are in the environment, the built-in one, and those
// of an Ollama. If check is set, each provider is asked whether its model can be used.
func (s *Setup) Models(ctx context.Context, check bool) ([]Model, error) {
	settings, err := s.Checked()
	if err != nil {
		return nil, err
	}
	models, err := s.newModels(settings)
	if err != nil {
		return nil, &SettingError{err.Error()}
	}
	foreign, err := s.foreignPrices(settings)
	if err != nil {
		return nil, err
	}
	var list []Model
	for _, name := range settings.ModelNames() {
		m := s.listed(name, settings, models[name].Info())
		m.Currency = priceCurrency(name, settings, foreign)
		list = append(list, m)
	}
	for _, name := range probe.Ollama(ctx, s.env.Get(ollamaHost)) { // most machines have none
		info, err := infoOf(s.ollamaModel(name), settings.Prices)
		if err != nil {
			return nil, err
		}
		full := config.OllamaPrefix + name
		list = append(list, Model{Name: full, Kind: "ollama", Model: name, Default: full == settings.Model, Window: info.Window, Checked: true, Reachable: true})
	}
	if list, err = s.withEmbedder(settings, list); err != nil {
		return nil, err
	}
	if check {
		s.checkAll(ctx, settings, models, list)
	}
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
	here := m.Kind != config.KindOpenAI && m.Kind != config.KindAnthropic
	return Model{
		Name: name, Kind: m.Kind, Model: m.Model, Default: name == settings.Model, Offered: settings.IsOffered(name),
		Window: info.Window, InputMicros: info.InputMicros, OutputMicros: info.OutputMicros, Checked: here, Reachable: here,
	}
}

// checkAll asks all providers at once.
func (s *Setup) checkAll(ctx context.Context, settings *config.Config, models map[string]rein.Model, list []Model) {
	var all sync.WaitGroup
	env := s.variables(settings)
	memory := &probe.Memory{File: s.env.CacheFile("models.json"), Now: time.Now()}
	for i := range list {
		m := &list[i]
		if m.Embeds {
			all.Go(func() { s.tryEmbedder(ctx, settings, env, m) })
			continue
		}
		if set, ok := settings.Models[m.Name]; ok && !m.Checked {
			all.Go(func() { m.check(ctx, set, env.Get(set.KeyEnv), models[m.Name], memory) })
		}
	}
	all.Wait()
	_ = memory.Save() // what is not kept is asked again
}

// check asks the provider of a model, unless it did so a moment ago.
func (m *Model) check(ctx context.Context, set config.Model, key string, made rein.Model, memory *probe.Memory) {
	m.Checked, m.Reachable = true, true
	if memory.Has(set, key) {
		return
	}
	if t := probe.Model(ctx, set, key, made); t != nil {
		m.Reachable, m.Why, m.Do = false, t.Why, t.Do
		return
	}
	memory.Keep(set, key)
}

// ollamaHost is the variable from which Ollama's own programs read where it is.
const ollamaHost = "OLLAMA_HOST"

// ollamaModel is a model of an Ollama.
func (s *Setup) ollamaModel(name string) config.Model {
	return config.Model{Kind: config.KindOpenAI, Provider: config.Provider{
		Model: name, Preset: "ollama", BaseURL: probe.OllamaURL(s.env.Get(ollamaHost)), PriceIn: 0, PriceOut: 0,
	}}
}
