package flow

import (
	"errors"

	"rein"
)

// Operate is the tool loop for someone who works on a machine: the model speaks and calls tools,
// the calls are made in their order, each approved where it must be, and the results go back, until
// the model has no more calls. After the last round it may answer once more, without tools.
func Operate(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := readSettings("operate", task.Settings, DefaultOperate(), (*OperateSettings).fit, Ceiling{})
	if err != nil {
		return rein.Outcome{}, err
	}
	talk, err := openingHeard(run, &task, text(task, "operate", nil))
	if err != nil {
		return rein.Outcome{}, err
	}
	for round := 1; round <= set.Rounds; round++ {
		var reply rein.Message
		if talk, err = hear(run, task, talk); err == nil {
			reply, err = run.CallModel(set.prompt(task, talk, round))
		}
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			round-- // what to do instead is in the inbox
			continue
		case errors.Is(err, rein.ErrBudget):
			return closing(run, task, set.prompt(task, talk, round), err)
		case err != nil:
			return rein.Outcome{Text: lastSaid(since(task, talk))}, err
		case isEmpty(reply):
			return rein.Outcome{Text: lastSaid(since(task, talk))}, errEmptyReply
		}
		talk = append(talk, reply)
		if len(reply.Calls) == 0 {
			return rein.Outcome{End: rein.EndDone, Text: reply.Text}, nil
		}
		var results []rein.Message
		results, err = callAll(run, reply.Calls, round)
		talk = append(talk, results...)
		if ends(err) {
			return rein.Outcome{Text: lastSaid(since(task, talk))}, err
		}
		if errors.Is(err, rein.ErrInterrupted) {
			round--
		}
	}
	return closing(run, task, set.prompt(task, talk, set.Rounds), err)
}

func (s OperateSettings) prompt(task rein.Task, talk []rein.Message, round int) rein.Prompt {
	return rein.Prompt{
		About: rein.About{Phase: "act", Round: round, Human: say(task, "thinking")},
		Model: task.Model, Messages: talk, Tools: task.Tools, Stream: true,
		Rendering: s.rendering(), Compact: &rein.Compact{Messages: s.CompactMessages, Keep: s.CompactKeep},
	}
}
