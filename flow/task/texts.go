package task

import (
	"embed"

	"rein/flow/kit"
)

//go:embed prompts/*.md prompts/earlier/*.md
var files embed.FS

var prompts = kit.Prompts{FS: files}
