// Package undo is the flow that undoes what an earlier run changed. It calls no model: a person asks for it, is shown
// the diff, and agrees.
package undo

import (
	"encoding/json"
	"errors"

	"rein"
	"rein/flow/kit"
)

// Kind is the flow undo.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "undo", About: "undoes what an earlier run changed, without a model",
		Do: Do, Settings: settings, Tools: []string{toolName}, Questions: kit.AsksNothing, Background: true, Aside: true,
	}
}

const toolName = "undo_change"

// Settings say what to undo.
type Settings struct {
	Run  string `json:"run"`            // whose changes are undone, with those of its children; empty: the last change of the session
	Step string `json:"step,omitempty"` // only this one
}

var settings = kit.SettingsOf[Settings]{
	Flow: "undo",
	Check: func(s *Settings) ([]kit.Change, error) {
		if s.Run == "" && s.Step != "" {
			return nil, rein.Errorf(rein.CodeInvalid, "step is %q and run is empty: name the run of the step", s.Step)
		}
		return nil, nil
	},
}

// Do makes one call, which asks a person by itself. Whoever modifies the run meanwhile ends it: there is nothing else to do.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	change := set.Run
	if set.Step != "" {
		change += ":" + set.Step
	}
	args, err := json.Marshal(map[string]string{"change": change})
	if err != nil {
		return rein.Outcome{}, err
	}
	result, err := run.CallTool(rein.ToolCall{
		About: rein.About{Phase: "act", Round: 1, Human: "Undoing"}, ID: "undo", Name: toolName, Args: args,
	})
	if errors.Is(err, rein.ErrInterrupted) {
		return rein.Outcome{End: rein.EndDeclined, Text: "Nothing was undone."}, nil
	}
	if err != nil {
		return rein.Outcome{}, err
	}
	return outcome(result)
}

func outcome(result rein.ToolResult) (rein.Outcome, error) {
	switch result.Status {
	case rein.ToolOK:
		return rein.Outcome{End: rein.EndDone, Text: result.Text, Data: result.Data}, nil
	case rein.ToolRefused:
		return rein.Outcome{End: rein.EndDeclined, Text: result.Text}, nil
	case rein.ToolUnknown, rein.ToolTimeout:
		return rein.Outcome{}, rein.Errorf(rein.CodeUnknown, "%s", result.Text)
	}
	return rein.Outcome{}, rein.Errorf(rein.CodeConflict, "%s", result.Text)
}
