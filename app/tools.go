package app

import (
	"maps"
	"slices"
	"sync"

	"rein"
	"rein/api"
	"rein/app/config"
	"rein/engine"
	"rein/tool/shell"
)

// A registry describes the tools that there are. Nobody can call them: they know no folder and no store.
type registry struct {
	once sync.Once
	all  map[string]rein.Tool
	err  error
}

// registry describes the tools that models can call, by name.
func (s *Setup) registry() (map[string]rein.Tool, error) {
	s.described.once.Do(func() { s.described.all, s.described.err = describe(s.o.Tools) })
	return s.described.all, s.described.err
}

// describe makes rein's own tools, and adds those of the program.
func describe(own []rein.Tool) (map[string]rein.Tool, error) {
	all, err := newTools(shell.Options{}, func() *engine.Engine { return nil }, nil)
	if err != nil {
		return nil, err
	}
	kept, err := storeTools(nil, nil, nil)
	if err != nil {
		return nil, err
	}
	maps.Copy(all, kept)
	for _, t := range own {
		all[t.Name] = t
	}
	maps.DeleteFunc(all, func(_ string, t rein.Tool) bool { return t.Internal })
	return all, nil
}

// BuiltIn returns rein's own tools, to read about them.
func BuiltIn() (map[string]rein.Tool, error) { return describe(nil) }

// deniedBy reports whether the settings deny a tool, by its name or by that of one that it is like.
func (s *Setup) deniedBy(settings *config.Config, name string) bool {
	all, err := s.registry()
	t, known := all[name]
	if err != nil || !known {
		t = rein.Tool{Name: name}
	}
	return settings.Tools.Policy.Denies(t)
}

// Denied lists the tools that the settings deny.
func (s *Setup) Denied(settings *config.Config) []string {
	return slices.DeleteFunc(s.Tools(), func(name string) bool { return !s.deniedBy(settings, name) })
}

// Offered describes the tools that a run has here by default, as the settings have it.
func (s *Setup) Offered() ([]api.Tool, error) {
	settings, err := s.Checked()
	if err != nil {
		return nil, err
	}
	all, err := s.registry()
	if err != nil {
		return nil, err
	}
	return s.listTools(settings, all), nil
}

// listTools describes the tools that the settings do not deny.
func (s *Setup) listTools(settings *config.Config, all map[string]rein.Tool) []api.Tool {
	list := []api.Tool{}
	for _, name := range s.allowedTools(settings) {
		t := all[name]
		listed := api.Tool{
			Name: name, About: t.Description, Effect: t.Effect, Schema: t.Schema, From: api.FromRein,
			Approval: Approval(settings.Tools.Policy, t), Asks: t.Ask == nil && settings.Tools.Policy.Judge(t) == rein.MustAsk,
		}
		if !slices.Contains(toolNames(), name) {
			listed.From = api.FromProgram
		}
		list = append(list, listed)
	}
	return list
}

// Approval says who decides whether a person is asked about a call of a tool.
func Approval(p rein.Policy, t rein.Tool) api.Approval {
	switch {
	case t.Ask != nil:
		return api.ApprovalQuestion
	case p.Asks(t):
		return api.ApprovalPolicy
	case p.Judge(t) == rein.Allowed:
		return api.ApprovalNever
	case t.Rules:
		return api.ApprovalRules
	}
	return api.ApprovalEach
}
