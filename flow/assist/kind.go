// Package assist is the flow for the members of a household: it chats, and hands over to research, code or
// a task when it has to.
package assist

import (
	"rein"
	"rein/flow/kit"
	"rein/flow/research"
)

// Kind is the flow assist.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "assist", About: "chats, and hands over to research, code or a task when it has to",
		Do: Do, Revision: research.Revision, Settings: settings, Texts: prompts,
		Tools: kit.SessionTools(), Questions: questions, Remembered: true, Household: true,
	}
}

func questions(task rein.Task) []rein.Blocker {
	why := "the flow assist may hand over to research, code or task, which ask"
	return []rein.Blocker{kit.Asks("ask", why, kit.Seconds(settings.ReadOr(task).AnswerTimeout))}
}
