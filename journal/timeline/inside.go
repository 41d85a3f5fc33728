package timeline

import (
	"fmt"

	"rein"
	"rein/internal/units"
)

// Inside says what a call inside a step does: a summary, a repair of arguments, what a tool asks of the model or of its
// tree. Names are as they are in the log.
func Inside(start rein.StepStart) string {
	switch {
	case start.Folds != nil:
		return "summarising " + units.Count(int64(start.Folds.To-start.Folds.From), "older message")
	case start.Tree == nil && start.Phase == rein.PhaseConsult:
		return "asking the model something for the tool"
	case start.Tree == nil:
		return "asking the model to repair the arguments"
	case start.Verb == rein.VerbSpawn:
		return "fork"
	case start.Verb == rein.VerbWait:
		return fmt.Sprintf("wait for fork %d", start.Tree.Handle)
	}
	return string(start.Verb) + " to run " + string(start.Tree.Run)
}

// InsideFailed says what the failure of a call inside a step means for the step.
func InsideFailed(start *rein.StepStart) string {
	switch {
	case start != nil && start.Tree != nil:
		return Inside(*start)
	case start != nil && start.Folds != nil:
		return "warning: the summary failed, so the run continues with the whole history"
	case start != nil && start.Phase == rein.PhaseConsult:
		return "the model did not answer the tool"
	}
	return "the arguments could not be repaired"
}
