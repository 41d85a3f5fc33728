package research

import (
	"slices"
	"strings"
)

// allowedTools are those that a path may call: research does not look into code.
func allowedTools(path string, tools []string) []string {
	return slices.DeleteFunc(slices.Clone(tools), func(name string) bool { return path == "research" && looksIntoCode(name) })
}

// looksIntoCode tells the tools of the family code or codebase by their names.
func looksIntoCode(name string) bool {
	family := strings.ToLower(strings.TrimSpace(name))
	if i := strings.IndexAny(family, "._-:/"); i >= 0 {
		family = family[:i]
	}
	return family == "code" || family == "codebase"
}
