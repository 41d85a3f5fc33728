package turn

import (
	"embed"

	"rein"
	"rein/flow/kit"
)

//go:embed prompts/*.md
var files embed.FS

// Prompts are those of every turn.
var Prompts = kit.Prompts{FS: files}

// text returns the prompt that this run uses.
func text(task rein.Task, name string, values map[string]string) string {
	return Prompts.Text(task, name, values)
}
