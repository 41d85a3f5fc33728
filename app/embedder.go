package app

import (
	"context"
	"fmt"
	"strings"
	"time"

	"rein/app/config"
	"rein/app/probe"
)

// withEmbedder marks the model that makes vectors. One of an Ollama that does not run is listed too,
// so that it can be said.
func (s *Setup) withEmbedder(settings *config.Config, list []Model) ([]Model, error) {
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
	info, err := infoOf(s.ollamaModel(served), settings.Prices)
	return append(list, Model{Name: settings.Embedder, Kind: "ollama", Model: served, Window: info.Window, Embeds: true}), err
}

// tryEmbedder has a vector made: whether a model makes any, and how large, only it can tell.
func (s *Setup) tryEmbedder(ctx context.Context, settings *config.Config, env config.Environment, m *Model) {
	ctx, cancel := context.WithTimeout(ctx, embedPatience)
	defer cancel()
	m.Checked = true
	e, err := s.newEmbedder(settings, env, newLimiter(settings))
	if err == nil {
		_, err = e.Once(ctx, []string{"rein"})
	}
	t := probe.Missing(settings.Models[m.Name], env.Get(settings.Models[m.Name].KeyEnv))
	switch {
	case err == nil:
		m.Reachable, m.Dimension = true, e.Space().Dimension
	case t != nil:
		m.Why, m.Do = t.Why, t.Do
	case ctx.Err() != nil:
		m.Why, m.Do = fmt.Sprintf("no vector within %s", embedPatience), "try again later"
	default:
		t := probe.Explain(err)
		m.Why, m.Do = t.Why, t.Do
	}
}

// embedPatience is how long a provider may take to make a vector.
const embedPatience = 3 * time.Second
