package replay

import (
	"encoding/json"
	"slices"
	"strings"

	"rein"
	"rein/replay/cassette"
)

// Fork makes the task of a run that goes the way of a recorded one up to a step. edit, if not empty,
// is what the step gives in place of what it gave: a text, or a message or result as JSON.
func Fork(t *cassette.Tape, step rein.StepKey, edit []byte, allow []string) (rein.Task, error) {
	if err := t.Check(); err != nil {
		return rein.Task{}, err
	}
	if _, err := t.Before(step); err != nil {
		return rein.Task{}, err
	}
	start, _, _ := t.Start(t.Run)
	task := start.Task
	task.Fork = &rein.Fork{Run: t.Run, Step: step, Allow: allow, Mode: loosest(t, step, task.Mode)}
	if len(edit) > 0 {
		var err error
		if task.Fork.Edit, err = edited(t, step, edit, json.Valid(edit)); err != nil {
			return task, err
		}
	}
	stubbed := stubbedTools(t, allow)
	isStubbed := func(name string) bool { return slices.Contains(stubbed, name) }
	task.Policy.Ask = slices.DeleteFunc(slices.Clone(task.Policy.Ask), isStubbed) // nobody need agree to what is not run
	for _, name := range task.Tools {
		if isStubbed(name) && !slices.Contains(task.Policy.Allow, name) {
			task.Policy.Allow = append(slices.Clone(task.Policy.Allow), name)
		}
	}
	task.Session, task.Branch, task.Start = "", nil, start.Task.Start // a conversation of its own
	return task, nil
}

// loosest is the loosest mode of the run before a step.
func loosest(t *cassette.Tape, step rein.StepKey, mode rein.Mode) rein.Mode {
	before, err := t.Before(step)
	if err != nil {
		return mode
	}
	for _, e := range before.Log(t.Run) {
		if e.Kind != rein.CommandMode.EventKind() {
			continue
		}
		if c, err := rein.Payload[rein.Command](e); err == nil && c.Mode.IsLooser(mode) {
			mode = c.Mode
		}
	}
	return mode
}

// stubbedTools lists the tools that may change something and are not allowed to.
func stubbedTools(t *cassette.Tape, allow []string) []string {
	var names []string
	for _, tool := range t.Tools {
		if tool.Effect != rein.Pure && !slices.Contains(allow, tool.Name) {
			names = append(names, tool.Name)
		}
	}
	return names
}

// edited is the end of a step with other words, which may be JSON.
func edited(t *cassette.Tape, step rein.StepKey, edit []byte, isJSON bool) (json.RawMessage, error) {
	start, end, ok := t.Step(step)
	text := strings.TrimRight(string(edit), "\n")
	object := isJSON && strings.HasPrefix(strings.TrimSpace(text), "{")
	switch {
	case ok && (start.Prompt != nil || end.Message != nil):
		message := rein.Message{Role: rein.Assistant}
		if end.Message != nil {
			message = *end.Message
		}
		message.Text, message.Raw = text, nil
		if object {
			var given rein.Message
			if json.Unmarshal(edit, &given) == nil && (given.Text != "" || given.Calls != nil) {
				message = given
				message.Role = rein.Assistant
			}
		}
		end.Message, end.Failure = &message, nil
	case ok && end.Result != nil && end.Answer == nil:
		result := *end.Result
		result.Text, result.Handle, result.Data = text, "", nil
		if object {
			var given rein.ToolResult
			if json.Unmarshal(edit, &given) == nil && given.Status != "" {
				result = given
			}
		}
		end.Result, end.Whole, end.Failure = &result, "", nil
	default:
		return nil, rein.Errorf(rein.CodeInvalid, "step %s of run %s is neither a model's reply nor a tool's result: it cannot be edited", step, t.Run)
	}
	return json.Marshal(end)
}

// Prefix is the part of a tape that a fork plays again, under the fork's own name.
func Prefix(t *cassette.Tape, id rein.RunID, f rein.Fork) (*cassette.Tape, error) {
	before, err := t.Before(f.Step)
	if err != nil {
		return nil, err
	}
	before.Unasked(stubbedTools(t, f.Allow))
	before.Undecided()
	before = before.Rename(id)
	if len(f.Edit) > 0 {
		before.Add(f.Step, f.Edit)
	}
	return before, nil
}

// notRun is what a model is told of a call that a fork does not make.
func notRun(tool string) error {
	return rein.Errorf(rein.CodeForbidden, "%s was not run: this run is a fork, and the tool may change something (rein fork --allow %s lets it)", tool, tool)
}
