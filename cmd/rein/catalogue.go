package main

import (
	"maps"
	"slices"

	"rein"
	"rein/api"
	"rein/cmd/rein/config"
	"rein/flow"
	"rein/unattended"
	"rein/work"
)

// A catalogue tells what runs can be made of, as the settings have it.
type catalogue struct {
	settings *config.Config
	worker   *work.Worker
}

func newCatalogue(settings *config.Config, worker *work.Worker) catalogue {
	return catalogue{settings, worker}
}

func (c catalogue) Flows() []api.Flow {
	kinds := flow.Kinds()
	list := []api.Flow{}
	for _, name := range flow.Names() {
		chosen, err := c.settings.Settings(name)
		if err != nil {
			continue // a flow without settings of its own
		}
		complete, _, err := kinds[name].Settings(chosen, c.settings.Ceiling)
		if err != nil {
			continue
		}
		list = append(list, api.Flow{Name: name, About: kinds[name].About, Default: name == c.settings.Flow, Settings: complete})
	}
	return list
}

func (c catalogue) Presets() []api.Preset {
	list := []api.Preset{}
	for _, name := range slices.Sorted(maps.Keys(c.settings.Presets)) {
		p := c.settings.Presets[name]
		list = append(list, api.Preset{Name: name, About: p.About, Task: p.Task(c.settings.Budget)})
	}
	return list
}

func (c catalogue) Tools() []api.Tool {
	list := []api.Tool{}
	for _, name := range allowedTools(c.settings) {
		t := c.worker.Tools[name]
		list = append(list, api.Tool{
			Name: name, About: t.Description, Effect: t.Effect, Schema: t.Schema, Asks: c.settings.Tools.Policy.Judge(t) == rein.MustAsk,
		})
	}
	return list
}

func (c catalogue) Models() []api.Model {
	list := []api.Model{}
	for _, name := range c.settings.ModelNames() {
		info, kind := c.worker.Models[name].Info(), config.KindOffline
		if m, ok := c.settings.Models[name]; ok {
			kind = m.Kind
		}
		list = append(list, api.Model{
			Name: name, Kind: kind, Default: name == c.settings.Model, Window: info.Window, Output: info.MaxOutput,
			InputMicros: info.InputMicros, OutputMicros: info.OutputMicros,
		})
	}
	return list
}

func (c catalogue) MayAsk(task rein.Task) []api.Blocker {
	found := unattended.Blockers(complete(c.settings, task), c.worker.Tools, c.settings.Tools.Policy)
	return append([]api.Blocker{}, found...) // none is an empty list
}
