package chat

import (
	"errors"
	"slices"
	"strings"

	"rein"
	"rein/flow/kit"
)

// maxRounds is how often a chat may read what belongs to its session before it answers.
const maxRounds = 6

// Do is one plain model call: what was said before in the session and the task go in, and what comes
// back is shown while it is written and is the outcome. It has tools only to read the files of the
// session and what was clipped of the past. An empty reply is an error, for nobody asked for it.
// Whoever modifies it meanwhile is answered instead.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	talk, tools, err := open(run, task)
	if err != nil {
		return rein.Outcome{}, err
	}
	for round := 1; ; round++ {
		if round > maxRounds {
			tools = nil
		}
		p := prompt(task, talk, tools, round)
		reply, err := run.CallModel(p)
		for errors.Is(err, rein.ErrInterrupted) {
			if p.Messages, err = kit.Hear(run, task, p.Messages); err == nil {
				reply, err = run.CallModel(p)
			}
		}
		if err == nil && len(reply.Calls) > 0 && tools != nil {
			var results []rein.Message
			results, err = kit.CallAll(run, reply.Calls, round)
			talk = append(append(p.Messages, reply), results...)
			if err == nil || errors.Is(err, rein.ErrInterrupted) {
				continue // what to do instead is heard when the model is called
			}
		}
		if errors.Is(err, rein.ErrBudget) {
			return kit.Close(run, task, p, err)
		}
		if err != nil {
			return rein.Outcome{}, err
		}
		if strings.TrimSpace(reply.Text) == "" {
			return rein.Outcome{}, rein.Errorf(rein.CodeProvider, "chat: the model replied with nothing: ask again, or choose another model")
		}
		return rein.Outcome{End: rein.EndDone, Text: reply.Text}, nil
	}
}

// open is what a chat begins with, and the tools that are of use to it. A chat of the first
// revision knew nothing of its session.
func open(run rein.Run, task rein.Task) ([]rein.Message, []string, error) {
	if task.Revision < 1 {
		return task.Messages, nil, nil
	}
	before, err := kit.Recall(run, task)
	var heard []rein.Message
	for errors.Is(err, rein.ErrInterrupted) {
		if heard, err = kit.Hear(run, task, heard); err == nil {
			before, err = kit.Recall(run, task)
		}
	}
	task.Tools = slices.DeleteFunc(slices.Clone(task.Tools), func(name string) bool { return !slices.Contains(kit.SessionTools(), name) })
	var tools []string
	if before.Known {
		tools = before.Needed(task)
	}
	return slices.Concat(before.About(task), before.Talk, task.Messages, heard), tools, err
}

func prompt(task rein.Task, talk []rein.Message, tools []string, round int) rein.Prompt {
	p := rein.Prompt{
		About:    rein.About{Phase: "final", Round: round, Human: kit.Say(task, "answering")},
		Model:    task.Model,
		Messages: talk,
		Tools:    tools,
		Stream:   true,
	}
	if task.Revision > 0 {
		p.Compact = &rein.Compact{Messages: kit.ManyMessages}
	}
	return p
}
