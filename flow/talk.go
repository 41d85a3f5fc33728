package flow

import (
	"errors"
	"slices"
	"strings"

	"rein"
	"rein/internal/quote"
)

// opening is how the conversation of a run begins: who the assistant is and what the flow asks of it,
// the files of the session, what was said before in it, and the task. The task keeps the tools that are of use.
func opening(run rein.Run, task *rein.Task, prompt string) ([]rein.Message, error) {
	before, err := recall(run, *task)
	talk := []rein.Message{{Role: rein.System, Text: persona(*task, prompt)}}
	if err == nil {
		task.Tools = before.needed(*task)
	}
	return slices.Concat(talk, before.about(*task), before.talk, task.Messages), err
}

// openingHeard is opening for flows that take up at once what people want instead.
func openingHeard(run rein.Run, task *rein.Task, prompt string) ([]rein.Message, error) {
	talk, err := opening(run, task, prompt)
	var heard []rein.Message
	for errors.Is(err, rein.ErrInterrupted) {
		if heard, err = hear(run, *task, heard); err == nil {
			talk, err = opening(run, task, prompt)
		}
	}
	return append(talk, heard...), err
}

// hear adds what people said meanwhile to the conversation. What they want instead of the task comes
// last in it, and says so.
func hear(run rein.Run, task rein.Task, talk []rein.Message) ([]rein.Message, error) {
	items, err := run.Inbox()
	for _, item := range items {
		talk = append(talk, rein.Message{Role: rein.User, Text: asTold(task, item)})
	}
	return talk, err
}

// asTold is what a person said, as the model is told of it.
func asTold(task rein.Task, item rein.Item) string {
	switch {
	case item.Kind != rein.CommandModify:
		return item.Text
	case item.Cause != "":
		return say(task, "instead of the whole", item.Text)
	}
	return say(task, "instead", item.Text)
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

// closing asks for an answer without tools, when a limit is reached or, as the error then says, the
// budget is spent. If there is none, the run still ends with what was said by then.
func closing(run rein.Run, task rein.Task, p rein.Prompt, spent error, findings ...string) (rein.Outcome, error) {
	p.About = rein.About{Phase: "closing", Human: say(task, "closing")}
	p.Tools, p.Closing = nil, true
	talk := p.Messages
	var reply rein.Message
	err := error(rein.ErrInterrupted)
	for refused := 0; errors.Is(err, rein.ErrInterrupted) || errors.Is(err, rein.ErrBudget) && refused < 2; {
		if talk, err = hear(run, task, talk); err == nil || errors.Is(err, rein.ErrBudget) {
			p.Messages = talk[:len(talk):len(talk)]
			if isSpent(spent) {
				p.Messages, p.Compact = brief(task, talk, findings...), nil
			}
			p.Messages = append(p.Messages, rein.Message{Role: rein.Developer, Text: text(task, "closing", nil)})
			reply, err = run.CallModel(p)
		}
		if errors.Is(err, rein.ErrBudget) {
			spent = err
			refused++ // once refused for the budget, the reserve still pays for one call
		}
	}
	said := lastSaid(since(task, talk))
	if err == nil && strings.TrimSpace(reply.Text) != "" {
		return rein.Outcome{End: rein.EndLimit, Text: reply.Text}, nil
	}
	if ends(err) {
		return rein.Outcome{Text: said}, err
	}
	if said == "" {
		said = say(task, "no answer")
	}
	return rein.Outcome{End: rein.EndLimit, Text: said}, nil
}

// isSpent reports whether the error says that only the reserve is left. A run that may only close because
// its model repeats itself still has its budget.
func isSpent(err error) bool {
	e, ok := errors.AsType[*rein.Error](err)
	return ok && e.Code == rein.CodeBudget && e.Dim != rein.DimRepeats
}

// How much of what people want and of what was found is in a prompt that the reserve has to pay for,
// in bytes. More would be cut off by the engine, which does not know what matters.
const briefAsked, briefFound, briefSaid = 700, 1000, 300

// brief is the conversation in so few words that the reserve pays for it: what people want, the newest
// of what was found, and what the model said last. Findings that are not part of the conversation are
// newer than those that are.
func brief(task rein.Task, talk []rein.Message, findings ...string) []rein.Message {
	var short []rein.Message
	if len(talk) > 0 && talk[0].Role == rein.System {
		short = append(short, talk[0]) // the engine cuts it down to the room that is left
	}
	var asked, found []string
	if text := lastAsked(task.Messages); text != "" {
		asked = append(asked, text)
	}
	talk = since(task, talk)
	for _, m := range talk {
		switch {
		case m.Role == rein.User || m.FromPerson:
			asked = append(asked, m.Text)
		case m.Role == rein.ToolRole && m.Status == rein.ToolOK:
			found = append(found, m.Text)
		case m.Role == rein.ToolRole && m.Status != rein.ToolSkipped:
			found = append(found, string(m.Status)+": "+m.Text)
		}
	}
	known := newestLines(append(found, findings...), lastSaid(talk))
	if len(known) == 0 {
		known = []string{"nothing"}
	}
	short = append(short, rein.Message{Role: rein.Developer, Text: quote.Untrusted("found so far", strings.Join(known, "\n"))})
	if len(asked) > 0 {
		short = append(short, rein.Message{Role: rein.User, Text: clip(strings.Join(asked, "\n\n"), briefAsked)})
	}
	return short
}

// newestLines cuts texts down to a line each, as many of the newest as there is room for, and adds what
// was said last.
func newestLines(texts []string, said string) []string {
	var lines []string
	each, left := briefFound/min(max(len(texts), 2), 4), briefFound
	for _, text := range slices.Backward(texts) {
		line := strictLine(text, each)
		if left -= len(line); left < 0 {
			break
		}
		lines = append(lines, line)
	}
	slices.Reverse(lines)
	return slices.DeleteFunc(append(lines, strictLine(said, briefSaid)), func(line string) bool { return line == "" })
}

// ends reports whether the error says that a person has ended the run.
func ends(err error) bool {
	return errors.Is(err, rein.ErrStopped) || errors.Is(err, rein.ErrCancelled) || errors.Is(err, rein.ErrDeleted)
}

// since is the conversation after the task: what was said before it is another run's.
func since(task rein.Task, talk []rein.Message) []rein.Message {
	if len(task.Messages) == 0 {
		return talk
	}
	last := task.Messages[len(task.Messages)-1]
	for i := len(talk) - 1; i >= 0; i-- {
		if talk[i].Role == last.Role && talk[i].Text == last.Text {
			return talk[i+1:]
		}
	}
	return talk
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
