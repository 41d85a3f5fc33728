package strict

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"rein"
	"rein/flow/kit"
	"rein/internal/lenient"
)

// RequestInput is the tool by which a model asks the person. The flow does not call it but asks: so
// that the question has its deadline, after which the run stops.
const RequestInput = "request_input"

const mostQuestion = 4000 // bytes

// mayAsk reports whether the run was given the tool.
func (w *work) mayAsk() bool { return slices.Contains(w.task.Tools, RequestInput) }

// asks reports whether a call is a question, however the model spells its name.
func (w *work) asks(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(name)), "-", "_")
	return w.mayAsk() && name[strings.LastIndexAny(name, ".:/")+1:] == RequestInput
}

// callAll makes the calls in their order and returns a result for each, whatever happens on the way.
// The error is the first that concerns the run.
func (w *work) callAll(calls []rein.ToolCall) (results []rein.Message, first error) {
	for _, call := range calls {
		var result rein.ToolResult
		var err error
		if w.asks(call.Name) {
			result, err = w.ask(questionIn(call.Args))
		} else {
			call.About = w.about("tool", call.Name)
			result, err = w.run.CallTool(call)
		}
		if first == nil {
			first = err
		}
		w.files = kit.WithFiles(w.files, result.Files)
		results = append(results, call.Answer(result))
	}
	return results, first
}

// questionIn reads the question out of a call's arguments; empty if there is none.
func questionIn(args json.RawMessage) string {
	found, err := lenient.Value(string(args))
	if err != nil || found.Cut {
		return ""
	}
	return control{"args": found.JSON}.question("args")
}

// ask puts a question to the person and returns the answer as a result of the call.
func (w *work) ask(question string) (rein.ToolResult, error) {
	switch {
	case question == "":
		return rein.ToolResult{Status: rein.ToolFailed, Text: "nobody was asked: the question is empty; write it into the argument question"}, nil
	case len(question) > mostQuestion:
		return rein.ToolResult{Status: rein.ToolFailed, Text: fmt.Sprintf("nobody was asked: the question has more than %d bytes; ask briefly", mostQuestion)}, nil
	}
	answer, err := w.run.AskUser(rein.Question{
		About: w.about("request_input", say(w.task, "ask")),
		Text:  question, Timeout: w.set.timeout(), OnExpiry: rein.ExpiryStop,
	})
	return answered(answer, err), err
}

func answered(answer rein.Answer, err error) rein.ToolResult {
	switch {
	case errors.Is(err, rein.ErrInterrupted):
		return rein.ToolResult{Status: rein.ToolSkipped, Text: "no answer: the person wants something else"}
	case answer.State == rein.AskAnswered:
		return rein.ToolResult{Status: rein.ToolOK, Text: answer.Text, FromPerson: true}
	case answer.State == rein.AskExpired:
		return rein.ToolResult{Status: rein.ToolTimeout, Text: "no answer: nobody answered in time"}
	case err != nil:
		return rein.ToolResult{Status: rein.ToolSkipped, Text: "no answer: " + err.Error()}
	case answer.Text != "":
		return rein.ToolResult{Status: rein.ToolRefused, Text: "the person does not want to answer: " + answer.Text}
	}
	return rein.ToolResult{Status: rein.ToolRefused, Text: "the person does not want to answer"}
}

// askFor puts the question of a reason block to the person. It stands in the conversation as the call
// that it would be.
func (w *work) askFor(v verdict) error {
	args, err := json.Marshal(map[string]string{"question": v.ask})
	if err != nil {
		return err
	}
	call := rein.ToolCall{ID: fmt.Sprintf("ask-%d", len(w.talk)), Name: RequestInput, Args: args}
	w.talk = append(w.talk, rein.Message{Role: rein.Assistant, Text: v.note, Calls: []rein.ToolCall{call}})
	result, err := w.ask(v.ask)
	w.talk = append(w.talk, call.Answer(result))
	return err
}
