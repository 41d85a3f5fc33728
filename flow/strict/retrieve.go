package strict

import (
	"encoding/json"
	"fmt"

	"rein"
	"rein/flow/kit"
)

// findNotes is the tool that searches the notes.
const findNotes = "find_similar"

// mostQuery is how much of what people want is searched for, in bytes.
const mostQuery = 4000

// retrieve searches the notes for what people want, if the chat has it on. The passages stand in the
// conversation as the result of a call, so that every phase sees them; they are found again when
// people want something else. What the policy denies is not searched.
func (w *work) retrieve() error {
	if !w.set.Retrieval || w.question == "" || w.question == w.searched {
		return nil
	}
	args, err := json.Marshal(map[string][]string{"queries": {kit.Short(w.question, mostQuery)}})
	if err != nil {
		return err
	}
	call := rein.ToolCall{About: w.about("tool", findNotes), ID: fmt.Sprintf("find-%d", len(w.talk)), Name: findNotes, Args: args}
	result, err := w.run.CallTool(call)
	w.talk = append(w.talk, rein.Message{Role: rein.Assistant, Calls: []rein.ToolCall{call}}, call.Answer(result))
	if err == nil {
		w.searched = w.question
	}
	return err
}
