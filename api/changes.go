package api

import (
	"time"

	"rein"
)

// FileChanges is the answer to GET /v1/undoable and GET /v1/runs/{id}/changes, the newest first.
type FileChanges struct {
	Changes []FileChange `json:"changes"`
}

// A FileChange is what one call changed, in files of a workspace or in notes. To undo it, start a run of the flow undo in
// its session, with the settings run and step: the run shows the diff and asks.
type FileChange struct {
	ID        string       `json:"id"` // RUN:STEP
	Run       rein.RunID   `json:"run,omitempty"`
	Step      rein.StepKey `json:"step,omitempty"`
	Session   string       `json:"session,omitempty"`
	Workspace string       `json:"workspace,omitempty"`
	Tool      string       `json:"tool"`
	At        time.Time    `json:"at"`
	Cut       bool         `json:"cut,omitempty"` // nobody saw the call end
	// Background says that it is what changed while a command ran in the background, whoever changed it.
	Background bool        `json:"background,omitempty"`
	Notes      bool        `json:"notes,omitempty"`
	Files      []FileState `json:"files"`
	Undoes     []string    `json:"undoes,omitempty"`
	UndoneBy   string      `json:"undone_by,omitempty"`
	// Undoable says that it was not undone, as far as is known without looking at the files.
	Undoable bool `json:"undoable"`
}

// A FileState is what became of one file.
type FileState struct {
	Path   string `json:"path"`
	Became string `json:"became"` // new, changed or removed
}

// A ChangeQuery chooses changes of yours, by what is set.
type ChangeQuery struct {
	Run       rein.RunID // with its children
	Session   string
	Workspace string
	Limit     int
}
