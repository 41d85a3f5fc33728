package api

import "rein"

// NewFork is the body of POST /v1/runs/{id}/forks.
type NewFork struct {
	Step  rein.StepKey `json:"step"`            // the first step that is done again
	Text  *string      `json:"text,omitempty"`  // what the step says instead: the text of a model's reply or a tool's result
	Model string       `json:"model,omitempty"` // the model from then on; empty: that of the run
	// Allow lists the tools that may change something after the step. Other tools that change something are not run.
	Allow []string   `json:"allow,omitempty"`
	ID    rein.RunID `json:"id,omitempty"` // of the new run; empty: the server makes one
}

// Replayed is the answer to POST /v1/runs/{id}/replay.
type Replayed struct {
	Same  bool `json:"same"`  // the new log says what the old one says
	Steps int  `json:"steps"` // how many steps the run and those below it have
	// Differences has the first difference, if there is one: those after it would follow from it.
	Differences []Difference `json:"differences"`
	Why         string       `json:"why,omitempty"` // why the run cannot be played; then nothing was compared
}

// A Difference is a place at which a replay is not what was recorded.
type Difference struct {
	Run  rein.RunID   `json:"run"`
	Step rein.StepKey `json:"step,omitempty"`
	What string       `json:"what"`          // the kind of the event, and the field of it that differs
	Was  string       `json:"was,omitempty"` // empty: nothing
	Is   string       `json:"is,omitempty"`
}
