package research

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"plan":    "Making a plan",
		"reflect": "Looking at what was found",
		"mending": "Making sure that I understood",
	},
	"nl": {
		"plan":    "Ik maak een plan",
		"reflect": "Ik bekijk wat er gevonden is",
		"mending": "Ik ga na of ik het goed begrepen heb",
	},
}
