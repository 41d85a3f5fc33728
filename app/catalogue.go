package app

import (
	"context"
	"encoding/json"
	"slices"

	"rein"
	"rein/api"
	"rein/app/config"
	"rein/flow/kit"
)

// A catalogue tells what runs can be made of, as the settings have it.
type catalogue struct{ *owner }

// present returns the settings that hold now.
func (c catalogue) present() *config.Config {
	settings, _ := c.live.now()
	return settings
}

func (c catalogue) Flows() []api.Flow { return c.setup.listFlows(c.present()) }

// OfferedFlows describes the flows that a run here can have, as the settings have it.
func (s *Setup) OfferedFlows() ([]api.Flow, error) {
	settings, err := s.Checked()
	if err != nil {
		return nil, err
	}
	return s.listFlows(settings), nil
}

func (s *Setup) listFlows(settings *config.Config) []api.Flow {
	kinds := s.kinds()
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
		form, err := kind.Form(complete, settings.Ceiling)
		if err != nil {
			continue
		}
		always := s.withoutAbsent(settings, kind.WithTools(rein.Task{Flow: name, Settings: complete}))
		list = append(list, api.Flow{
			Name: name, About: kind.About, Default: name == settings.Flow, Settings: complete,
			Fields: fields(form), Tools: append([]string{}, always.Tools...),
			Usual: s.usual(settings, name, always.Tools),
		})
	}
	return list
}

// usual returns the tools that a flow's runs get if their task names none, without those that they always have. One for
// skills is there only where a run has skills.
func (s *Setup) usual(settings *config.Config, flow string, always []string) []string {
	return slices.DeleteFunc(s.forFlow(flow, s.allowedTools(settings)), func(name string) bool {
		return name == requestInput || slices.Contains(always, name)
	})
}

// Defaults returns what tasks get of the settings.
func (c catalogue) Defaults() api.Defaults {
	settings := c.present()
	return api.Defaults{Budget: settings.Budget, Mode: settings.Approvals.Mode, Loosest: settings.Approvals.Loosest}
}

// fields is a form as the API has it.
func fields(form []kit.Entry) []api.Field {
	list := make([]api.Field, len(form))
	for i, e := range form {
		value, _ := json.Marshal(e.Value) // a number, a switch or a text
		list[i] = api.Field{Name: e.Name, Type: fieldType(e.Value), Default: value, Min: e.Least, Max: e.Most, Choices: e.OneOf, About: e.About}
	}
	return list
}

func fieldType(value any) api.FieldType {
	switch value.(type) {
	case int:
		return api.FieldInteger
	case float64:
		return api.FieldNumber
	case bool:
		return api.FieldBoolean
	}
	return api.FieldString
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
	task, err := c.fromSaved(context.Background(), settings, task)
	if err == nil {
		task, err = c.setup.complete(settings, task)
	}
	if err != nil {
		return []api.Blocker{} // it was started under other settings, a moment ago
	}
	found := c.setup.kinds().Blockers(task, c.worker.Tools, settings.Tools.Policy)
	return append([]api.Blocker{}, found...) // none is an empty list
}
