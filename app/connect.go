package app

import (
	"context"
	"slices"

	"rein/app/config"
	"rein/app/probe"
	"rein/model/openai"
)

// A Provider is somebody who serves models, as rein init offers it.
type Provider struct {
	Name   string
	Model  config.Model // how it is asked; the model itself is the one that is proposed, or empty
	HasKey bool         // its key is in the environment
	Local  bool         // it runs on this machine
	Models []string     // of one that runs here
}

// Providers lists who serves models: those whose keys are in the environment, those that run on this machine and answer, and
// the others.
func (s *Setup) Providers(ctx context.Context) []Provider {
	var keyed, here, others []Provider
	listed := map[string]bool{}
	for _, o := range config.Offers() {
		listed[o.Name] = true
		p := Provider{Name: o.Name, Model: o.Model, HasKey: s.env.Get(o.Model.KeyEnv) != ""}
		p.Model.BaseURL = o.BaseURL(s.env)
		if p.HasKey {
			keyed = append(keyed, p)
		} else {
			others = append(others, p)
		}
	}
	for _, l := range probe.Locals(ctx, s.env.Get(ollamaHost)) {
		here = append(here, Provider{Name: l.Preset, Model: compatible(l.Preset, l.BaseURL), Local: true, Models: l.Models})
		listed[l.Preset] = true
	}
	for _, server := range openai.Presets {
		if !listed[server.Name] {
			p := Provider{Name: server.Name, Model: compatible(server.Name, ""), HasKey: server.KeyEnv != "" && s.env.Get(server.KeyEnv) != ""}
			p.Model.KeyEnv = server.KeyEnv
			others = append(others, p)
		}
	}
	return slices.Concat(keyed, here, others)
}

// compatible is a model of a server that speaks OpenAI's API.
func compatible(preset, baseURL string) config.Model {
	return config.Model{Kind: config.KindOpenAI, Provider: config.Provider{Preset: preset, BaseURL: baseURL, PriceIn: -1, PriceOut: -1}}
}

// Key returns the key of a model, from a variable or among the secrets of the household; empty: there is none.
func (s *Setup) Key(m config.Model) string {
	return s.variables(&config.Config{Models: map[string]config.Model{"": m}}).Get(m.KeyEnv)
}

// ModelsOf asks a provider for the names of its models; none: it does not say. The error is a *probe.Trouble.
func (s *Setup) ModelsOf(ctx context.Context, m config.Model, key string) ([]string, error) {
	names, t := probe.List(ctx, m, key)
	if t != nil {
		return nil, t
	}
	return names, nil
}

// TryModel asks for a short reply. The error is a *probe.Trouble, or says why the model cannot be made.
func (s *Setup) TryModel(ctx context.Context, m config.Model, key string) error {
	m.Thinking = 0
	env := append(slices.Clip(s.env), m.KeyEnv+"="+key)
	made, err := newProvider(m.Model, m, "", env)
	if err != nil {
		return err
	}
	if t := probe.Reply(ctx, m, key, made); t != nil {
		return t
	}
	return nil
}
