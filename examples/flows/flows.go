// Package flows has two small flows, which docs/write-a-flow.md shows. A test compares the page
// with this code, and internal/archtest checks that the flows are pure.
package flows

import (
	"rein"
)

// Ask is one model call.
func Ask(run rein.Run, task rein.Task) (rein.Outcome, error) {
	reply, err := run.CallModel(rein.Prompt{Model: task.Model, Messages: task.Messages, Stream: true})
	return rein.Outcome{Text: reply.Text}, err
}

// Letter writes a draft, asks a person about it, and improves it until they agree.
func Letter(run rein.Run, task rein.Task) (rein.Outcome, error) {
	talk := task.Messages
	for {
		draft, err := run.CallModel(rein.Prompt{Model: task.Model, Messages: talk})
		if err != nil {
			return rein.Outcome{}, err
		}
		answer, err := run.AskUser(rein.Question{Text: draft.Text + "\n\nSend this? If not, what should change?", Choices: choices(task)})
		if err != nil || answer.Text == "yes" || answer.State != rein.AskAnswered {
			return rein.Outcome{Text: draft.Text}, err
		}
		talk = append(talk, draft, rein.Message{Role: rein.User, Text: answer.Text})
	}
}

// choices came with revision 1. A run that began before it asked without choices, and still does.
func choices(task rein.Task) []string {
	if task.Revision < 1 {
		return nil
	}
	return []string{"yes"}
}

// All is what an engine is given.
func All() map[string]rein.Flow {
	return map[string]rein.Flow{
		"ask":    {Do: Ask},
		"letter": {Do: Letter, Revision: 1},
	}
}
