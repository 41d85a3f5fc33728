package flow

import (
	"fmt"
	"time"
)

// StrictSettings are what a caller may choose about strict.
type StrictSettings struct {
	MaxSteps            int          `json:"max_steps"`
	RequestInputTimeout int          `json:"request_input_timeout"` // seconds
	Collapse            bool         `json:"collapse"`              // old observations are cut down to a line
	Retrieval           bool         `json:"retrieval,omitempty"`   // search the notes before reason
	Files               []StrictFile `json:"files,omitempty"`       // that came with the task; those of the session are read when it begins
}

// A StrictFile is what the model is told of a file.
type StrictFile struct {
	Name string `json:"name"`
	Type string `json:"type,omitempty"`
	Size int64  `json:"size,omitempty"` // bytes
}

// DefaultStrict is what holds where a caller chooses nothing.
func DefaultStrict() StrictSettings {
	return StrictSettings{MaxSteps: 10, RequestInputTimeout: 300, Collapse: true}
}

// strictMostFiles is how many files a model is told of.
const strictMostFiles = 200

func (s *StrictSettings) fit(c Ceiling) (notices []string, err error) {
	notices = clamp(notices, "max_steps", &s.MaxSteps, 1, 100, c.Rounds)
	notices = clamp(notices, "request_input_timeout", &s.RequestInputTimeout, 60, 600, 0)
	if n := len(s.Files); n > strictMostFiles {
		notices = append(notices, fmt.Sprintf("files has %d entries; the first %d are used", n, strictMostFiles))
		s.Files = s.Files[:strictMostFiles]
	}
	for i, f := range s.Files {
		s.Files[i] = StrictFile{Name: strictBaseName(f.Name), Type: strictFileType(f.Type), Size: max(f.Size, 0)}
	}
	return notices, nil
}

func (s StrictSettings) timeout() time.Duration {
	return time.Duration(s.RequestInputTimeout) * time.Second
}
