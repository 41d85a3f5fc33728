package app

import (
	"maps"
	"slices"

	"rein"
	"rein/flow"
)

// Flows are the flows that there are: rein's, and those of the program.
func (s *Setup) Flows() map[string]rein.Flow {
	all := flow.All()
	maps.Copy(all, s.o.Flows)
	return all
}

// flowNames lists the flows that people can ask for.
func (s *Setup) flowNames() []string {
	names := slices.AppendSeq(flow.Names(), maps.Keys(s.o.Flows))
	slices.Sort(names)
	return names
}

// hasFlow reports whether a flow is the program's own.
func (s *Setup) hasFlow(name string) bool {
	_, ok := s.o.Flows[name]
	return ok
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

// checkOwn refuses parts of the program that have the names of rein's.
func (s *Setup) checkOwn() error {
	builtIn := flow.All()
	for _, name := range slices.Sorted(maps.Keys(s.o.Flows)) {
		if _, taken := builtIn[name]; taken || name == "" {
			return wrongSetting("Options.Flows: rein itself has a flow %q: choose another name", name)
		}
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
