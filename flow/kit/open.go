package kit

import (
	"errors"
	"slices"

	"rein"
)

// Opening is how the conversation of a run begins: who the assistant is and what the flow asks of it,
// the files of the session, what was said before in it, and the task. The task keeps the tools that are of use.
func Opening(run rein.Run, task *rein.Task, prompt string) ([]rein.Message, error) {
	before, err := Recall(run, *task)
	talk := []rein.Message{{Role: rein.System, Text: Persona(*task, prompt)}}
	if err == nil {
		task.Tools = before.Needed(*task)
	}
	return slices.Concat(talk, before.About(*task), before.Talk, task.Messages), err
}

// Open is opening for flows that take up at once what people want instead.
func Open(run rein.Run, task *rein.Task, prompt string) ([]rein.Message, error) {
	talk, err := Opening(run, task, prompt)
	var heard []rein.Message
	for errors.Is(err, rein.ErrInterrupted) {
		if heard, err = Hear(run, *task, heard); err == nil {
			talk, err = Opening(run, task, prompt)
		}
	}
	return append(talk, heard...), err
}
