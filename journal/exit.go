package journal

import (
	"encoding/json"

	"rein"
)

// An Exit says how a command of the tool execute_command ended.
type Exit struct {
	Code   int    `json:"exit"`
	Ended  string `json:"ended"`  // the limit that ended it
	Handle string `json:"handle"` // of a command that goes on in the background
}

// ExitOf returns how the command of a call ended. ok is false of another tool, and of a call without a result.
func ExitOf(tool string, end rein.StepEnd) (exit Exit, ok bool) {
	if tool != "execute_command" || end.Result == nil {
		return exit, false
	}
	return exit, json.Unmarshal(end.Result.Data, &exit) == nil
}

// Failed reports whether the command failed. Its call did not: the model got the output.
func (e Exit) Failed() bool { return e.Handle == "" && (e.Ended != "" || e.Code != 0) }
