package app

import (
	"context"
	"maps"
	"slices"

	"rein"
	"rein/api"
	"rein/app/config"
)

// A catalogue tells what runs can be made of, as the settings have it.
type catalogue struct{ *owner }

// present returns the settings that hold now.
func (c catalogue) present() *config.Config {
	settings, _ := c.live.now()
	return settings
}

func (c catalogue) Flows() []api.Flow {
	kinds, settings := c.setup.kinds(), c.present()
	list := []api.Flow{}
	for _, name := range kinds.Names() {
		kind, _ := kinds.Find(name)
		chosen, err := settings.Settings(name)
		if err != nil {
			continue // a flow without settings of its own
		}
		complete, _, err := kind.Fit(chosen, settings.Ceiling)
		if err != nil {
			continue
		}
		list = append(list, api.Flow{Name: name, About: kind.About, Default: name == settings.Flow, Settings: complete})
	}
	return list
}

func (c catalogue) Presets() []api.Preset {
	list, settings := []api.Preset{}, c.present()
	for _, name := range slices.Sorted(maps.Keys(settings.Presets)) {
		p := settings.Presets[name]
		list = append(list, api.Preset{Name: name, About: p.About, Task: p.Task(settings.Budget)})
	}
	return list
}

func (c catalogue) Tools() []api.Tool {
	return c.setup.listTools(c.present(), c.worker.Tools)
}

func (c catalogue) Models() []api.Model {
	list, settings := []api.Model{}, c.present()
	for _, name := range settings.ModelNames() {
		made, err := c.worker.Model(name)
		if err != nil {
			continue // the settings have just changed
		}
		info, kind := made.Info(), config.KindOffline
		if _, own := c.setup.o.Models[name]; own {
			kind = config.KindOwn
		}
		if m, ok := settings.Models[name]; ok {
			kind = m.Kind
		}
		list = append(list, api.Model{
			Name: name, Kind: kind, Default: name == settings.Model, Window: info.Window, Output: info.MaxOutput,
			InputMicros: info.InputMicros, OutputMicros: info.OutputMicros,
		})
	}
	return list
}

func (c catalogue) MayAsk(task rein.Task) []api.Blocker {
	settings := c.present()
	if w, err := c.places.find(context.Background(), task.Workspace); err == nil {
		settings = inside(settings, w)
	}
	task, err := c.setup.complete(settings, task)
	if err != nil {
		return []api.Blocker{} // it was started under other settings, a moment ago
	}
	found := c.setup.kinds().Blockers(task, c.worker.Tools, settings.Tools.Policy)
	return append([]api.Blocker{}, found...) // none is an empty list
}
