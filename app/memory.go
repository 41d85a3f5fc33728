package app

import (
	"slices"

	"rein"
	"rein/app/config"
	"rein/household/recall"
	"rein/store/sqlite"
	"rein/tool/memory"
	"rein/vault/minilm"
)

// memoryTools makes the tools for what is known of people: those of flows and those of models.
func memoryTools(s *sqlite.Store, find *recall.Finder) ([]rein.Tool, error) {
	known := memory.Source{Tables: s, Find: find}
	asked, err := known.Household()
	return slices.Concat(known.Internal(), asked), err
}

// newFinder makes what finds memories. Their vectors are made by the built-in model, whatever makes those of notes: what is
// remembered of people is sent nowhere to be found.
func newFinder(settings *config.Config) *recall.Finder {
	if !settings.Notes.Vectors {
		return &recall.Finder{}
	}
	return &recall.Finder{Embedder: minilm.New()}
}
