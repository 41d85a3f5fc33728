package research

import (
	"slices"
	"strings"

	"rein"
)

// codeByProperty is the revision from which tools themselves say that they look into code. Before, only names
// of a family did.
const codeByProperty = 2

// allowedTools are those that a path may call: research does not look into code, whatever a tool is called.
func allowedTools(path string, task rein.Task) []string {
	return slices.DeleteFunc(slices.Clone(task.Tools), func(name string) bool {
		byProperty := task.Revision >= codeByProperty && slices.Contains(task.CodeTools, name)
		return path == "research" && (byProperty || isCodeName(name))
	})
}

// IsCode reports whether a tool of the task looks into code, by what it says or by its name.
func IsCode(task rein.Task, name string) bool {
	return slices.Contains(task.CodeTools, name) || isCodeName(name)
}

// isCodeName recognises the tools of the families code and codebase by their names. A tool of another program
// may not say what it does.
func isCodeName(name string) bool {
	family := strings.ToLower(strings.TrimSpace(name))
	if i := strings.IndexAny(family, "._-:/"); i >= 0 {
		family = family[:i]
	}
	return family == "code" || family == "codebase"
}
