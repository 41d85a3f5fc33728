package operate

import (
	"rein"
	"rein/flow/kit"
)

// Do is the tool loop for someone who works on a machine: the model speaks and calls tools, the calls are
// made in their order, each approved where it must be, and the results go back, until the model has no
// more calls. After the last round it may answer once more, without tools.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	talk, err := kit.Open(run, &task, text(task, "operate", nil))
	if err != nil {
		return rein.Outcome{}, err
	}
	act := kit.ActPrompt(task)
	return kit.Loop(run, task, talk, set.Rounds, func(talk []rein.Message, round int) rein.Prompt {
		p := act(talk, round)
		p.Rendering, p.Compact = set.rendering(), &rein.Compact{Messages: set.CompactMessages, Keep: set.CompactKeep}
		return p
	})
}
