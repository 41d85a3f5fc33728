package app

import (
	"context"
	"fmt"
	"strings"

	"rein"
	"rein/app/config"
)

// withEmbedder marks the model that makes vectors. One of an Ollama that does not run is listed too,
// so that it can be said.
func withEmbedder(settings *config.Config, list []Model) ([]Model, error) {
	if settings.Embedder == "" {
		return list, nil
	}
	for i := range list {
		if list[i].Name == settings.Embedder {
			list[i].Embeds = true
			return list, nil
		}
	}
	served := strings.TrimPrefix(settings.Embedder, config.OllamaPrefix)
	info, err := infoOf(ollamaModel(served), settings.Prices)
	return append(list, Model{Name: settings.Embedder, Kind: "ollama", Model: served, Window: info.Window, Embeds: true}), err
}

// tryEmbedder has a vector made: whether a model makes any, and how large, only it can tell.
func (s *Setup) tryEmbedder(ctx context.Context, settings *config.Config, m *Model) {
	e, err := newEmbedder(settings, s.env, newLimiter(settings))
	if err == nil {
		_, err = e.Once(ctx, []string{"rein"})
	}
	switch {
	case err == nil:
		m.Reachable, m.Dimension = true, e.Space().Dimension
	case ctx.Err() != nil:
		m.Why = fmt.Sprintf("no vector within %s", reachPatience)
	case rein.CodeOf(err) == rein.CodeUnauthorized && s.env.Get(settings.Models[m.Name].KeyEnv) == "":
		m.Why = "$" + settings.Models[m.Name].KeyEnv + " is not set"
	default:
		m.Why = err.Error()
	}
}
