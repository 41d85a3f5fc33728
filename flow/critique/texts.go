package critique

import (
	"embed"

	"rein"
	"rein/flow/kit"
)

//go:embed prompts/*.md
var files embed.FS

var prompts = kit.Prompts{FS: files}

// text returns the prompt that this run uses.
func text(task rein.Task, name string, values map[string]string) string {
	return prompts.Text(task, name, values)
}
