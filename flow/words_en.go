package flow

var english = words{
	"thinking":    "Thinking",
	"answering":   "Answering",
	"closing":     "Closing",
	"no answer":   "The limit was reached before there was an answer.",
	"instead":     "Do this instead of what I asked before: %s",
	"remembering": "Looking at what was said before",

	"explore clarify":   "Making sure what is meant",
	"explore question":  "Checking whether something is missing",
	"explore asking":    "A question for you",
	"explore split":     "Looking for parts that can be explored side by side",
	"explore summary":   "Putting together what was found",
	"explore unclear":   "I did not begin, because it is not clear to me what is meant. I had asked: %s",
	"explore missing":   "I did not begin, because something is missing that I cannot do without. I had asked: %s",
	"explore uncertain": "This is not certain. What would settle it: %s",

	"strict reason":  "Step %d: thinking about what to do",
	"strict act":     "Step %d: acting",
	"strict observe": "Step %d: looking at what came of it",
	"strict ask":     "A question for you",
	"strict nothing": "The work is done; there is nothing more to say.",
}
