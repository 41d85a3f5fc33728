package app

import (
	"context"
	"fmt"
	"strings"

	"rein"
	"rein/app/config"
	"rein/engine/work/embed"
	"rein/engine/work/pace"
	"rein/model/anthropic"
	"rein/model/openai"
	"rein/model/price"
	"rein/model/tokens"
)

// newProvider makes a model that somebody else runs. It asks nobody. One whose key is not set is made
// all the same, and says so when it is asked: others may be in use.
func newProvider(name string, m config.Model, prices string, env config.Environment) (rein.Model, error) {
	info, err := infoOf(m, prices)
	if err != nil {
		return nil, err
	}
	info.Name = name
	key := env.Get(m.KeyEnv)
	if m.KeyEnv != "" && key == "" {
		return keyless{info, m.KeyEnv}, nil
	}
	if m.Kind == config.KindAnthropic {
		return made(anthropic.New(anthropic.Options{
			Name: name, Model: m.Model, BaseURL: m.BaseURL, Key: key, Account: "anthropic:" + m.KeyEnv, Info: info, Thinking: m.Thinking,
		}))
	}
	options := openai.Options{BaseURL: m.BaseURL}
	if m.Preset != "" {
		if options, err = openai.Preset(m.Preset, m.BaseURL); err != nil {
			return nil, err
		}
	}
	if m.API != "" {
		options.API = m.API
	}
	options.Name, options.Model, options.Key, options.Info = name, m.Model, key, info
	return made(openai.New(options))
}

// newEmbedder makes what turns texts into vectors: the model that the settings name, in batches, at
// the pace of all calls of the process; nil if they name none. It asks nobody.
func (s *Setup) newEmbedder(settings *config.Config, env config.Environment, limiter *pace.Limiter) (*embed.Embedder, error) {
	name := settings.Embedder
	if name == "" {
		return nil, nil
	}
	m := settings.Models[name]
	if served, ok := strings.CutPrefix(name, config.OllamaPrefix); ok {
		m = s.ollamaModel(served)
	}
	provided, err := newProvider(name, m, settings.Prices, env)
	if err != nil {
		return nil, fmt.Errorf("embedder: models.%s: %w", name, err)
	}
	of, ok := provided.(rein.Embedder)
	if !ok {
		return nil, fmt.Errorf("embedder: model %q has the kind %q, which cannot make vectors; name a model of kind %q", name, m.Kind, config.KindOpenAI)
	}
	return &embed.Embedder{Of: of, Pace: limiter, Estimate: tokens.Estimate}, nil
}

// made keeps a nil pointer from becoming a model.
func made[M rein.Model](m M, err error) (rein.Model, error) {
	if err != nil {
		return nil, err
	}
	return m, nil
}

// infoOf is what is known of a model: what the settings say, else the table of prices.
func infoOf(m config.Model, prices string) (rein.ModelInfo, error) {
	table, err := price.Load(prices)
	if err != nil {
		return rein.ModelInfo{}, err
	}
	known, _ := table.Find(m.Model)
	return withKnown(m, known), nil
}

// withKnown is what the settings say of a model, and where they say nothing, what the table knows.
func withKnown(m config.Model, known price.Entry) rein.ModelInfo {
	info := rein.ModelInfo{
		Sees:   sees(m, known),
		Window: known.Window, MaxOutput: known.MaxOutput, InputMicros: known.Input, OutputMicros: known.Output,
		CachedMicros: known.Cached, CacheWriteMicros: known.CacheWrite, Silence: m.Silence, Whole: m.Whole,
		TextOnly: m.Tools == config.ToolsText, NativeOnly: m.Tools == config.ToolsNative,
	}
	if m.Window > 0 {
		info.Window = m.Window
	}
	if m.MaxOutput > 0 {
		info.MaxOutput = m.MaxOutput
	}
	if m.PriceIn >= 0 {
		info.InputMicros, info.CachedMicros, info.CacheWriteMicros = m.PriceIn, 0, 0
	}
	if m.PriceOut >= 0 {
		info.OutputMicros = m.PriceOut
	}
	return info
}

// sees reports whether a model takes images: as the settings say, else as the table knows it. All of Anthropic's do. Of
// any other model that nobody knows it is not assumed: a server refuses the whole request of a model that cannot.
func sees(m config.Model, known price.Entry) bool {
	if m.Images != "" {
		return m.Images == config.ImagesYes
	}
	return known.Sees || m.Kind == config.KindAnthropic
}

// keyless is a model whose key is not there.
type keyless struct {
	info rein.ModelInfo
	env  string
}

var (
	_ rein.Model    = keyless{}
	_ rein.Embedder = keyless{}
)

func (k keyless) Info() rein.ModelInfo { return k.info }

func (k keyless) Generate(context.Context, rein.ModelRequest, func(string)) (rein.ModelReply, error) {
	return rein.ModelReply{}, k.missing()
}

func (k keyless) Space() rein.Space { return rein.Space{} }

func (k keyless) Embed(context.Context, []string) (rein.Embedding, error) {
	return rein.Embedding{}, k.missing()
}

func (k keyless) missing() error {
	return rein.Errorf(rein.CodeUnauthorized, "model %q needs a key: set %s, or use another model", k.info.Name, config.SpelledKey(k.env))
}
