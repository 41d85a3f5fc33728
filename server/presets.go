package server

import (
	"context"
	"net/http"

	"rein"
	"rein/api"
	"rein/server/wire"
)

// Presets are the prepared tasks that people can start from.
type Presets interface {
	List(ctx context.Context, who rein.Identity) ([]api.Preset, error)
	Find(ctx context.Context, who rein.Identity, name string) (api.Preset, error)
	Save(ctx context.Context, who rein.Identity, shared bool, name string, want api.NewPreset) (api.Preset, error)
	Remove(ctx context.Context, who rein.Identity, shared bool, name string) error
}

// noPresets is what a server has that was given none.
type noPresets struct{}

func (noPresets) List(context.Context, rein.Identity) ([]api.Preset, error) {
	return []api.Preset{}, nil
}

func (noPresets) Find(context.Context, rein.Identity, string) (api.Preset, error) {
	return api.Preset{}, errNoPresets
}

func (noPresets) Save(context.Context, rein.Identity, bool, string, api.NewPreset) (api.Preset, error) {
	return api.Preset{}, errNoPresets
}

func (noPresets) Remove(context.Context, rein.Identity, bool, string) error { return errNoPresets }

var errNoPresets = rein.Errorf(rein.CodeUnavailable, "this process has no presets: send the request to the process that owns the data")

func (s *server) listPresets(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	list, err := s.Presets.List(r.Context(), who)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, api.Presets{Presets: list})
}

func (s *server) showPreset(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	p, err := s.Presets.Find(r.Context(), who, r.PathValue("name"))
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, p)
}

func (s *server) savePreset(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	var body api.NewPreset
	if err := wire.ReadJSON(w, r, &body); err != nil {
		return err
	}
	ctx, cancel := lasting(r)
	defer cancel()
	saved, err := s.Presets.Save(ctx, who, flag(r, "shared"), r.PathValue("name"), body)
	if err != nil {
		return err
	}
	return answer(w, http.StatusOK, saved)
}

func (s *server) removePreset(w http.ResponseWriter, r *http.Request, who rein.Identity) error {
	ctx, cancel := lasting(r)
	defer cancel()
	if err := s.Presets.Remove(ctx, who, flag(r, "shared"), r.PathValue("name")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (s *server) presetOperations() []operation {
	shared := []parameter{{name: "shared", about: "the preset belongs to the household, not to you; only for admins", flag: true}}
	return []operation{
		{
			method: "GET", path: "/v1/presets", name: "listPresets", tag: "catalogue", summary: "List the presets: prepared tasks, by name. They are in the settings, or you or an admin saved them",
			needs: rein.ScopeRead, answers: ok(api.Presets{}), do: s.listPresets,
		},
		{
			method: "GET", path: "/v1/presets/{name}", name: "showPreset", tag: "catalogue", summary: "Get a preset",
			needs: rein.ScopeRead, answers: ok(api.Preset{}), do: s.showPreset,
		},
		{
			method: "PUT", path: "/v1/presets/{name}", name: "savePreset", tag: "catalogue", summary: "Save how a run works, or a task, as a preset. It replaces yours of that name. A name in the settings is refused (409)",
			needs: rein.ScopeAct, body: api.NewPreset{}, query: shared, answers: ok(api.Preset{}), do: s.savePreset,
		},
		{
			method: "DELETE", path: "/v1/presets/{name}", name: "removePreset", tag: "catalogue", summary: "Remove a saved preset",
			needs: rein.ScopeAct, query: shared, answers: []reply{{status: http.StatusNoContent}}, do: s.removePreset,
		},
	}
}
