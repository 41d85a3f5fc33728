package flow

var english = words{
	"thinking":    "Thinking",
	"answering":   "Answering",
	"closing":     "Closing",
	"no answer":   "The limit was reached before there was an answer.",
	"instead":     "Do this instead of what I asked before: %s",
	"remembering": "Looking at what was said before",
}
