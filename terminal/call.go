package terminal

import (
	"rein"
	"rein/journal"
)

// Call returns the name of the tool that a step calls, and the argument that says most about the call. Both are safe
// to show.
func Call(step *journal.Step) (name, argument string) {
	if step.Wrote() == nil {
		return safe(step.Tool), ""
	}
	call := sent(step)
	if call.Name == rein.TodoTool {
		return call.Name, ""
	}
	return safe(call.Name), keyArgument(call.Args)
}

// CallArgs returns the arguments that the tool got, as JSON on many lines, without what rein added to them. They are
// not safe to show.
func CallArgs(step *journal.Step) string {
	if step.Wrote() == nil {
		return ""
	}
	return indented(sent(step).Args)
}

// CallNotes says what a person should know about how the result of a call came about, and what became of it if it is
// not plain success.
func CallNotes(step *journal.Step) (notes, warning string) {
	if step.End == nil {
		return "", ""
	}
	if step.End.Result != nil {
		notes = joined(extras(*step.End), writtenNotes(step.Tool, *step.End))
	}
	return notes, warningOf(step.Tool, *step.End)
}
