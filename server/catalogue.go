package server

import (
	"net/http"
	"slices"
	"strings"

	"rein"
	"rein/api"
	"rein/internal/near"
	"rein/people"
)

// A Catalogue is what runs can be made of.
type Catalogue interface {
	Flows() []api.Flow
	Presets() []api.Preset
	Tools() []api.Tool
	Models() []api.Model
	// MayAsk lists what could make a run of the task wait for a person.
	MayAsk(rein.Task) []api.Blocker
}

// nothing is the catalogue of a server that was given none.
type nothing struct{}

func (nothing) Flows() []api.Flow              { return []api.Flow{} }
func (nothing) Presets() []api.Preset          { return []api.Preset{} }
func (nothing) Tools() []api.Tool              { return []api.Tool{} }
func (nothing) Models() []api.Model            { return []api.Model{} }
func (nothing) MayAsk(rein.Task) []api.Blocker { return []api.Blocker{} }

func (s *server) listFlows(w http.ResponseWriter, _ *http.Request, _ people.Identity) error {
	return answer(w, http.StatusOK, api.Flows{Flows: s.Catalogue.Flows()})
}

func (s *server) listPresets(w http.ResponseWriter, _ *http.Request, _ people.Identity) error {
	return answer(w, http.StatusOK, api.Presets{Presets: s.Catalogue.Presets()})
}

func (s *server) listTools(w http.ResponseWriter, _ *http.Request, _ people.Identity) error {
	return answer(w, http.StatusOK, api.Tools{Tools: s.Catalogue.Tools()})
}

func (s *server) listModels(w http.ResponseWriter, _ *http.Request, _ people.Identity) error {
	return answer(w, http.StatusOK, api.Models{Models: s.Catalogue.Models()})
}

// withPreset returns the task that begins as the preset does: what the task says itself holds, and its
// messages come after the preset's.
func (s *server) withPreset(name string, task rein.Task) (rein.Task, error) {
	if name == "" {
		return task, nil
	}
	presets := s.Catalogue.Presets()
	i := slices.IndexFunc(presets, func(p api.Preset) bool { return p.Name == name })
	if i < 0 {
		names := make([]string, len(presets))
		for i, p := range presets {
			names[i] = p.Name
		}
		return task, rein.Errorf(rein.CodeInvalid, "there is no preset %.80q; there is: %s%s", name, strings.Join(names, ", "), near.DidYouMean(name, names))
	}
	preset := presets[i].Task
	task.Messages = append(slices.Clone(preset.Messages), task.Messages...)
	if task.Flow == "" {
		task.Flow = preset.Flow
	}
	if task.Model == "" {
		task.Model = preset.Model
	}
	if task.Tools == nil {
		task.Tools = slices.Clone(preset.Tools)
	}
	if len(task.Settings) == 0 {
		task.Settings = preset.Settings
	}
	if task.Budget == nil {
		task.Budget = preset.Budget
	}
	return task, nil
}
