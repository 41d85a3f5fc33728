package flow

import (
	"errors"
	"strings"

	"rein"
)

// Chat is one plain model call without tools: the task's messages go in, and what comes back is
// shown while it is written and is the outcome. An empty reply is an error, for nobody asked for it.
// Whoever modifies it meanwhile is answered instead.
func Chat(run rein.Run, task rein.Task) (rein.Outcome, error) {
	p := rein.Prompt{
		About:    rein.About{Phase: "final", Round: 1, Human: say(task, "answering")},
		Model:    task.Model,
		Messages: task.Messages,
		Stream:   true,
	}
	reply, err := run.CallModel(p)
	for errors.Is(err, rein.ErrInterrupted) {
		if p.Messages, err = hear(run, task, p.Messages); err == nil {
			reply, err = run.CallModel(p)
		}
	}
	if errors.Is(err, rein.ErrBudget) {
		return closing(run, task, p, err)
	}
	if err != nil {
		return rein.Outcome{}, err
	}
	if strings.TrimSpace(reply.Text) == "" {
		return rein.Outcome{}, rein.Errorf(rein.CodeProvider, "chat: the model replied with nothing: ask again, or choose another model")
	}
	return rein.Outcome{End: rein.EndDone, Text: reply.Text}, nil
}
