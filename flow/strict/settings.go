package strict

import (
	"fmt"
	"time"

	"rein/flow/kit"
)

// Settings are what a caller may choose about strict.
type Settings struct {
	MaxSteps            int        `json:"max_steps"`
	RequestInputTimeout int        `json:"request_input_timeout"` // seconds
	Collapse            bool       `json:"collapse"`              // old observations are cut down to a line
	Retrieval           bool       `json:"retrieval,omitempty"`   // search the notes before reason
	Files               []kit.File `json:"files,omitempty"`       // that came with the task; those of the session are read when it begins
}

// Default is what holds where a caller chooses nothing.
func Default() Settings {
	return Settings{MaxSteps: 10, RequestInputTimeout: 300, Collapse: true}
}

// mostFiles is how many files a model is told of.
const mostFiles = 200

var settings = kit.SettingsOf[Settings]{Flow: "strict", Default: Default(), Fields: (*Settings).fields, Check: (*Settings).check}

func (s *Settings) fields() []kit.Field {
	return []kit.Field{
		kit.Int("max_steps", &s.MaxSteps, 1, 100, "steps of reason, act and observe, 1 to 100").Under(kit.Rounds),
		kit.Int("request_input_timeout", &s.RequestInputTimeout, 60, 600, "seconds that a question waits before the run stops, 60 to 600"),
		kit.Bool("collapse", &s.Collapse, "shorten old observations to one line"),
		kit.Bool("retrieval", &s.Retrieval, "search your notes for the question before the first step, and again when the question changes"),
	}
}

// check looks at the files that came with the task.
func (s *Settings) check() (changes []kit.Change, err error) {
	if n := len(s.Files); n > mostFiles {
		changes = append(changes, kit.Change{Field: "files", Note: fmt.Sprintf("files has %d entries; the first %d are used", n, mostFiles)})
		s.Files = s.Files[:mostFiles]
	}
	for i, f := range s.Files {
		s.Files[i] = f.Clean()
	}
	return changes, nil
}

func (s Settings) timeout() time.Duration { return kit.Seconds(s.RequestInputTimeout) }
