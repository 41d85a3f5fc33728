// Package compact is the flow that puts a summary in place of what was said in a session, when a person asks for it. The
// next runs of the session read the summary; the logs stay as they are.
package compact

import (
	"encoding/json"

	"rein"
	"rein/flow/kit"
)

// Kind is the flow compact.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "compact", About: "puts a summary in place of what was said in the session",
		Do: Do, Questions: kit.AsksNothing, Background: true, Recalls: true, Aside: true,
	}
}

// Internal tools of compact.
const (
	FoldRead = "session.talk" // what a summary would stand for, as a prompt that asks for it
	FoldSave = "session.fold"
)

const summaryTokens = 1024

// Do asks the model for a summary, which is shown while it is written, and keeps it. What people send the run meanwhile,
// other than to end it, changes nothing.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	b := kit.Background{Run: run, Task: task}
	var talk struct {
		Digest   rein.Hash      `json:"digest"`
		New      bool           `json:"new"`
		Messages []rein.Message `json:"messages"`
	}
	ok, err := b.Read(FoldRead, nil, &talk)
	switch {
	case err != nil:
		return rein.Outcome{}, err
	case !ok:
		return rein.Outcome{}, rein.Errorf(rein.CodeUnavailable, "compact: what was said in the session cannot be read: try again")
	case !talk.New:
		return rein.Outcome{End: rein.EndDone, Text: say(task, "nothing")}, nil
	}
	reply, err := b.Call(rein.Prompt{
		About: rein.About{Phase: "compact", Round: 1, Human: say(task, "compact")},
		Model: task.Model, MaxTokens: summaryTokens, Messages: talk.Messages, Stream: true,
	})
	if err != nil {
		return rein.Outcome{}, err
	}
	result, err := b.Write(FoldSave, map[string]any{"digest": talk.Digest, "text": reply.Text})
	if err != nil {
		return rein.Outcome{}, err
	}
	return outcome(task, result)
}

func outcome(task rein.Task, result rein.ToolResult) (rein.Outcome, error) {
	if result.Status.Failed() {
		return rein.Outcome{}, rein.Errorf(rein.CodeConflict, "compact: %s", result.Text)
	}
	var kept struct{ Before, After int }
	if err := json.Unmarshal(result.Data, &kept); err != nil {
		return rein.Outcome{}, rein.Errorf(rein.CodeInternal, "compact: %w", err)
	}
	if kept.After == 0 {
		return rein.Outcome{End: rein.EndDone, Text: say(task, "short")}, nil
	}
	return rein.Outcome{End: rein.EndDone, Text: say(task, "done", kept.After, kept.Before), Data: result.Data}, nil
}
