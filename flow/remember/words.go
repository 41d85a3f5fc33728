package remember

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"remember": "Looking for what is worth remembering",
		"done":     "Kept: memories %d, snapshots %d.",
	},
	"nl": {
		"remember": "Ik kijk wat de moeite van het onthouden waard is",
		"done":     "Bewaard: herinneringen %d, momentopnamen %d.",
	},
}
