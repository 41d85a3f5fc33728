package assist

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"chatting": "Thinking about it",
	},
	"nl": {
		"chatting": "Ik denk even na",
	},
}
