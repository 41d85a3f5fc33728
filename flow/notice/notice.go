// Package notice is the flow that puts a message of rein into a session: a reminder, or the result of a job. It calls no
// model and no tool: its outcome is the message.
package notice

import (
	"rein"
	"rein/flow/kit"
)

// Name is the name of the flow.
const Name = "notice"

// Kind is the flow notice.
func Kind() kit.Kind {
	return kit.Kind{
		Name: Name, About: "puts a reminder, or the result of a job, into a session",
		Do: Do, Settings: settings, Questions: kit.AsksNothing, Background: true, Aside: true,
	}
}

// Settings say what the message is.
type Settings struct {
	Text string `json:"text"`
	// Run is the run whose words it repeats; empty: none.
	Run string `json:"run,omitempty"`
}

var settings = kit.SettingsOf[Settings]{
	Flow: Name,
	Check: func(s *Settings) ([]kit.Change, error) {
		if s.Text == "" {
			return nil, rein.Errorf(rein.CodeInvalid, "text is empty: write the message")
		}
		return nil, nil
	},
}

// Do ends with the message.
func Do(_ rein.Run, task rein.Task) (rein.Outcome, error) {
	set, _, err := settings.Read(task)
	if err != nil {
		return rein.Outcome{}, err
	}
	return rein.Outcome{End: rein.EndDone, Text: set.Text}, nil
}
