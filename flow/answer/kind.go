// Package answer is the flow for someone who asks questions of a folder of notes: it looks things up one
// at a time, then answers with sources, each of which it checks.
package answer

import (
	"rein"
	"rein/flow/kit"
)

// Kind is the flow answer.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "answer", About: "looks things up one at a time, then answers with sources",
		Do: Do, Revision: answersFirst, Settings: settings, Texts: prompts,
		Tools: kit.SessionTools(), Questions: kit.AsksNothing, BoundsNotes: true,
		Draft: func(task rein.Task) kit.Draft { return NewDraft(task) },
	}
}
