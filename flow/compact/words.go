package compact

import (
	"rein"
	"rein/flow/kit"
)

// say returns a text for people in the language of the task's user.
func say(task rein.Task, key string, args ...any) string { return words.Say(task, key, args...) }

var words = kit.Words{
	"en": {
		"compact": "Summarising the session",
		"done":    "From now on the runs of this session read this summary, %d bytes, in place of %d. Nothing was removed here.",
		"nothing": "There is nothing new to summarise in this session.",
		"short":   "A summary would not be notably shorter than what was said, so nothing has changed.",
	},
	"nl": {
		"compact": "Ik vat de sessie samen",
		"done":    "Vanaf nu lezen de runs van deze sessie deze samenvatting, %d bytes, in plaats van %d. Hier is niets verwijderd.",
		"nothing": "Er is in deze sessie niets nieuws om samen te vatten.",
		"short":   "Een samenvatting zou nauwelijks korter zijn dan wat er is gezegd. Er is dus niets veranderd.",
	},
}
