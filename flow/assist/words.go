package assist

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"remembering": "Looking at what is known",
		"chatting":    "Thinking about it",
	},
	"nl": {
		"remembering": "Ik kijk wat er bekend is",
		"chatting":    "Ik denk even na",
	},
}
