package flow

import (
	_ "embed"
	"errors"
	"strings"

	"rein"
)

//go:embed prompts/operate.md
var operatePrompt string

//go:embed prompts/closing.md
var closingPrompt string

// Operate is the tool loop for someone who works on a machine: the model speaks and calls tools,
// the calls are made in their order, each approved where it must be, and the results go back, until
// the model has no more calls. After the last round it may answer once more, without tools.
func Operate(run rein.Run, task rein.Task) (rein.Outcome, error) {
	set, err := ReadOperateSettings(task.Settings)
	if err != nil {
		return rein.Outcome{}, err
	}
	talk := append([]rein.Message{{Role: rein.System, Text: operatePrompt}}, task.Messages...)
	for round := 1; round <= set.Rounds; round++ {
		var reply rein.Message
		if talk, err = hear(run, talk); err == nil {
			reply, err = run.CallModel(set.prompt(task, talk, round))
		}
		switch {
		case errors.Is(err, rein.ErrInterrupted):
			round-- // what to do instead is in the inbox
			continue
		case errors.Is(err, rein.ErrBudget):
			return closing(run, set.prompt(task, talk, round))
		case err != nil:
			return rein.Outcome{Text: lastSaid(talk)}, err
		case isEmpty(reply):
			return rein.Outcome{Text: lastSaid(talk)}, errEmptyReply
		}
		talk = append(talk, reply)
		if len(reply.Calls) == 0 {
			return rein.Outcome{End: rein.EndDone, Text: reply.Text}, nil
		}
		results, err := callAll(run, reply.Calls, round)
		talk = append(talk, results...)
		if ends(err) {
			return rein.Outcome{Text: lastSaid(talk)}, err
		}
		if errors.Is(err, rein.ErrInterrupted) {
			round--
		}
	}
	return closing(run, set.prompt(task, talk, set.Rounds))
}

func (s OperateSettings) prompt(task rein.Task, talk []rein.Message, round int) rein.Prompt {
	return rein.Prompt{
		About: rein.About{Phase: "act", Round: round, Human: "Thinking"},
		Model: task.Model, Messages: talk, Tools: task.Tools, Stream: true,
		Rendering: s.rendering(), Compact: &rein.Compact{Messages: s.CompactMessages, Keep: s.CompactKeep},
	}
}

// hear adds what people said meanwhile to the conversation. What they want instead of the task comes
// last in it, and says so.
func hear(run rein.Run, talk []rein.Message) ([]rein.Message, error) {
	items, err := run.Inbox()
	for _, item := range items {
		text := item.Text
		if item.Kind == rein.CommandModify {
			text = "Do this instead of what I asked before: " + text
		}
		talk = append(talk, rein.Message{Role: rein.User, Text: text})
	}
	return talk, err
}

// callAll makes the calls of a reply in their order and returns a result for each of them, whatever
// happens on the way. The error is the first that concerns the run.
func callAll(run rein.Run, calls []rein.ToolCall, round int) (results []rein.Message, first error) {
	for _, call := range calls {
		call.About = rein.About{Phase: "tool", Round: round, Human: call.Name}
		result, err := run.CallTool(call)
		if first == nil {
			first = err
		}
		results = append(results, call.Answer(result))
	}
	return results, first
}

// closing asks for an answer without tools, when a limit is reached. If there is none, the run still
// ends with what was said by then.
func closing(run rein.Run, p rein.Prompt) (rein.Outcome, error) {
	p.About = rein.About{Phase: "closing", Human: "Closing"}
	p.Tools, p.Closing = nil, true
	talk := p.Messages
	var reply rein.Message
	err := error(rein.ErrInterrupted)
	for errors.Is(err, rein.ErrInterrupted) {
		if talk, err = hear(run, talk); err == nil || errors.Is(err, rein.ErrBudget) {
			p.Messages = append(talk[:len(talk):len(talk)], rein.Message{Role: rein.Developer, Text: closingPrompt})
			reply, err = run.CallModel(p)
		}
	}
	said := lastSaid(talk)
	if err == nil && strings.TrimSpace(reply.Text) != "" {
		return rein.Outcome{End: rein.EndLimit, Text: reply.Text}, nil
	}
	if ends(err) {
		return rein.Outcome{Text: said}, err
	}
	if said == "" {
		said = "The limit was reached before there was an answer."
	}
	return rein.Outcome{End: rein.EndLimit, Text: said}, nil
}

// ends reports whether the error says that a person has ended the run.
func ends(err error) bool {
	return errors.Is(err, rein.ErrStopped) || errors.Is(err, rein.ErrCancelled) || errors.Is(err, rein.ErrDeleted)
}

// lastSaid is the newest text of the model.
func lastSaid(talk []rein.Message) string {
	for i := len(talk) - 1; i >= 0; i-- {
		if talk[i].Role == rein.Assistant && strings.TrimSpace(talk[i].Text) != "" {
			return talk[i].Text
		}
	}
	return ""
}

var errEmptyReply = rein.Errorf(rein.CodeProvider, "the model's reply is empty: neither text nor a call")

func isEmpty(m rein.Message) bool { return strings.TrimSpace(m.Text) == "" && len(m.Calls) == 0 }
