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

	"answer plan":              "Plan: search the sources, read what fits, answer with citations",
	"answer weigh":             "Weighing what was found",
	"answer search":            "Searching… K=%v",
	"answer read":              "Reading %s",
	"answer use":               "Using %s",
	"answer use with":          "Using %s: %s",
	"answer timeout":           "%s took too long: a narrower question, folder or section may help",
	"answer undecided":         "The model failed while it was looking things up, so the answer is from what was found by then: %v",
	"answer unsupported":       "(%s: not found in the sources)",
	"answer unwritten":         "The answer could not be written. Please ask again.",
	"answer unwritten sources": "The answer could not be written. These sources were found for it:",
}
