// Package shell is the flow that runs one line of shell that a person typed. It calls no model. The line is judged,
// approved, boxed and recorded as one of a model is, and the next run of the session knows what it printed.
package shell

import (
	"encoding/json"
	"errors"

	"rein"
	"rein/flow/kit"
)

// Kind is the flow shell.
func Kind() kit.Kind {
	return kit.Kind{
		Name: "shell", About: "runs a line of shell that a person typed, without a model",
		Do: Do, Settings: settings, Tools: []string{toolName}, Questions: kit.AsksNothing, Background: true, Aside: true,
	}
}

const toolName = "execute_command"

// Settings say what to run.
type Settings struct {
	Command string `json:"command"` // the line of shell
}

var settings = kit.SettingsOf[Settings]{
	Flow: "shell",
	Check: func(s *Settings) ([]kit.Change, error) {
		if s.Command == "" {
			return nil, rein.Errorf(rein.CodeInvalid, "command is empty: give the line of shell to run")
		}
		return nil, nil
	},
}

// Do makes one call. What the command printed is in its result; a command that fails is no failure of the run.
func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	args, err := json.Marshal(map[string]string{"command": set.Command})
	if err != nil {
		return rein.Outcome{}, err
	}
	result, err := run.CallTool(rein.ToolCall{
		About: rein.About{Phase: "act", Round: 1, Human: "Running"}, ID: "shell", Name: toolName, Args: args,
	})
	switch {
	case errors.Is(err, rein.ErrInterrupted):
		return rein.Outcome{End: rein.EndDeclined, Text: "The command was not run."}, nil
	case err != nil:
		return rein.Outcome{}, err
	case result.Status == rein.ToolRefused:
		return rein.Outcome{End: rein.EndDeclined, Text: result.Text}, nil
	case result.Status == rein.ToolUnknown:
		return rein.Outcome{}, rein.Errorf(rein.CodeUnknown, "%s", result.Text)
	}
	return rein.Outcome{End: rein.EndDone, Data: result.Data}, nil
}
