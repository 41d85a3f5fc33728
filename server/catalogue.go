package server

import (
	"net/http"

	"rein"
	"rein/api"
)

// A Catalogue lists what runs can use.
type Catalogue interface {
	Flows() []api.Flow
	Defaults() api.Defaults
	Tools() []api.Tool
	Models() []api.Model
	// MayAsk lists what could make a run of the task wait for a person.
	MayAsk(rein.Task) []api.Blocker
}

// nothing is the catalogue of a server that was given none.
type nothing struct{}

func (nothing) Flows() []api.Flow { return []api.Flow{} }
func (nothing) Defaults() api.Defaults {
	return api.Defaults{Budget: rein.DefaultBudget(), Mode: rein.ModeAsk, Loosest: rein.ModeSandbox}
}
func (nothing) Tools() []api.Tool              { return []api.Tool{} }
func (nothing) Models() []api.Model            { return []api.Model{} }
func (nothing) MayAsk(rein.Task) []api.Blocker { return []api.Blocker{} }

func (s *server) listFlows(w http.ResponseWriter, _ *http.Request, _ rein.Identity) error {
	return answer(w, http.StatusOK, api.Flows{Flows: s.Catalogue.Flows(), Defaults: s.Catalogue.Defaults()})
}

func (s *server) listTools(w http.ResponseWriter, _ *http.Request, _ rein.Identity) error {
	return answer(w, http.StatusOK, api.Tools{Tools: s.Catalogue.Tools()})
}

func (s *server) listModels(w http.ResponseWriter, _ *http.Request, _ rein.Identity) error {
	return answer(w, http.StatusOK, api.Models{Models: s.Catalogue.Models()})
}
