// Package strict is the flow that works in steps people can follow: reason, act, observe.
package strict

import (
	"slices"

	"rein"
	"rein/flow/kit"
)

// Kind is the flow strict.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "strict", About: "reason, act, observe, in every step",
		Do: Do, Revision: toldPlans, Settings: settings, Texts: prompts,
		Tools: append([]string{RequestInput}, kit.SessionTools()...), Wants: wants, Questions: questions,
	}
}

// wants is the tool that searches the notes, if the task wants them searched.
func wants(task rein.Task) []string {
	if settings.ReadOr(task).Retrieval {
		return []string{findNotes}
	}
	return nil
}

// questions: it asks if it was given the tool, also if the policy denies it, and stops if nobody answers
// in time.
func questions(task rein.Task) []rein.Blocker {
	if !slices.Contains(task.Tools, RequestInput) {
		return nil
	}
	ask := kit.Asks(RequestInput, "the flow strict may ask for input", settings.ReadOr(task).timeout())
	ask.OnExpiry = rein.ExpiryStop
	return []rein.Blocker{ask}
}
