package steps

import (
	"rein"
	"rein/api"
)

// Kind is what a person wants.
type Kind int

const (
	None    Kind = iota
	Open         // the step in full
	OpenRun      // the timeline of the run that the step started or waits for
	Fork         // a new run that leaves the course of this one at the step
	More         // the steps after the one that Step names
	Copy         // Text
	Back
)

// An Act is what a key leads to.
type Act struct {
	Kind  Kind
	Step  rein.StepKey
	Run   rein.RunID // for OpenRun
	Text  string     // for Copy; everything in it can be seen
	Taken bool       // the key was for the steps
}

const cannotFork = "only a call of a model or a tool that has ended can be forked at"

// canFork reports whether a run can leave its course at a step.
func canFork(s api.Step) bool {
	return s.Of == "" && !s.Ended.IsZero() && (s.Verb == rein.VerbModel || s.Verb == rein.VerbTool)
}

// about is the act that opens the run a step is about, if there is one.
func about(s api.Step) (Act, bool) {
	return Act{Kind: OpenRun, Step: s.Key, Run: s.Child, Taken: true}, s.Child != ""
}
