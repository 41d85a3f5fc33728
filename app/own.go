package app

import (
	"slices"
	"strings"

	"rein"
	"rein/app/config"
	"rein/flow"
	"rein/flow/kit"
)

// kinds are the flows that there are: rein's, and those of the program.
func (s *Setup) kinds() flow.Table { return append(flow.Kinds(), s.o.Flows...) }

// Flows are the flows that there are, for an engine.
func (s *Setup) Flows() map[string]rein.Flow { return s.kinds().All() }

// Draft checks the answer of a task's run while it is written; nil: its flow has nothing to check.
func (s *Setup) Draft(task rein.Task) kit.Draft {
	kind, _ := s.kinds().Find(task.Flow)
	if kind.Draft == nil {
		return nil
	}
	return kind.Draft(task)
}

// Tools lists the tools that there are, by their names.
func (s *Setup) Tools() []string {
	names := toolNames()
	for _, t := range s.o.Tools {
		names = append(names, t.Name)
	}
	slices.Sort(names)
	return names
}

// isSection reports whether rein.toml has a key or a section of that name.
func isSection(name string) bool {
	return slices.ContainsFunc(config.Keys(), func(k config.Key) bool {
		section, _, _ := strings.Cut(k.Name, ".")
		return section == name
	})
}

// checkOwn refuses parts of the program that have the names of rein's.
func (s *Setup) checkOwn() error {
	flows := flow.Kinds()
	for _, k := range s.o.Flows {
		switch {
		case flows.IsName(k.Name):
			return wrongSetting("Options.Flows: there is a flow %q already: choose another name", k.Name)
		case k.Name == "" || k.Do == nil:
			return wrongSetting("Options.Flows: the flow %q needs a name and a function Do", k.Name)
		case isSection(k.SectionName()) && !flows.IsName(k.SectionName()):
			return wrongSetting("Options.Flows: [%s] in rein.toml is for other settings: give the flow another name, or a Section", k.SectionName())
		}
		flows = append(flows, k)
	}
	seen := toolNames()
	for _, t := range s.o.Tools {
		if slices.Contains(seen, t.Name) {
			return wrongSetting("Options.Tools: there are two tools named %q: rename one", t.Name)
		}
		seen = append(seen, t.Name)
	}
	return nil
}
