// Package task is the flow that does one thing for a person, with a small protocol: observe, plan, act,
// validate, commit.
package task

import (
	"rein"
	"rein/flow/kit"
)

// revision is the newest that Do knows.
const revision = 2

// Kind is the flow task.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "task", About: "one thing to be done, with a small protocol",
		Do: Do, Revision: revision, Settings: settings, Texts: prompts,
		Tools: kit.SessionTools(), Questions: questions, Household: true,
	}
}

func questions(task rein.Task) []rein.Blocker {
	why := "the flow task asks for what it needs to know, and before it does what it decided"
	return []rein.Blocker{kit.Asks("ask", why, kit.Seconds(settings.ReadOr(task).AnswerTimeout))}
}
