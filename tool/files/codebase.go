package files

import (
	"strings"

	"rein"
)

// codebaseNames are the names under which a flow that works on code sees what reads files, by the names
// of the tools themselves. By the family a flow knows that a tool looks into code.
var codebaseNames = map[string]string{
	"read_file": "codebase.read_file", "list_directory": "codebase.list_directory", "grep": "codebase.search",
}

// codebase returns the tools under these names. A policy for a tool means its other name too.
func codebase(tools []rein.Tool) []rein.Tool {
	renamed := strings.NewReplacer("`read_file`", "`codebase.read_file`", "`list_directory`", "`codebase.list_directory`", "`grep`", "`codebase.search`")
	var all []rein.Tool
	for _, t := range tools {
		name, ok := codebaseNames[t.Name]
		if !ok {
			continue
		}
		if t.Like == "" {
			t.Like = t.Name
		}
		t.Name, t.Description = name, renamed.Replace(t.Description)
		all = append(all, t)
	}
	return all
}
