package terminal

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"rein"
	"rein/internal/units"
	"rein/journal"
)

// What is shown of a tool call while it happens: a line when it begins and one when it is over.

// sent is the call as the tool gets it: what the model wrote may have been repaired, and a person can edit
// it.
func sent(step *journal.Step) rein.ToolCall {
	call, start := *step.Wrote(), step.Start
	if start == nil { // it was over before it began
		call.Name = cmp.Or(step.Tool, call.Name)
		return call
	}
	switch {
	case start.Mended != "" && start.Args != nil:
		call.Args = withoutAdded(start.Args, call.Args)
	case step.Mend.Args != nil && !bytes.Equal(step.Mend.Args, start.Args):
		call.Args = withoutAdded(step.Mend.Args, call.Args)
	}
	call.Name = cmp.Or(start.Tool, call.Name)
	return call
}

// added are the arguments that rein gives a call: who it is for, and what a person was shown.
var added = []string{"household", "user", "session", "shown", "plan"}

// withoutAdded leaves out of arguments what rein added to those that the model wrote: it tells nobody what
// the call is about.
func withoutAdded(args, wrote json.RawMessage) json.RawMessage {
	var own map[string]json.RawMessage
	_ = json.Unmarshal(wrote, &own) // what had to be repaired may be anything
	d := json.NewDecoder(bytes.NewReader(args))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return args
	}
	kept := []byte{'{'}
	for d.More() {
		var value json.RawMessage
		name, err := d.Token()
		if err != nil || d.Decode(&value) != nil {
			return args
		}
		text, _ := name.(string)
		if _, said := own[text]; !said && slices.Contains(added, text) {
			continue
		}
		if len(kept) > 1 {
			kept = append(kept, ',')
		}
		key, _ := json.Marshal(text) // a string can be
		kept = append(append(append(kept, key...), ':'), value...)
	}
	return append(kept, '}')
}

// chipName is the tool with its key argument: "read_file README.md".
func chipName(call rein.ToolCall) string {
	if call.Name == rein.TodoTool {
		return call.Name // its list follows
	}
	if arg := keyArgument(call.Args); arg != "" {
		return safe(call.Name) + " " + arg
	}
	return safe(call.Name)
}

// keyArgument is the value of the argument that says most, else of the first one, or all of what was written if that is not
// an object.
func keyArgument(args json.RawMessage) string {
	var named struct{ Pattern, Path, Command string } // when rein has added its own, the others are in another order
	if json.Unmarshal(args, &named) == nil && cmp.Or(named.Pattern, named.Path, named.Command) != "" {
		return short(cmp.Or(named.Pattern, named.Path, named.Command), 100)
	}
	d := json.NewDecoder(bytes.NewReader(args))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return short(string(args), 100)
	}
	if !d.More() {
		return ""
	}
	var value json.RawMessage
	if _, err := d.Token(); err != nil || d.Decode(&value) != nil {
		return short(string(args), 100)
	}
	var text string
	if json.Unmarshal(value, &text) == nil {
		return short(text, 100)
	}
	var list []string
	if json.Unmarshal(value, &list) == nil {
		return short(strings.Join(list, ", "), 100)
	}
	return short(string(value), 100)
}

// A chipEnd says what became of a call: its sign, its colour and its words.
type chipEnd struct {
	sign   string
	colour Colour
	words  string
}

func (s signs) chipEnd(tool string, end rein.StepEnd) chipEnd {
	result := end.Result
	if result == nil {
		return chipEnd{s.fail, Bad, failureWords(end)}
	}
	switch {
	case result.FromPerson:
		return chipEnd{s.ok, Good, "answered"}
	case result.Status == rein.ToolOK:
		exit, failed := exitOf(tool, end)
		e := chipEnd{s.ok, Good, joined(cmp.Or(writtenNotes(tool, end), exit, resultSize(end)), units.Span(end.Duration), extras(end))}
		if failed {
			e.sign, e.colour = s.fail, Bad
		}
		return e
	case result.Status == rein.ToolUnknown:
		return chipEnd{s.unsure, Ask, joined("whether it happened is not known", short(result.Text, 160))}
	}
	words := safe(string(result.Status)) + ": " + short(result.Text, 400)
	return chipEnd{s.fail, Bad, joined(words, extras(end))}
}

// exitOf says how a command ended, and whether it failed; empty: the call was none.
func exitOf(tool string, end rein.StepEnd) (says string, failed bool) {
	exit, ok := journal.ExitOf(tool, end)
	switch {
	case !ok:
		return "", false
	case exit.Handle != "":
		says = "in the background: " + safe(exit.Handle)
	case exit.Ended != "":
		says = "ended by a limit: " + safe(exit.Ended)
	default:
		says = "exit code " + strconv.Itoa(exit.Code)
	}
	return says, exit.Failed()
}

// warningOf names what a command made that runs or is obeyed later, though nobody approved it; empty: nothing.
func warningOf(tool string, end rein.StepEnd) string {
	var ran struct{ Obeyed []string }
	if tool != "execute_command" || end.Result == nil || json.Unmarshal(end.Result.Data, &ran) != nil || len(ran.Obeyed) == 0 {
		return ""
	}
	return "LOOK AT " + short(strings.Join(ran.Obeyed, ", "), 300) + ": a program runs it or an agent obeys it later, and nobody approved it"
}

func failureWords(end rein.StepEnd) string {
	if end.Failure == nil {
		return "no result"
	}
	return Failure(end.Failure)
}

// maxWritten is how many notes a chip names.
const maxWritten = 3

// writtenNotes names the notes that a commit wrote; empty: the call was none, or does not tell.
func writtenNotes(tool string, end rein.StepEnd) string {
	var done struct {
		Undoes string
		Notes  []struct{ Path string }
	}
	if tool != "commit_staged_changes" && tool != "undo_commit" {
		return ""
	}
	if json.Unmarshal([]byte(end.Result.Text), &done) != nil || len(done.Notes) == 0 {
		return ""
	}
	text := "wrote "
	if done.Undoes != "" {
		text = "took back "
	}
	for i, n := range done.Notes[:min(len(done.Notes), maxWritten)] {
		if i > 0 {
			text += ", "
		}
		text += short(n.Path, 60)
	}
	if more := len(done.Notes) - maxWritten; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func resultSize(end rein.StepEnd) string {
	if end.Result.Handle != "" && len(end.Whole) > 0 {
		return units.Size(int64(len(end.Result.Text))) + " of " + units.Size(int64(len(end.Whole)))
	}
	return units.Size(int64(len(end.Result.Text)))
}

// byPerson is how arguments were changed that a person edited.
const byPerson = "person"

// repairWords says how arguments were changed on their way to the tool.
func repairWords(how string) string {
	if how == byPerson {
		return "edited by a person"
	}
	return "repaired (" + safe(how) + ")"
}

// extras are what a person should know of how the result came about.
func extras(end rein.StepEnd) string {
	repaired, redacted := "", ""
	if how := end.Result.Mended; how != "" {
		repaired = "arguments " + repairWords(how)
	}
	if len(end.Redacted) > 0 {
		redacted = "secrets removed (" + safe(strings.Join(end.Redacted, ", ")) + ")"
	}
	return joined(repaired, redacted)
}
