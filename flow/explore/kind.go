// Package explore is the flow for a large question: it asks what is unclear, splits the question, and
// explores the parts side by side.
package explore

import (
	"fmt"

	"rein"
	"rein/flow/kit"
)

// Kind is the flow explore.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "explore", About: "asks what is unclear, splits it, explores the parts side by side",
		Do: Do, Revision: 1, Settings: settings, Texts: prompts,
		Tools: append(kit.SessionTools(), agentTools...), Questions: questions,
	}
}

// agentTools are what every agent of an exploration can use to have others work beside it.
var agentTools = []string{"fork", "wait", "send", "python"}

// questions: each of them can be switched off, and so can those of the runs below it. After a time it goes
// on without an answer.
func questions(task rein.Task) (list []rein.Blocker) {
	set := settings.ReadOr(task)
	asks := func(phase, why string) { list = append(list, kit.Asks(phase, why, set.timeout())) }
	if set.Clarify {
		asks("clarify", "the flow explore asks what is meant if that is not clear (setting clarify)")
	}
	if set.Questions > 0 {
		asks("question", fmt.Sprintf("the flow explore asks up to %d times for what it cannot begin without (setting questions)", set.Questions))
	}
	if set.ChildQuestions > 0 && set.Depth > 0 {
		asks("question", fmt.Sprintf("each run below it asks up to %d times for what it cannot begin without (setting child_questions)", set.ChildQuestions))
	}
	if set.LastQuestion {
		asks("summary", "the flow explore asks once at the end if its result is uncertain (setting last_question)")
	}
	return list
}
