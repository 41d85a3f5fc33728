package summarise

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"summarise": "Summing up",
		"done":      "The summary is kept.",
	},
	"nl": {
		"summarise": "Ik vat het samen",
		"done":      "De samenvatting is bewaard.",
	},
}
