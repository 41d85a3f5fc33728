package app

import (
	"slices"

	"rein"
	"rein/app/config"
	"rein/tool/python"
	"rein/tool/tree"
)

// treeTools lists the tools that start other agents.
func treeTools() []string { return append(tree.Names(), python.Name) }

// withoutAbsent leaves out the tools for agents that the flow brings along and that cannot be used here: those that
// the settings deny, and Python where there is none.
func (s *Setup) withoutAbsent(settings *config.Config, task rein.Task) rein.Task {
	task.Tools = slices.DeleteFunc(slices.Clone(task.Tools), func(name string) bool {
		return slices.Contains(treeTools(), name) && (s.deniedBy(settings, name) || !isPresent(name))
	})
	return task
}

// isPresent reports whether this machine has what a tool needs.
func isPresent(name string) bool {
	if name != python.Name {
		return true
	}
	_, err := python.Find()
	return err == nil
}

// checkPython says whether models can run Python.
func (d *doctor) checkPython() {
	path, err := python.Find()
	if err != nil {
		d.find(Fine, "python", "install it with the packages of the system", "the tool python is not offered: %v", err)
		return
	}
	d.find(Fine, "python", "", "%s runs code in the sandbox (tool python)", path)
}
